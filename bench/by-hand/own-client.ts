import type { Socket } from 'node:net';
import pg from 'pg';

export interface Prepared {
  readonly name: string;
  readonly text: string;
  readonly values: readonly string[];
}

/** A row: each column as its bytes, in latin1, so that a body of them is sent as it came. */
export type Row = readonly string[];

/** What a connection runs, and the statement of it whose rows are the answer. */
interface Run {
  readonly statements: readonly Prepared[];
  readonly answering: number;
  readonly done: (error: Error | undefined, rows: readonly Row[]) => void;
}

/**
 * Runs prepared statements one after the other under one Sync, which makes them one implicit
 * transaction in one round trip. A client of PostgreSQL's protocol for exactly that: one buffer
 * for a run, nothing is described or converted, and columns stay bytes. Only node-postgres's log-in
 * is used.
 * Source: https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
class Connection {
  readonly #known = new Set<string>();
  #run: Run | undefined;
  #rows: Row[] = [];
  #completed = 0;
  #error: Error | undefined;
  #rest: Buffer | undefined;

  private constructor(private readonly socket: Socket) {
    socket.removeAllListeners('data');
    socket.on('data', (piece: Buffer) => {
      this.#read(piece);
    });
  }

  static async open(url: string): Promise<Connection> {
    const client = new pg.Client(url);
    await client.connect();
    return new Connection((client as unknown as { connection: { stream: Socket } }).connection.stream);
  }

  run(run: Run): void {
    this.#run = run;
    this.#rows = [];
    this.#completed = 0;
    this.#error = undefined;
    let text = '';
    for (const { name, text: sql, values } of run.statements) {
      if (name === '' || !this.#known.has(name)) text += message('P', `${name}\0${sql}\0\0\0`);
      this.#known.add(name);
      const bound = values.map((value) => {
        const bytes = Buffer.from(value).toString('latin1');
        return int32(bytes.length) + bytes;
      });
      text += message('B', `\0${name}\0\0\0${int16(values.length)}${bound.join('')}\0\0`) + execute;
    }
    this.socket.write(text + sync, 'latin1');
  }

  #read(piece: Buffer): void {
    const bytes = this.#rest === undefined ? piece : Buffer.concat([this.#rest, piece]);
    let at = 0;
    while (bytes.length - at >= 5) {
      const end = at + 1 + bytes.readUInt32BE(at + 1);
      if (end > bytes.length) break;
      this.#take(bytes[at], bytes, at + 5, end);
      at = end;
    }
    this.#rest = at < bytes.length ? bytes.subarray(at) : undefined;
  }

  #take(kind: number | undefined, bytes: Buffer, from: number, end: number): void {
    if (kind === 0x44 /* D */ && this.#completed === this.#run?.answering) this.#rows.push(columns(bytes, from));
    else if (kind === 0x43 /* C */) this.#completed += 1;
    else if (kind === 0x45 /* E */) this.#error = new Error(bytes.toString('utf8', from, end));
    else if (kind === 0x5a /* Z */) this.#run?.done(this.#error, this.#rows);
  }
}

function columns(bytes: Buffer, from: number): Row {
  const found: string[] = [];
  let at = from + 2;
  for (let left = bytes.readInt16BE(from); left > 0; left -= 1) {
    const length = Math.max(0, bytes.readInt32BE(at));
    found.push(bytes.toString('latin1', at + 4, at + 4 + length));
    at += 4 + length;
  }
  return found;
}

const int16 = (value: number): string => String.fromCharCode(value >> 8, value & 255);
const int32 = (value: number): string => int16(value >>> 16) + int16(value & 0xffff);
const message = (kind: string, body: string): string => kind + int32(body.length + 4) + body;
const execute = message('E', '\0\0\0\0\0');
const sync = message('S', '');

/** Connections of which a run takes one. */
export class OwnPool {
  readonly #idle: Connection[] = [];
  readonly #waiting: ((connection: Connection) => void)[] = [];
  #opened = 0;

  constructor(
    private readonly url: string,
    private readonly size: number,
  ) {}

  /** The rows of one of the statements. Default: of the last one. */
  async run(statements: readonly Prepared[], answering = statements.length - 1): Promise<readonly Row[]> {
    const connection = await this.#take();
    return new Promise((resolve, reject) => {
      const done = (error: Error | undefined, rows: readonly Row[]): void => {
        const next = this.#waiting.shift();
        if (next === undefined) this.#idle.push(connection);
        else next(connection);
        if (error === undefined) resolve(rows);
        else reject(error);
      };
      connection.run({ statements, answering, done });
    });
  }

  #take(): Connection | Promise<Connection> {
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    if (this.#opened === this.size) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#opened += 1;
    return Connection.open(this.url);
  }
}
