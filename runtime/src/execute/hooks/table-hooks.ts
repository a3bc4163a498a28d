import type { Insertable, Kysely, Selectable, Updateable } from 'kysely';
import { codes, ServerError } from '../../errors.js';
import type { Identity } from '../../dialect/driver.js';

/**
 * Hooks of `src/custom`, by table: `{ 'kanban.issues': { beforeInsert: … } }`. With the generated
 * `Database` as their type, rows are typed by their table. They wrap writes of both protocols,
 * including rows inside rows, but not the writes of procedures and triggers.
 */
export type Hooks<Database = AnyDatabase> = { readonly [Key in keyof Database]?: TableHooks<Database[Key], Database> };

/**
 * A condition on the rows of a table, as GraphQL's `where` has it: `{ status: { neq: 'done' }, or:
 * [ … ] }`.
 */
export type RowCondition = Readonly<Record<string, unknown>>;

/** Tables by `schema.name`, with columns of any type. */
export type AnyDatabase = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * `before…` and `after…` run in the transaction of the write, in the order of the request's writes:
 * `event.db` sees the earlier writes. A hook refuses the write by throwing, best with
 * `event.refuse(message, status)`: then nothing of the request is written. A request whose hooks do
 * not use the database has no transaction before it writes. Rows inside rows call only `before…`.
 */
export interface TableHooks<T, Database = AnyDatabase> {
  /**
   * Receives the rows of the request, by column. Returns the rows to insert, or nothing to leave
   * them unchanged.
   */
  beforeInsert?(event: InsertEvent<T, Database>): Answer<readonly Insertable<T>[]>;
  /** Receives the new values, by column. Returns the values to set, or nothing. */
  beforeUpdate?(event: UpdateEvent<T, Database>): Answer<Updateable<T>>;
  beforeDelete?(event: DeleteEvent<T, Database>): Answer<undefined>;
  /**
   * Receives the rows after the write. For an upsert, this includes rows that existed before. Not
   * called for nested rows.
   */
  afterInsert?(event: InsertedEvent<T, Database>): Answer<undefined>;
  afterUpdate?(event: UpdatedEvent<T, Database>): Answer<undefined>;
  afterDelete?(event: DeletedEvent<T, Database>): Answer<undefined>;
  /** Called after the commit; the client does not wait for it. Not called for dry runs. */
  afterCommit?(event: CommitEvent): Answer<undefined>;
  /**
   * Limits the rows that the caller may read, for both protocols, wherever a request uses the
   * table. Returns a condition in the form of GraphQL's `where`, by the names of the API, or
   * nothing: all rows. Called for each request that reads the table. Requests whose conditions
   * differ only in values share a statement.
   */
  onRead?(event: ReadEvent): RowCondition | undefined;
}

// eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- a hook that changes nothing returns nothing
type Answer<T> = T | void | Promise<T | void>;

export interface WriteEvent<Database = AnyDatabase> {
  /** `schema.name` */
  readonly table: string;
  /** The caller's claims. Empty for an anonymous request. */
  readonly identity: Identity;
  /** Refuses the write: the client receives this message with this status (default 422). */
  readonly refuse: (message: string, status?: number) => never;
  /** The transaction of the request's writes, as the caller. It ends with the request. */
  readonly db: Kysely<Database>;
  /**
   * Runs code in a savepoint of that transaction: its writes are rolled back when it rejects, and
   * your code may ignore the error.
   */
  readonly transaction: <T>(work: (db: Kysely<Database>) => Promise<T>) => Promise<T>;
}

export interface InsertEvent<T, Database = AnyDatabase> extends WriteEvent<Database> {
  readonly rows: readonly Insertable<T>[];
}

/** The rows that a write concerns. */
export interface Concerned<T> {
  /**
   * Reads the rows that the write concerns, before it. Rows of an update are locked until the
   * update is done.
   */
  readonly current: () => Promise<readonly Selectable<T>[]>;
}

export interface UpdateEvent<T, Database = AnyDatabase> extends WriteEvent<Database>, Concerned<T> {
  readonly set: Updateable<T>;
}

export interface DeleteEvent<T, Database = AnyDatabase> extends WriteEvent<Database>, Concerned<T> {}

export interface InsertedEvent<T, Database = AnyDatabase> extends WriteEvent<Database> {
  readonly rows: readonly Selectable<T>[];
}

export interface UpdatedEvent<T, Database = AnyDatabase> extends WriteEvent<Database> {
  readonly rows: readonly { readonly before: Selectable<T>; readonly after: Selectable<T> }[];
}

export interface DeletedEvent<T, Database = AnyDatabase> extends WriteEvent<Database> {
  /** The rows as they were. */
  readonly rows: readonly Selectable<T>[];
}

export interface CommitEvent {
  readonly table: string;
  readonly identity: Identity;
  readonly operation: 'insert' | 'update' | 'delete';
  /** How many rows were written. */
  readonly affected: number;
  /**
   * The primary key of each row, as texts. Absent for a table without a primary key, and for rows
   * inside rows.
   */
  readonly keys?: readonly Readonly<Record<string, string | null>>[];
}

export interface ReadEvent {
  /** `schema.name` */
  readonly table: string;
  /** The caller's claims. Empty for an anonymous request. */
  readonly identity: Identity;
}

/** The hooks of a table with rows of any type. */
export type AnyTableHooks = TableHooks<Readonly<Record<string, unknown>>>;

export const refuse = (message: string, status = 422): never => {
  throw new ServerError(status, codes.refused, message);
};
