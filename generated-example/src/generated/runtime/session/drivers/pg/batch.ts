import type { BoundStatement, RawRow } from '../../statement.js';
import type { Prepared, PreparedStatements } from './prepared.js';
import type { WireConnection, WireQuery } from './wire.js';

/** What became of a batch: an error, or rows. */
export type BatchDone = (error: Error | undefined, rows: readonly RawRow[]) => void;

const unnamed: Prepared = { name: '', parse: true };

/**
 * Several statements in one round trip and one implicit transaction: Parse, Bind and Execute of each, then one Sync.
 * Answers the rows of the last as they came, without asking for their types. An error skips everything up to the Sync
 * and undoes what was done.
 * Source: https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */
export class Batch implements WireQuery {
  readonly #statements: readonly BoundStatement[];
  readonly #prepared: PreparedStatements | undefined;
  readonly #done: BatchDone;
  #rows: RawRow[] = [];
  #isSent = false;

  /** Without `prepared` the statements are unnamed: behind a pooler the next one may be another server's. */
  constructor(statements: readonly BoundStatement[], prepared: PreparedStatements | undefined, done: BatchDone) {
    this.#statements = statements;
    this.#prepared = prepared;
    this.#done = done;
  }

  /** Sends several in one piece, before the client is given the first of them. */
  static sendAll(batches: readonly Batch[], connection: WireConnection): void {
    connection.stream.cork();
    try {
      for (const batch of batches) batch.#sendTo(connection);
    } finally {
      connection.stream.uncork();
    }
  }

  /** Called by the client when it is this one's turn. */
  submit(connection: WireConnection): void {
    if (!this.#isSent) Batch.sendAll([this], connection);
  }

  #sendTo(connection: WireConnection): void {
    this.#isSent = true;
    for (const statement of this.#statements) this.#send(statement, connection);
    connection.sync();
  }

  #send({ text, values }: BoundStatement, connection: WireConnection): void {
    const { name, parse, close } = this.#prepared?.use(text) ?? unnamed;
    for (const each of close ?? []) connection.close({ type: 'S', name: each });
    if (parse) connection.parse({ name, text });
    connection.bind({ statement: name, values });
    connection.execute({ portal: '' });
  }

  handleDataRow({ fields }: { readonly fields: RawRow }): void {
    this.#rows.push(fields);
  }

  /** What the next statement answers is the answer now. */
  handleCommandComplete(): void {
    this.#completed += 1;
    if (this.#completed < this.#statements.length) this.#rows = [];
  }

  #completed = 0;

  handleReadyForQuery(): void {
    this.#done(undefined, this.#rows);
  }

  handleError(error: Error): void {
    this.#prepared?.failed();
    this.#done(error, []);
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete();
  }

  handleCopyInResponse(connection: WireConnection): void {
    connection.sendCopyFail('nothing to copy');
  }

  handleRowDescription(): void {
    // Never asked for: no statement is described.
  }

  handlePortalSuspended(): void {
    // Every statement is executed without a limit of rows.
  }

  handleCopyData(): void {
    // Nothing here reads a COPY.
  }
}
