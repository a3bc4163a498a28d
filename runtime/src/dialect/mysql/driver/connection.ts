import type { Socket } from 'node:net';
import type { Connection, ResultSetHeader } from 'mysql2/promise';
import { answerTooLong } from '../../answer-too-long.js';
import type { BoundStatement, RawRow } from '../../statement.js';
import type { Identity, OwnResult, OwnStatement } from '../../driver.js';
import { isCutText, timeLimitError, wasStopped } from '../failures/cut-text.js';
import { codeOf, databaseErrorFields } from '../failures/fields.js';
import type { Settings } from '../../../settings/settings.js';
import { isSomebody, setIdentity } from '../identity.js';
import { listRow } from './list-row.js';
import { endsTransaction, ownResult, ownValues, readOwnValue } from './own-values.js';
import { rawText } from './raw-text.js';
import { sessionStart, timeLimit } from './session-settings.js';

/**
 * The result of a statement without rows: the number of changed rows, and the number that
 * AUTO_INCREMENT gave the first of them, or 0.
 */
const changedRow = ({
  affectedRows,
  insertId,
}: Pick<ResultSetHeader, 'affectedRows' | 'insertId'>): readonly RawRow[] => [[String(affectedRows), String(insertId)]];

/** One connection. Statements are prepared, so that values never stand in their text. */
export class MysqlConnection {
  #lost = false;
  #isSpoilt = false;
  #isTouched = false;
  #isClaimed = false;
  /** Milliseconds, as the session has them. */
  #timeout: number;

  /**
   * @param timeout milliseconds that a statement of the new session may take
   * @param mostBytes the largest answer of a read
   */
  constructor(
    private readonly client: Connection,
    timeout: number,
    private readonly mostBytes: number,
    onLost: () => void,
  ) {
    this.#timeout = timeout;
    const lose = (): void => {
      this.#lost = true;
      onLost();
    };
    client.on('error', lose);
    client.on('end', lose);
  }

  get isUsable(): boolean {
    return !this.#lost && !this.#isSpoilt;
  }

  get isLost(): boolean {
    return this.#lost;
  }

  /** The id of the connection, for `kill query`. */
  get id(): number {
    return this.client.threadId;
  }

  /**
   * It is not used again: code of the database's author, or a cancelled request, may have left
   * something in its session.
   */
  spoil(): void {
    this.#isSpoilt = true;
  }

  /**
   * Sets the identity. It stays in the session: without verification, only some requests have an
   * identity.
   */
  async claim(identity: Identity): Promise<void> {
    this.#isClaimed = true;
    await this.run(setIdentity(identity));
    this.#isClaimed = isSomebody(identity);
  }

  /** A statement of the user may have set an identity. */
  doubt(): void {
    this.#isClaimed = true;
  }

  /** Whether the session has an identity. */
  get isClaimed(): boolean {
    return this.#isClaimed;
  }

  /** Sets the time limit of each further statement in ms. */
  async limit(timeout: number): Promise<void> {
    if (timeout === this.#timeout) return;
    await this.plain(`set ${timeLimit(timeout)}`);
    this.#timeout = timeout;
  }

  /** Triggers and procedures of a write may have changed the session. */
  touch(): void {
    this.#isTouched = true;
  }

  get isTouched(): boolean {
    return this.#isTouched;
  }

  /** Sets the session as it begins. It is spoilt where that fails. */
  async renew(settings: Settings): Promise<void> {
    try {
      await this.plain(sessionStart(settings));
      this.#renewed(settings);
    } catch {
      this.#isSpoilt = true;
    }
  }

  #renewed(settings: Settings): void {
    this.#timeout = settings['app.datasource.statement-timeout-ms'];
    this.#isTouched = false;
  }

  /** A statement of this folder's own words, without values. */
  async plain(text: string): Promise<void> {
    await this.#watched(() => this.client.query(text));
  }

  async run(statement: BoundStatement): Promise<readonly RawRow[]> {
    const [answer] = await this.#execute(statement);
    if (!Array.isArray(answer)) return changedRow(answer);
    return statement.items === true ? listRow(answer, this.mostBytes) : rawRows(answer);
  }

  /** Runs a statement of the user's code. */
  async own({
    text,
    values,
  }: OwnStatement): Promise<{ readonly result: OwnResult; readonly endsTransaction: boolean }> {
    const options = { sql: text, values: ownValues(values), rowsAsArray: false, typeCast: readOwnValue };
    const [answer] = await this.#watched(() => this.client.execute(options));
    return { result: ownResult(answer), endsTransaction: endsTransaction(answer) };
  }

  /**
   * Sets the time limit of each further statement in ms, even if statements of the user's code have
   * changed it.
   */
  async limitAnew(timeout: number): Promise<void> {
    this.#timeout = Number.NaN;
    await this.limit(timeout);
  }

  /** The same of a read, whose answer has a limit. */
  async read(statement: BoundStatement): Promise<readonly RawRow[]> {
    return this.#limited(await this.run(statement));
  }

  /** A read in a block that sets this identity first. */
  async readBlock(identity: Identity, block: BoundStatement): Promise<readonly RawRow[]> {
    this.#isClaimed = true;
    const rows = await this.#runBlock(block);
    this.#isClaimed = isSomebody(identity);
    return this.#limited(rows);
  }

  /**
   * A transaction in a block that sets this identity before, and the session as it begins
   * afterwards: the session counts as touched where that was not reached.
   */
  async writeBlock(identity: Identity, block: BoundStatement, settings: Settings): Promise<readonly RawRow[]> {
    this.#isClaimed = true;
    this.#isTouched = true;
    const rows = await this.#runBlock(block);
    this.#isClaimed = isSomebody(identity);
    this.#renewed(settings);
    return rows;
  }

  /** The rows of the last statement of the block that answered any. */
  async #runBlock(block: BoundStatement): Promise<readonly RawRow[]> {
    const [answers] = await this.#execute(block);
    // A set of rows for each statement that answers any, and the outcome of the block.
    const rows: unknown = Array.isArray(answers) ? answers.at(-2) : undefined;
    const found: readonly unknown[] = Array.isArray(rows) ? rows : [];
    return block.items === true ? listRow(found, this.mostBytes) : rawRows(found);
  }

  #execute({ text, values, items }: BoundStatement): ReturnType<Connection['execute']> {
    const run = (): ReturnType<Connection['execute']> => this.client.execute(text, [...values]);
    return this.#watched(items === true ? () => this.#bounded(run) : run);
  }

  /**
   * Discards an answer that is twice as long as any may be, and its connection: mysql2 keeps all
   * rows until the last one has arrived.
   */
  async #bounded<T>(run: () => Promise<T>): Promise<T> {
    const { stream } = (this.client as unknown as Wrapper).connection;
    const most = stream.bytesRead + 2 * this.mostBytes;
    let check = nothing;
    const tooLong = new Promise<never>((_resolve, reject) => {
      check = () => {
        if (stream.bytesRead <= most) return;
        this.#lost = true;
        stream.destroy();
        reject(answerTooLong(this.mostBytes));
      };
      stream.on('data', check);
    });
    try {
      return await Promise.race([run(), tooLong]);
    } finally {
      stream.off('data', check);
    }
  }

  #limited(rows: readonly RawRow[]): readonly RawRow[] {
    let size = 0;
    for (const row of rows) for (const value of row) size += value?.length ?? 0;
    if (size > this.mostBytes) throw answerTooLong(this.mostBytes);
    return rows;
  }

  /** Informs the server, if it is reachable. */
  end(): void {
    if (this.isUsable) this.client.end().catch(() => undefined);
    else this.client.destroy();
  }

  async #watched<T>(work: () => Promise<T>): Promise<T> {
    const begun = performance.now();
    try {
      return await work();
    } catch (error) {
      // The log does not have the text of the statement.
      if (error instanceof Error) Reflect.deleteProperty(error, 'sql');
      const isFatal = error instanceof Error && 'fatal' in error && error.fatal === true;
      if (isFatal || (databaseErrorFields(error) === undefined && codeOf(error) !== '')) this.#lost = true;
      throw isCutText(error) && wasStopped(performance.now() - begun, this.#timeout) ? timeLimitError(error) : error;
    }
  }
}

/** The promises of mysql2 around its connection: not in its types. */
interface Wrapper {
  readonly connection: { readonly stream: Socket };
}

const nothing = (): void => undefined;

const rawRows = (rows: readonly unknown[]): readonly RawRow[] =>
  rows.map((row) => (Array.isArray(row) ? row.map(rawText) : []));
