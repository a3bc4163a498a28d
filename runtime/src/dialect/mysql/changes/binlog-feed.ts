import type { Connection, ConnectionOptions } from 'mysql2/promise';
import type { WatchedTable } from '../../change-feed.js';
import type { OpenSession } from '../../feed-session.js';
import { Pump, type UntilVisible } from '../../feed-pump.js';
import { untilVisible } from './barrier.js';
import { destroy } from '../driver/socket.js';
import { openConnection } from './connection.js';
import { BinlogDecoder, type DecodedCommit } from './decoder.js';
import { readSourceFacts } from './facts.js';
import { loadReader } from './load.js';
import { LogReader } from './log-reader.js';

/** Opens sessions that read the binary log: every committed change of every client. */
export function binlogSession(options: ConnectionOptions, watched: readonly WatchedTable[]): OpenSession {
  return async (listener, signal) => {
    const Reader = await loadReader();
    const { connection, lost } = await openConnection(options);
    const discard = (): void => {
      destroy(connection);
    };
    signal.addEventListener('abort', discard);
    try {
      const { types, unreported } = await readSourceFacts(connection, watched);
      // No table has policies: views filter rows, and subscriptions to views do not exist.
      listener.secured(new Set());
      listener.unreported(unreported);
      const decoder = new BinlogDecoder(watched, types);
      const pump = new Pump(visibleIn(connection), emptied, listener);
      const log = new LogReader(new Reader(options), watched, (event, file) => {
        const commit = decoder.decode(event, file);
        if (commit !== undefined) pump.add(commit);
      });
      const close = (): void => {
        signal.removeEventListener('abort', discard);
        log.close();
        discard();
      };
      // Subscribers read again when the session begins: they have to see what the log has already.
      const begun = log.begun.then((start) => untilVisible(connection, start));
      begun.catch(() => undefined);
      try {
        await Promise.race([begun, log.failed, lost]);
      } catch (error) {
        close();
        throw error;
      }
      const check = async (): Promise<void> => {
        listener.unreported((await readSourceFacts(connection, watched)).unreported);
      };
      return { ended: Promise.race([log.failed, lost, pump.failed]), check, close };
    } catch (error) {
      discard();
      throw error;
    }
  };
}

const visibleIn =
  (connection: Connection): UntilVisible<DecodedCommit> =>
  async (batch) => {
    const last = batch.at(-1);
    if (last !== undefined) await untilVisible(connection, last.end);
    return batch.map(({ timestamp, tables }) => ({ timestamp, tables }));
  };

const emptied = (commit: DecodedCommit): DecodedCommit => ({ ...commit, tables: [] });
