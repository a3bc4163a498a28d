import type { RelationDescriptor } from '../../descriptor/descriptor.js';
import type { Inputs } from '../intent.js';

/**
 * Values by the database name of their column. JavaScript values, to be encoded by the columns'
 * types.
 */
export type Values = Readonly<Record<string, unknown>>;

/** Rows to write, with the changes of the rows around them. */
export interface NestedWrite {
  /** The relations of the rows themselves, by name: the values of a row that are needed first. */
  readonly relations: readonly string[];
  /** Throws ServerError 400 for an impossible write. */
  readonly rows: (inputs: Inputs) => readonly NestedRow[];
  /** Of an insert: what happens to a row that is there. */
  readonly conflict?: (inputs: Inputs) => NestedConflict | undefined;
}

/** A row to write: a new row, or new values of an existing row. */
export interface NestedRow {
  readonly values: Values;
  readonly relations: readonly RelatedWrites[];
}

/** The steps for rows of one relation, in this order. */
export interface RelatedWrites {
  readonly relation: RelationDescriptor;
  readonly steps: readonly RelatedWrite[];
}

/** `key` identifies a row of the other table. Absent: the only related row. */
export type RelatedWrite =
  | { readonly does: 'disconnect' | 'delete'; readonly key?: Values }
  | { readonly does: 'update'; readonly key?: Values; readonly row: NestedRow }
  | { readonly does: 'upsert'; readonly key?: Values; readonly create: NestedRow; readonly update: NestedRow }
  | { readonly does: 'connect'; readonly key: Values }
  | { readonly does: 'connectOrCreate'; readonly key: Values; readonly create: NestedRow }
  | { readonly does: 'create'; readonly rows: readonly NestedRow[]; readonly conflict?: NestedConflict };

/**
 * Columns that take the value that was given, where a row of that constraint is there; none: it is
 * left alone; undefined: all that are given.
 */
export interface NestedConflict {
  readonly constraint: string;
  readonly update?: readonly string[];
}

/** The order of the steps of a relation: a row that goes makes room for one with the same key. */
export const nestedOrder = [
  'disconnect',
  'delete',
  'update',
  'upsert',
  'connect',
  'connectOrCreate',
  'create',
] as const satisfies readonly RelatedWrite['does'][];
