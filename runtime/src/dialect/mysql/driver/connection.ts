import type { Connection, ConnectionOptions, ResultSetHeader } from 'mysql2/promise';
import { answerTooLong } from '../../answer-too-long.js';
import type { BoundStatement, RawRow } from '../../../plan/statement.js';
import type { PoolMember } from '../../connection-pool.js';
import { cutAtClose, endSoon } from '../../silence.js';
import type { Identity, CustomResult, CustomStatement, RunOptions } from '../../driver.js';
import { isCutText, timeLimitError, wasStopped } from '../failures/cut-text.js';
import { codeOf } from '../../connection-failure.js';
import { databaseErrorFields } from '../failures/fields.js';
import type { Settings } from '../../../settings/settings.js';
import { isSomebody, setIdentity } from '../identity.js';
import { committedPosition } from '../replication.js';
import { kill } from './kill.js';
import { listRow } from './list-row.js';
import { endsTransaction, customResult, customValues, readCustomValue } from './custom-values.js';
import { largeSize, packetLimitText, packetTooLarge } from './packet.js';
import { rawText } from './raw-text.js';
import { resultSets, readSetValue } from './result-set.js';
import { sessionStart, timeLimit, timeZone, type SessionZone } from './session-settings.js';
import { destroy, socketOf } from './socket.js';

/**
 * The result of a statement without rows: the number of changed rows, and the AUTO_INCREMENT number
 * of the first of them, or 0.
 */
const changedRow = ({
  affectedRows,
  insertId,
}: Pick<ResultSetHeader, 'affectedRows' | 'insertId'>): readonly RawRow[] => [[String(affectedRows), String(insertId)]];

/** One connection. Statements are prepared, so that values never stand in their text. */
export class MysqlConnection implements PoolMember {
  #lost = false;
  #isSpoilt = false;
  #isTouched = false;
  #isClaimed = false;
  #zone: SessionZone = 'utc';
  /** The time limit that the session has now, in ms. */
  #timeout: number;
  /** The largest answer of a read. */
  private readonly mostBytes: number;
  #awaiting = 0;
  /** The number of statements so far. */
  #statements = 0;
  /** The server's limit of a message, in bytes, once a large statement has asked for it. */
  #packetLimit: number | undefined;
  /** The number of statements in the running block, each of which may take the whole time limit. */
  #slow = 1;

  /**
   * @param options of the client, for the connection that stops statements of this one
   * @param home the zone of the session between statements
   */
  constructor(
    private readonly client: Connection,
    private readonly options: ConnectionOptions,
    settings: Settings,
    private readonly home: () => SessionZone,
    onLost: (connection: MysqlConnection) => void,
  ) {
    this.#timeout = settings['app.datasource.statement-timeout-ms'];
    this.mostBytes = settings['app.limits.response-bytes'];
    const lose = (): void => {
      this.#lost = true;
      onLost(this);
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

  /** The connection is not used again: a late kill would stop the statement of another request. */
  cancel(): Promise<void> {
    this.spoil();
    return kill(this.client.threadId, this.options);
  }

  /**
   * Marks the connection as unusable: triggers, functions or a cancelled request may have left
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

  /** Records that a statement of the user's code may have set an identity. */
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

  /**
   * Records that triggers and procedures of a write, or functions of a view, may have changed the
   * session.
   */
  touch(): void {
    this.#isTouched = true;
  }

  get isTouched(): boolean {
    return this.#isTouched;
  }

  /** Sets the time zone of each further statement. A fixed offset may have been that of before. */
  async enter(zone: SessionZone): Promise<void> {
    if (zone === this.#zone && zone !== 'fixed') return;
    await this.plain(`set ${timeZone(zone)}`);
    this.#zone = zone;
  }

  async start(settings: Settings): Promise<void> {
    await this.plain(sessionStart(settings, this.home()));
    this.#renewed(settings);
  }

  /** Restores the settings of a new session. If that fails, the connection is spoiled. */
  async renew(settings: Settings): Promise<void> {
    try {
      await this.start(settings);
    } catch {
      this.#isSpoilt = true;
    }
  }

  #renewed(settings: Settings): void {
    this.#timeout = settings['app.datasource.statement-timeout-ms'];
    this.#isTouched = false;
    this.#isClaimed = false;
    this.#zone = this.home();
  }

  /** Runs a statement without values that the driver itself needs. */
  async plain(text: string): Promise<void> {
    await this.#watched(() => this.client.query(text));
  }

  /** Asks for the position of the last commit. The write is kept, even if this fails. */
  async tellPosition({ committed, position = committedPosition }: RunOptions): Promise<void> {
    if (committed === undefined) return;
    try {
      const [row] = await this.run(position);
      committed(row?.[0] ?? '');
    } catch {
      this.spoil();
    }
  }

  async run(statement: BoundStatement): Promise<readonly RawRow[]> {
    if (statement.resultSet === true) return this.#runProcedure(statement);
    const [answer] = await this.#execute(statement);
    if (!Array.isArray(answer)) return changedRow(answer);
    return statement.items === true ? listRow(answer, this.mostBytes) : rawRows(answer);
  }

  /** The result sets of a procedure. */
  async #runProcedure({ text, values }: BoundStatement): Promise<readonly RawRow[]> {
    await this.#checkSize(largeSize(values));
    const options = { sql: text, values: [...values], typeCast: readSetValue };
    const call = (): ReturnType<Connection['execute']> => this.client.execute(options);
    return this.#limited(resultSets(await this.#watched(() => this.#bounded(call))));
  }

  /** Runs a statement of the user's code. */
  async runCustom({
    text,
    values,
  }: CustomStatement): Promise<{ readonly result: CustomResult; readonly endsTransaction: boolean }> {
    await this.#checkSize(largeSize(values));
    const options = { sql: text, values: customValues(values), rowsAsArray: false, typeCast: readCustomValue };
    const [answer] = await this.#watched(() => this.client.execute(options));
    return { result: customResult(answer), endsTransaction: endsTransaction(answer) };
  }

  /**
   * Sets the time limit of each further statement in ms, even if statements of the user's code have
   * changed it.
   */
  async limitAnew(timeout: number): Promise<void> {
    this.#timeout = Number.NaN;
    await this.limit(timeout);
  }

  /** Runs a read, whose answer has a size limit. */
  async read(statement: BoundStatement): Promise<readonly RawRow[]> {
    return this.#limited(await this.run(statement));
  }

  /** Runs a read in a block that sets this identity first. */
  async readBlock(identity: Identity, block: BoundStatement): Promise<readonly RawRow[]> {
    this.#isClaimed = true;
    const rows = await this.#runBlock(block);
    this.#isClaimed = isSomebody(identity);
    return this.#limited(rows);
  }

  /** Runs a read of a view, in a block that restores the session at its end. */
  async viewBlock(block: BoundStatement, settings: Settings): Promise<readonly RawRow[]> {
    this.#isTouched = true;
    const rows = await this.#runBlock(block);
    this.#renewed(settings);
    return this.#limited(rows);
  }

  /**
   * Runs a transaction in a block that first sets its identity and at the end restores the
   * session. If the end is not reached, the session counts as touched.
   * @param statements number of writing statements in the block
   */
  async writeBlock(block: BoundStatement, statements: number, settings: Settings): Promise<readonly RawRow[]> {
    this.#isTouched = true;
    const rows = await this.#runBlock(block, statements);
    this.#renewed(settings);
    return rows;
  }

  /** The rows of the last statement of the block that returned rows. */
  async #runBlock(block: BoundStatement, slow = 1): Promise<readonly RawRow[]> {
    this.#slow = slow;
    const [answers] = await this.#execute(block).finally(() => (this.#slow = 1));
    // The answer has a set of rows for each statement that returns rows, and the outcome of the
    // block.
    const rows: unknown = Array.isArray(answers) ? answers.at(-2) : undefined;
    const found: readonly unknown[] = Array.isArray(rows) ? rows : [];
    return block.items === true ? listRow(found, this.mostBytes) : rawRows(found);
  }

  #execute(statement: BoundStatement): ReturnType<Connection['execute']> {
    const size = largeSize(statement.values);
    return size === 0 ? this.#send(statement) : this.#checkSize(size).then(() => this.#send(statement));
  }

  #send({ text, values, items }: BoundStatement): ReturnType<Connection['execute']> {
    const run = (): ReturnType<Connection['execute']> => this.client.execute(text, [...values]);
    return this.#watched(items === true ? () => this.#bounded(run) : run);
  }

  /** @throws ServerError 413 for a statement that the server takes for too large */
  async #checkSize(size: number): Promise<void> {
    if (size === 0) return;
    const limit = (this.#packetLimit ??= await this.#askPacketLimit());
    if (size > limit) throw packetTooLarge(limit);
  }

  async #askPacketLimit(): Promise<number> {
    const [answer] = await this.#watched(() => this.client.execute(packetLimitText));
    const [[limit = null] = []] = Array.isArray(answer) ? rawRows(answer) : [];
    return Number(limit ?? Infinity);
  }

  /**
   * Discards an answer that is twice as long as the limit, and its connection: mysql2 keeps all
   * rows until the last one has arrived.
   */
  async #bounded<T>(run: () => Promise<T>): Promise<T> {
    const stream = socketOf(this.client);
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

  /** Ends the connection, and tells the server if it is reachable. */
  end(): void {
    const cut = (): void => {
      this.cut(cutAtClose());
    };
    if (this.isUsable) endSoon(this.client.end(), cut);
    else cut();
  }

  get bytesRead(): number {
    return socketOf(this.client).bytesRead;
  }

  /** The number of the statement whose answer is awaited. */
  get awaited(): number | undefined {
    return this.#awaiting > 0 ? this.#statements : undefined;
  }

  /** While the time limit is being set, no slow statement runs. */
  get allowed(): number {
    return Number.isNaN(this.#timeout) ? 1 : this.#timeout * this.#slow;
  }

  cut(error: Error): void {
    destroy(this.client, error);
  }

  async #watched<T>(work: () => Promise<T>): Promise<T> {
    const begun = performance.now();
    this.#awaiting += 1;
    this.#statements += 1;
    try {
      return await work();
    } catch (error) {
      // The text of the statement must not get into the log.
      if (error instanceof Error) Object.defineProperty(error, 'sql', { value: '', enumerable: false });
      const isFatal = error instanceof Error && 'fatal' in error && error.fatal === true;
      if (isFatal || (databaseErrorFields(error) === undefined && codeOf(error) !== '')) this.#lost = true;
      throw isCutText(error) && wasStopped(performance.now() - begun, this.#timeout) ? timeLimitError(error) : error;
    } finally {
      this.#awaiting -= 1;
    }
  }
}

const nothing = (): void => undefined;

const rawRows = (rows: readonly unknown[]): readonly RawRow[] =>
  rows.map((row) => (Array.isArray(row) ? row.map(rawText) : []));
