import { randomInt } from 'node:crypto';
import type ZongJi from '@vlasky/zongji';
import type { AnyBinlogEvent } from '@vlasky/zongji';
import type { WatchedTable } from '../../change-feed.js';
import { decodedEvents } from './decoder.js';

/** The binary log from its end on, as a replica reads it. */
export class LogReader {
  /** Resolves at the first event: every commit from now on is reported. */
  readonly begun: Promise<void>;
  /** Rejects when the log cannot be read any further. */
  readonly failed: Promise<never>;

  /** @param receive is given each event, and the name of the file that it is in */
  constructor(
    private readonly reader: ZongJi,
    watched: readonly WatchedTable[],
    receive: (event: AnyBinlogEvent, file: string) => void,
  ) {
    let begin: () => void = () => undefined;
    this.begun = new Promise((resolve) => (begin = resolve));
    this.failed = new Promise<never>((_, reject) => {
      reader.on('error', reject);
      reader.on('binlog', (event) => {
        begin();
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
  }

  close(): void {
    this.reader.stop();
  }
}

/** The database ends the connection of another replica that has the same number. */
const replicaId = (): number => randomInt(2 ** 16, 2 ** 31);

function tablesBySchema(watched: readonly WatchedTable[]): Record<string, string[]> {
  const schemas = new Map<string, string[]>();
  for (const { schema, name } of watched) schemas.set(schema, [...(schemas.get(schema) ?? []), name]);
  return Object.fromEntries(schemas);
}
