import type { Connection } from 'mysql2/promise';
import { answerTooLong } from '../../answer-too-long.js';
import type { BoundStatement, RawRow } from '../../statement.js';
import { codeOf, databaseErrorFields } from '../failures/fields.js';
import type { Settings } from '../../../settings/settings.js';
import { seconds, sessionStart } from './session-settings.js';

/** What a statement that answers no rows answers: how many rows it has changed. */
const affectedRow = (count: unknown): readonly RawRow[] => [[String(count)]];

/** One connection. Statements are prepared, so that values never stand in their text. */
export class MysqlConnection {
  #lost = false;
  #isSpoilt = false;
  #isTouched = false;
  /** Milliseconds, as the session has them. */
  #timeout: number;

  /**
   * @param timeout milliseconds that a statement of the new session may take
   * @param mostBytes what a read may answer
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

  /** What `kill query` is told. */
  get id(): number {
    return this.client.threadId;
  }

  /** It is not used again: code of the database's author, or a cancelled request, may have left something in its session. */
  spoil(): void {
    this.#isSpoilt = true;
  }

  /** Milliseconds that each statement may take from now on. */
  async limit(timeout: number): Promise<void> {
    if (timeout === this.#timeout) return;
    await this.plain(`set max_statement_time = ${seconds(timeout)}`);
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
      for (const text of sessionStart(settings)) await this.plain(text);
      this.#timeout = settings['app.datasource.statement-timeout-ms'];
      this.#isTouched = false;
    } catch {
      this.#isSpoilt = true;
    }
  }

  /** A statement of this folder's own words, without values. */
  async plain(text: string): Promise<void> {
    await this.#watched(this.client.query(text));
  }

  async run({ text, values }: BoundStatement): Promise<readonly RawRow[]> {
    const [answer] = await this.#watched(this.client.execute(text, [...values]));
    if (!Array.isArray(answer)) return affectedRow(answer.affectedRows);
    return answer.map((row) => (Array.isArray(row) ? row.map(rawText) : []));
  }

  /** The same of a read, whose answer has a limit. */
  async read(statement: BoundStatement): Promise<readonly RawRow[]> {
    const rows = await this.run(statement);
    let size = 0;
    for (const row of rows) for (const value of row) size += value?.length ?? 0;
    if (size > this.mostBytes) throw answerTooLong(this.mostBytes);
    return rows;
  }

  /** Tells the server, where it is there to be told. */
  end(): void {
    if (this.isUsable) this.client.end().catch(() => undefined);
    else this.client.destroy();
  }

  async #watched<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      // The text of the statement is no part of what is logged.
      if (error instanceof Error) Reflect.deleteProperty(error, 'sql');
      const isFatal = error instanceof Error && 'fatal' in error && error.fatal === true;
      if (isFatal || (databaseErrorFields(error) === undefined && codeOf(error) !== '')) this.#lost = true;
      throw error;
    }
  }
}

/** Numbers of the protocol's binary form are counts; everything else is asked for as text. */
function rawText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Buffer.isBuffer(value)) return value.toString('utf8');
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : (value as string);
}
