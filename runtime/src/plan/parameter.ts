import type { ColumnType } from '../descriptor/descriptor.js';
import type { Inputs, Value } from './intent.js';

/** A value of the request, checked by the contract. The dialect encodes it as text. */
export interface Parameter {
  readonly value: Value;
  readonly as: Form;
  /** The type of the value, or of the column that an operator's own operand meets. */
  readonly type: ColumnType;
  /**
   * There has to be a value, and an error about that calls it so: `"title" eq`. Absent: null is
   * one.
   */
  readonly required?: string;
  /** Whose value it is, in an error about it: `column "title"`. */
  readonly subject?: string;
  /**
   * The column that is written with it: a value that does not fit is a mistake in the body of the
   * request.
   */
  readonly cell?: string;
}

/**
 * The type that a value is read as. `value`: one of the type. `list`: a list of those. `compared`:
 * one in the database's own text form, as cursors hold it. `contains`, `prefix`, `suffix`: a text
 * that is found anywhere, in front or at the end of another, and means itself. `pattern`: one of
 * LIKE, in which `*` stands for `%` where it comes from a URL.
 */
export type Form =
  | 'value'
  | 'list'
  | 'compared'
  | 'text'
  | 'texts'
  | 'pattern'
  | 'contains'
  | 'prefix'
  | 'suffix'
  | 'regex'
  | 'json'
  | 'jsonPath'
  | 'searchQuery'
  | 'searchConfiguration'
  | 'integer'
  | 'vector';

/**
 * A count of rows that differs from one request to the next. `read` throws ServerError 400 for an
 * invalid count.
 */
export interface Count {
  readonly read: (inputs: Inputs) => bigint | number;
}
