import { randomInt } from 'node:crypto';
import type { Socket } from 'node:net';
import type ZongJi from '@vlasky/zongji';
import type { AnyBinlogEvent } from '@vlasky/zongji';
import type { WatchedTable } from '../../change-feed.js';
import { silent } from '../../silence.js';
import { decodedEvents, type LogPosition } from './decoder.js';

/** Milliseconds between two heartbeats of the database. */
const HEARTBEAT_MS = 5_000;

/** After this many missing heartbeats the connection counts as lost. */
const MAX_SILENCES = 4;

/** Reads the binary log from its end on, as a replica does. */
export class LogReader {
  /**
   * Resolves at the first event, with the position where the reader begins: it receives every
   * commit that is in the log after it.
   */
  readonly begun: Promise<LogPosition>;
  /** Rejects when the log cannot be read any further. */
  readonly failed: Promise<never>;
  #fail: (error: Error) => void = () => undefined;
  readonly #timer: NodeJS.Timeout;
  #bytesRead = 0;
  /** Consecutive checks without a new byte. */
  #silences = 0;

  /** @param receive receives each event and the name of its log file */
  constructor(
    private readonly reader: ZongJi,
    watched: readonly WatchedTable[],
    receive: (event: AnyBinlogEvent, file: string) => void,
  ) {
    let begin: (start: LogPosition) => void = () => undefined;
    this.begun = new Promise((resolve) => (begin = resolve));
    this.failed = new Promise<never>((_, reject) => {
      this.#fail = reject;
      reader.on('error', reject);
      let start: LogPosition = { file: '', offset: 0 };
      reader.on('ready', () => {
        start = { file: reader.options.filename ?? '', offset: reader.options.position ?? 0 };
      });
      reader.on('binlog', (event) => {
        begin(start);
        try {
          receive(event, reader.options.filename ?? '');
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
    });
    this.failed.catch(() => undefined);
    reader.start({
      startAtEnd: true,
      serverId: replicaId(),
      includeEvents: decodedEvents,
      includeSchema: tablesBySchema(watched),
    });
    // The database sends a heartbeat at this interval, even if nobody writes.
    reader.connection?.query(`set @master_heartbeat_period = ${String(HEARTBEAT_MS * 1e6)}`);
    this.#timer = setInterval(() => {
      this.#look();
    }, HEARTBEAT_MS).unref();
  }

  close(): void {
    clearInterval(this.#timer);
    const sockets = this.#sockets;
    // Stopping asks the database, and waits at most one second.
    this.reader.once('stopped', () => {
      for (const socket of sockets) socket.destroy();
    });
    this.reader.stop();
  }

  get #sockets(): readonly Socket[] {
    const { connection, ctrlConnection } = this.reader;
    return [connection, ctrlConnection].flatMap((each) => (each === null ? [] : [streamOf(each)]));
  }

  #look(): void {
    const bytesRead = this.#sockets.reduce((sum, socket) => sum + socket.bytesRead, 0);
    if (bytesRead === this.#bytesRead) this.#silences += 1;
    else [this.#bytesRead, this.#silences] = [bytesRead, 0];
    if (this.#silences >= MAX_SILENCES) this.#fail(silent(MAX_SILENCES * HEARTBEAT_MS));
  }
}

/** The types of mysql2 do not have this member. */
const streamOf = (connection: object): Socket => (connection as { readonly stream: Socket }).stream;

/**
 * Two replicas with the same number are not possible: the database ends the connection of the
 * first.
 */
const replicaId = (): number => randomInt(2 ** 16, 2 ** 31);

function tablesBySchema(watched: readonly WatchedTable[]): Record<string, string[]> {
  const schemas = new Map<string, string[]>();
  for (const { schema, name } of watched) schemas.set(schema, [...(schemas.get(schema) ?? []), name]);
  return Object.fromEntries(schemas);
}
