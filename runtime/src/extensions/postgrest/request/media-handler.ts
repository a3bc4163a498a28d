import type { MediaHandler } from '../../../catalog/catalog.js';
import { parseParameters } from '../../../request/rest/grammar/parameters.js';
import { handlerOf } from './accept.js';
import { postgrestGrammar } from './grammar.js';
import type { HandledRequest } from '../../../request/rest/read/read-form.js';

/**
 * The aggregate that writes the rows, in PostgREST's form. Those of a table get whole rows: where
 * anything else is selected, they do not write the answer.
 */
export function postgrestHandler({
  table: { mediaHandlers = [] },
  query,
  headers,
  mediaHandlers: ofAny = [],
}: HandledRequest): MediaHandler | undefined {
  if (mediaHandlers.length === 0 && ofAny.length === 0) return undefined;
  const select =
    parseParameters(query, postgrestGrammar)
      .find(({ name }) => name === 'select')
      ?.value.trim() ?? '*';
  return handlerOf(headers.accept, select === '*' || select === '' ? mediaHandlers : [], ofAny);
}
