import type { Insertable, Updateable } from 'kysely';
import { codes, ServerError } from '../errors.js';
import type { Identity } from '../dialect/driver.js';

/**
 * Hooks of `src/custom`, by table: `{ 'kanban.issues': { beforeInsert: … } }`. With the generated `DB` as their type, rows are typed by their table.
 * They wrap writes of both protocols, rows inside rows too, but not what procedures and triggers write.
 */
export type Hooks<Database = AnyDatabase> = { readonly [Key in keyof Database]?: TableHooks<Database[Key]> };

/** Tables by `schema.name`, with columns of any type. */
export type AnyDatabase = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * `before…` run before the transaction begins, in the order of the request's writes; those of PUT run in it, since only it shows which to call. They
 * may change what is written by returning it, and refuse it by throwing, best `event.refuse(message, status)`: then nothing of the request is written.
 */
export interface TableHooks<T> {
  /** Rows as they were given, by column. Answers the rows to insert, or nothing to leave them as they are. */
  beforeInsert?(event: InsertEvent<T>): Answer<readonly Insertable<T>[]>;
  /** The new values, by column. Answers those to set, or nothing. */
  beforeUpdate?(event: UpdateEvent<T>): Answer<Updateable<T>>;
  beforeDelete?(event: WriteEvent): Answer<undefined>;
  /** After the transaction is committed; the client is not kept waiting. Not for dry runs. */
  afterCommit?(event: CommitEvent): Answer<undefined>;
}

// eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- a hook that changes nothing returns nothing
type Answer<T> = T | void | Promise<T | void>;

export interface WriteEvent {
  /** `schema.name` */
  readonly table: string;
  /** Who asks. Empty for an anonymous request. */
  readonly identity: Identity;
  /** Refuses the write: the client gets this message with this status (default 422). */
  readonly refuse: (message: string, status?: number) => never;
}

export interface InsertEvent<T> extends WriteEvent {
  readonly rows: readonly Insertable<T>[];
}

export interface UpdateEvent<T> extends WriteEvent {
  readonly set: Updateable<T>;
}

export interface CommitEvent {
  readonly table: string;
  readonly identity: Identity;
  readonly operation: 'insert' | 'update' | 'delete';
  /** How many rows were written. */
  readonly affected: number;
  /** The primary key of each, as texts. Absent for a table without one, and for rows inside rows. */
  readonly keys?: readonly Readonly<Record<string, string | null>>[];
}

/** The hooks of a table, whatever its rows are. */
export type AnyTableHooks = TableHooks<Readonly<Record<string, unknown>>>;

export const refuse = (message: string, status = 422): never => {
  throw new ServerError(status, codes.refused, message);
};
