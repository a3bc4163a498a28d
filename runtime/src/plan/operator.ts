import type { Kind, ValueType } from '../descriptor/descriptor.js';

/**
 * What decides the operators of a value: its kind; `searchable` is a text that an index makes
 * searchable, and takes those of other texts, too.
 */
export type FilterKind = Kind | 'searchable';

export const filterKind = ({ kind, searchable }: Pick<ValueType, 'kind' | 'searchable'>): FilterKind =>
  searchable === true ? 'searchable' : kind;

/**
 * One row of the operator table (operators.ts), which drives the REST parser, the GraphQL filter
 * inputs, the SQL and docs/operators.md. Adding an operator touches the table, its SQL in
 * dialect/<database>/read/operators.ts, and its test; with a GraphQL name also its TypeScript type
 * in schema/filter-types.ts.
 */
export interface Operator {
  /** Unique; what Filter.operator holds and what its SQL is found by. */
  readonly id: string;
  /** Its name in GraphQL filter inputs; absent: REST only. */
  readonly graphql?: string;
  /** Its REST spellings, the first one documented; absent: GraphQL only. */
  readonly rest?: readonly string[];
  /**
   * The kinds of column it takes over GraphQL, and of which its filter inputs have it. `'any'`:
   * every kind.
   */
  readonly kinds: readonly FilterKind[] | 'any';
  /** The kinds it takes over REST, where they are more than GraphQL's. */
  readonly restKinds?: readonly FilterKind[] | 'any';
  /** Over REST: types that it takes beside these kinds, by their names: those of extensions. */
  readonly restTypes?: readonly string[];
  /**
   * What its operand is: of the column's type, a list or a pair of those, an element (arrays),
   * nothing at all, or a type of its own.
   */
  readonly operand:
    | 'none'
    | 'column'
    | 'list'
    | 'pair'
    | 'element'
    | 'elements'
    | 'text'
    | 'texts'
    | 'pattern'
    | 'regex'
    | 'json'
    | 'jsonpath'
    | 'tsquery'
    | 'int';
  /** The escaped text the operand becomes a LIKE pattern by: `%text%`, `text%` or `%text`. */
  readonly pattern?: 'contains' | 'prefix' | 'suffix';
  /** Takes a text search configuration: REST `fts(english).q`, GraphQL `{query, config}`. */
  readonly configurable?: true;
  /**
   * Over GraphQL the operand is a whole filter input of this kind, applied to the value that the
   * operator measures: `Filter.of` holds the operator's id, `Filter.operator` the inner one.
   */
  readonly measures?: Kind;
  /** One sentence for the docs and for the description of the GraphQL field. */
  readonly description: string;
}
