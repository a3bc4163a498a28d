import pg from 'pg';
import { tableKey, type Commit, type FeedListener, type WatchedTable } from '../../change-feed.js';
import { connectionEnd, destroy as discard, watchSilence } from '../driver/connection-end.js';
import { untilVisible } from './barrier.js';
import { askClient, missingFrom, readSourceFacts } from './facts.js';
import { FeedObstacle, type FeedSession, type OpenSession } from '../../feed-session.js';
import { Pump, type UntilVisible } from '../../feed-pump.js';
import { PgoutputDecoder, type DecodedCommit } from './pgoutput.js';
import { logObstacle } from './obstacle.js';
import { publication } from './publication.js';
import { Replication } from './replication.js';

/** Opens sessions that read the write-ahead log: every committed change of every client. */
export function walSession(config: pg.ClientConfig, watched: readonly WatchedTable[]): OpenSession {
  const byKey = new Map(watched.map((table) => [tableKey(table), table]));
  return async (listener, signal) => {
    const barrier = new pg.Client(config);
    const lost = connectionEnd(barrier);
    signal.addEventListener('abort', () => {
      discard(barrier);
    });
    try {
      await barrier.connect();
      watchSilence(barrier, lost);
      await checkSource(barrier, watched, listener);
      const pump = new Pump(visibleIn(barrier), emptied, listener);
      const decoder = new PgoutputDecoder(byKey, listener.wantsFormer);
      const replication = await Replication.open(config, publication, signal, {
        message: (buffer, at) => {
          const commit = decoder.decode(buffer, at);
          if (commit !== undefined) pump.add(commit);
        },
      });
      const ended = Promise.race([replication.ended, lost, pump.failed]);
      return {
        ended,
        check: () =>
          checkSource(barrier, watched, listener).catch((error: unknown) => {
            // The next session reports the obstacle.
            discard(barrier, error instanceof Error ? error : undefined);
          }),
        close: () => {
          replication.close();
          discard(barrier);
        },
      } satisfies FeedSession;
    } catch (error) {
      discard(barrier);
      throw error;
    }
  };
}

async function checkSource(client: pg.Client, watched: readonly WatchedTable[], listener: FeedListener): Promise<void> {
  const { walLevel, publicationExists, published, secured } = await readSourceFacts(askClient(client), publication);
  const obstacle = logObstacle(walLevel);
  if (obstacle !== undefined) throw obstacle;
  if (!publicationExists)
    throw new FeedObstacle(
      `The database has no publication ${publication}.`,
      'Run the SQL that `npx tablewright changes --sql` prints, as the owner of the tables.',
    );
  listener.secured(secured);
  listener.unreported(missingFrom(watched, published));
}

/**
 * Resolves when new snapshots see the commits. The same query asks whether their tables have row
 * level security.
 */
const visibleIn =
  (client: pg.Client): UntilVisible<DecodedCommit> =>
  async (batch) => {
    const oids = new Set(batch.flatMap(({ tables }) => tables.map(({ oid }) => oid)));
    const secured = await untilVisible(
      client,
      batch.map(({ xid }) => xid),
      [...oids],
    );
    return batch.map((commit) => commitOf(commit, secured));
  };

const emptied = (commit: DecodedCommit): DecodedCommit => ({ ...commit, tables: [] });

const commitOf = ({ timestamp, tables }: DecodedCommit, secured: ReadonlySet<number>): Commit => ({
  timestamp,
  tables: tables.map(({ oid, schema, name, rows }) => ({ schema, name, rows, rowSecurity: secured.has(oid) })),
});
