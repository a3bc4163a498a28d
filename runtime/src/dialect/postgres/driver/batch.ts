import type { AnswerRow, BoundStatement, RawRow } from '../../../plan/statement.js';
import type { BatchConnection } from './batch-connection.js';
import type { Prepared, PreparedStatements } from './prepared.js';
import type { FieldDescription, WireConnection, WireQuery } from './wire.js';

/** Statements that are sent together. */
export interface BatchParts {
  readonly statements: readonly BoundStatement[];
  /** Runs after `statements`; its rows are apart. */
  readonly readBack?: BoundStatement | undefined;
  /**
   * Statements that run after `statements`. The answer is still the answer of the last one of
   * those.
   */
  readonly closing?: readonly BoundStatement[];
  /**
   * The index of the first statement that is parsed even if it is prepared. Code of the database
   * that runs earlier in the batch may discard prepared statements, and the batch cannot repeat its
   * work.
   */
  readonly parsedFrom?: number;
  /**
   * The index of the first statement after those that is prepared again: the work of the batch is
   * done by then. Default: none.
   */
  readonly parsedTo?: number;
  /**
   * A statement of the user's code, which runs after `statements` and is never prepared by name.
   * The server asks for the description of its result.
   */
  readonly custom?: EncodedStatement;
  /** Long fields of the answer stay bytes. */
  readonly bytes?: boolean | undefined;
}

export interface EncodedStatement {
  readonly text: string;
  readonly values: readonly (string | Buffer | null)[];
}

/** The result of a batch. */
export interface BatchEnd {
  readonly error?: Error | undefined;
  readonly rows: readonly RawRow[];
  /** The rows of `readBack`. */
  readonly readBack?: readonly RawRow[] | undefined;
  /** The first row of `closing`. */
  readonly closingRow?: RawRow | undefined;
  /** Number of completed statements; after an error, the index of the failed statement. */
  readonly completed: number;
  /** Whether that statement had begun to run. If not, it could not be parsed or bound. */
  readonly isRunning: boolean;
  /**
   * For the statement of the user's code: its columns, and the command tag of PostgreSQL, such as
   * `UPDATE 2`.
   */
  readonly fields?: readonly FieldDescription[] | undefined;
  readonly tag?: string | undefined;
}

/** Sends messages, several of them as one buffer. */
export type BatchSender = WireConnection & Pick<BatchConnection, 'inOnePiece' | 'messagesOf'>;

const unnamed: Prepared = { name: '', parse: true };
const nothing: readonly BoundStatement[] = [];

const isQuick = (text: string): boolean =>
  /^(?:begin|commit|reset|set transaction|select pg_catalog\.set_config)\b/.test(text);

/**
 * Several statements in one round trip and one implicit transaction: Parse, Bind and Execute of
 * each, then one Sync. Returns rows as received, without asking for their types. An error skips
 * everything up to the Sync and undoes the transaction.
 * Source: https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */
export class Batch implements WireQuery<BatchSender> {
  readonly #statements: readonly BoundStatement[];
  readonly #readBack: BoundStatement | undefined;
  readonly #closing: readonly BoundStatement[];
  readonly #parsedFrom: number;
  readonly #parsedTo: number;
  readonly #prepared: PreparedStatements | undefined;
  readonly #done: (end: BatchEnd) => void;
  #rows: RawRow[] = [];
  readonly #readBackRows: RawRow[] | undefined;
  #closingRow: RawRow | undefined;
  #bound = 0;
  #completed = 0;
  #isSent = false;
  readonly #custom: EncodedStatement | undefined;
  /** How many statements there are whose answer may be the batch's. */
  readonly #answering: number;
  #fields: readonly FieldDescription[] = [];
  readonly #bytes: boolean;
  #tag = '';

  /**
   * Without `prepared` the statements are unnamed: behind a pooler the next statement may run on
   * another server.
   */
  constructor(
    {
      statements,
      readBack,
      closing = nothing,
      parsedFrom = Infinity,
      parsedTo = Infinity,
      custom,
      bytes = false,
    }: BatchParts,
    prepared: PreparedStatements | undefined,
    done: (end: BatchEnd) => void,
  ) {
    this.#statements = statements;
    this.#readBack = readBack;
    this.#readBackRows = readBack === undefined ? undefined : [];
    this.#closing = closing;
    this.#parsedFrom = parsedFrom;
    this.#parsedTo = parsedTo;
    this.#bytes = bytes;
    this.#prepared = prepared;
    this.#done = done;
    this.#custom = custom;
    this.#answering = statements.length + (custom === undefined ? 0 : 1);
  }

  /** Sends several batches as one write, before the client receives the first of them. */
  static sendAll(batches: readonly Batch[], connection: BatchSender): void {
    connection.inOnePiece(() => {
      for (const batch of batches) batch.#sendTo(connection);
    });
  }

  /** Called by the client when this batch is the current query. */
  submit(connection: BatchSender): void {
    if (!this.#isSent) Batch.sendAll([this], connection);
  }

  #sendTo(connection: BatchSender): void {
    this.#isSent = true;
    let place = 0;
    for (const statement of this.#statements) this.#send(statement, place++, connection);
    if (this.#custom !== undefined) {
      this.#sendCustom(this.#custom, connection);
      place += 1;
    }
    if (this.#readBack !== undefined) this.#send(this.#readBack, place++, connection);
    for (const statement of this.#closing) this.#send(statement, place++, connection);
    connection.sync();
  }

  #send({ text, values }: BoundStatement, place: number, connection: BatchSender): void {
    const isNamed = place < this.#parsedFrom || place >= this.#parsedTo;
    const { name, parse, close, kept } = (isNamed ? this.#prepared?.use(text) : undefined) ?? unnamed;
    const run = (): void => {
      for (const each of close ?? []) connection.close({ type: 'S', name: each });
      if (parse) connection.parse({ name, text });
      connection.bind({ statement: name, values });
      connection.execute({ portal: '' });
    };
    if (kept === undefined || values.length > 0) run();
    else connection._send((kept.bytes ??= connection.messagesOf(run)));
  }

  #sendCustom({ text, values }: EncodedStatement, connection: BatchSender): void {
    connection.parse({ name: '', text });
    connection.bind({ statement: '', values });
    connection.describe({ type: 'P', name: '' });
    connection.execute({ portal: '' });
  }

  /**
   * The number of statements that may each take the whole time limit: statements that only set
   * something are fast.
   */
  get slowCount(): number {
    const slow = this.#statements.filter(({ text }) => !isQuick(text)).length;
    return Math.max(1, slow + (this.#custom === undefined ? 0 : 1));
  }

  /** The server has bound the next statement. */
  bound(): void {
    this.#bound += 1;
  }

  row(fields: AnswerRow): void {
    // The types of `Driver.run` say who asks for bytes.
    if (this.#completed < this.#answering) this.#rows.push(this.#bytes ? (fields as RawRow) : textsOf(fields));
    else if (this.#completed === this.#answering && this.#readBackRows !== undefined)
      this.#readBackRows.push(textsOf(fields));
    else this.#closingRow ??= textsOf(fields);
  }

  /**
   * The answer is now that of the next statement.
   * @param tag reads the command tag
   */
  complete(tag?: () => string): void {
    this.#completed += 1;
    if (this.#completed < this.#answering) this.#rows = [];
    else if (this.#completed === this.#answering && this.#custom !== undefined) this.#tag = tag?.() ?? '';
  }

  handleReadyForQuery(): void {
    this.#done(this.#endWith(undefined, false));
  }

  /** All ends have the same members: adding some of them later would cost every batch a copy. */
  #endWith(error: Error | undefined, isRunning: boolean): BatchEnd {
    const isCustom = this.#custom !== undefined;
    return {
      error,
      isRunning,
      rows: this.#rows,
      readBack: this.#readBackRows,
      closingRow: this.#closingRow,
      completed: this.#completed,
      fields: isCustom ? this.#fields : undefined,
      tag: isCustom ? this.#tag : undefined,
    };
  }

  handleError(error: Error): void {
    this.#prepared?.failed();
    this.#done(this.#endWith(error, this.#bound > this.#completed));
  }

  handleEmptyQuery(): void {
    this.complete();
  }

  handleCopyInResponse(connection: BatchSender): void {
    connection.sendCopyFail('nothing to copy');
  }

  /** Only the statement of the user's code asks for its row description. */
  handleRowDescription({ fields }: { readonly fields: readonly FieldDescription[] }): void {
    this.#fields = fields;
  }

  handlePortalSuspended(): void {
    // Statements are executed without a limit of rows, so a portal is never suspended.
  }

  handleCopyData(): void {
    // COPY is not supported here.
  }
}

const textsOf = (fields: AnswerRow): RawRow =>
  fields.some(isBytes) ? fields.map((field) => (isBytes(field) ? field.toString() : field)) : (fields as RawRow);

const isBytes = (field: string | Buffer | null): field is Buffer => typeof field === 'object' && field !== null;
