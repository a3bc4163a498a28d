import { asksToStripNulls, postgrestFormat } from './accept.js';
import { preferenceReader } from '../../../request/rest/grammar/prefer.js';
import type { RestGrammar } from '../../../request/rest/grammar/rest-grammar.js';

/** Source: PostgREST, "Tables and Views", "Resource Embedding", "Prefer Header". */
export const postgrestGrammar: RestGrammar = {
  format: postgrestFormat,
  stripsNulls: asksToStripNulls,
  preferences: preferenceReader({ names: 'exact', maxAffected: 'withStrict', timeZones: 'known' }),
  unreadable: 'ignored',
  counts: 'signed',
  unknownColumns: 'afterSyntax',
  castsInFilters: 'ignored',
  blanks: 'ignored',
  trailingText: 'ignored',
  unpairedQuotes: 'kept',
  loneEmptyText: 'noElement',
  bareNames: 'letters',
  aggregates: 'allowed',
  spreads: 'allowed',
  hintsAfterJoins: 'allowed',
  syntaxErrors: 'parsec',
};
