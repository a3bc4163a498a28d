import { postgrestGrammar } from './grammar.js';
import { postgrestHandler } from './media-handler.js';
import { postgrestRelation } from './relation.js';
import type { ReadForm } from '../../../request/rest/read/read-form.js';

/** Source: PostgREST, "Resource Embedding", "Pagination and Count", "Domain Representations". */
export const postgrestReads: ReadForm = {
  protocol: 'rest',
  values: 'native',
  oneToOne: 'byConstraint',
  returnedKey: 'ofShownTables',
  grammar: postgrestGrammar,
  handlerFor: postgrestHandler,
  relation: postgrestRelation,
  repeatedColumns: 'apart',
  embeddedNames: 'aliasAndTable',
  ordersBy: 'embedded',
  repeatedKeys: 'allowed',
  ranges: { of: 'GET', count: 'asked', empty: 'refused' },
};
