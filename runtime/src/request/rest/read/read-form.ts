import type { IncomingHttpHeaders } from 'node:http';
import type { MediaHandler } from '../../../catalog/catalog.js';
import type { Table } from '../../../descriptor/registry.js';
import { restForm, type IntentForm } from '../../../plan/intent-form.js';
import { ownGrammar, type RestGrammar } from '../grammar/rest-grammar.js';
import { ownRelation } from './own-relation.js';
import type { Relation, SoughtRelation } from './relation-way.js';

/** How a form of REST reads: from the texts of a request to its intent. */
export interface ReadForm extends IntentForm {
  readonly grammar: RestGrammar;
  /** The aggregate that writes the rows, instead of the format of `Accept`. */
  readonly handlerFor: (request: HandledRequest) => MediaHandler | undefined;
  /** The relation of `all` that `name` or `name!hint` embeds. Throws ServerError 400. */
  readonly relation: (sought: SoughtRelation) => Relation;
  /** The relations of a view by a column that it shows twice: by each, or by the first. */
  readonly repeatedColumns: 'apart' | 'once';
  /** The names that filters and orders have for an embedded table with an alias. */
  readonly embeddedNames: 'aliasAndTable' | 'alias';
  /** The tables by whose columns rows are ordered. */
  readonly ordersBy: 'embedded' | 'related';
  /** Different columns under one key: a member for each, or an error. */
  readonly repeatedKeys: 'allowed' | 'refused';
  /** The methods that read `Range`, which of them count all rows, and a range without rows. */
  readonly ranges: {
    readonly of: 'GET' | 'all';
    readonly count: 'exact' | 'asked';
    readonly empty: 'refused' | 'allowed';
  };
}

/** What decides which aggregate writes the answer. `query` is raw. */
export interface HandledRequest {
  readonly table: Table;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  /** Those for any rows. Default: none. */
  readonly mediaHandlers?: readonly MediaHandler[] | undefined;
}

/** How `/api/v1` reads. Source: decision 006. */
export const ownReads: ReadForm = {
  ...restForm,
  grammar: ownGrammar,
  handlerFor: () => undefined,
  relation: ownRelation,
  repeatedColumns: 'once',
  embeddedNames: 'alias',
  ordersBy: 'related',
  repeatedKeys: 'refused',
  ranges: { of: 'all', count: 'exact', empty: 'allowed' },
};
