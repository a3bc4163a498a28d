import pg from 'pg';
import { tableKey, type Commit, type FeedListener, type WatchedTable } from '../../change-feed.js';
import type { Session } from '../../keep-open.js';
import { connectionEnd } from '../driver/connection-end.js';
import { untilVisible } from './barrier.js';
import { askClient, missingFrom, readSourceFacts } from './facts.js';
import { FeedObstacle, type OpenSession } from './feed.js';
import { PgoutputDecoder, type DecodedCommit } from './pgoutput.js';
import { publication } from './publication.js';
import { Replication } from './replication.js';

/** Rows of commits that wait to become visible. Beyond it they are forgotten, and their loss is told. */
const MOST_WAITING = 200_000;

/** Sessions that read the write-ahead log: every committed change, by whatever client. */
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
      await checkSource(barrier, watched, listener);
      const pump = new Pump(barrier, listener);
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
        close: () => {
          replication.close();
          discard(barrier);
        },
      } satisfies Session;
    } catch (error) {
      discard(barrier);
      throw error;
    }
  };
}

/** Without waiting for a server that may not answer. */
function discard(client: pg.Client): void {
  const { connection } = client as unknown as { connection: { readonly stream: { destroy(): void } } };
  connection.stream.destroy();
}

async function checkSource(client: pg.Client, watched: readonly WatchedTable[], listener: FeedListener): Promise<void> {
  const { walLevel, publicationExists, published, secured } = await readSourceFacts(askClient(client), publication);
  if (walLevel !== 'logical')
    throw new FeedObstacle(
      `The database has wal_level=${walLevel}: its log has no changes to read.`,
      "Run `alter system set wal_level = 'logical'` and restart the database server, or set app.changes.source to notify.",
    );
  if (!publicationExists)
    throw new FeedObstacle(
      `The database has no publication ${publication}.`,
      'Run the SQL that `npx tablewright changes --sql` prints, as the owner of the tables.',
    );
  listener.secured(secured);
  listener.unreported(missingFrom(watched, published));
}

/** Passes commits on when new snapshots see them, in their order: one query for all that came while the last one ran. */
class Pump {
  /** Rejects when the query does. */
  readonly failed: Promise<never>;
  #waiting: DecodedCommit[] = [];
  #size = 0;
  #overflowed = false;
  #isRunning = false;
  #fail: (error: unknown) => void = () => undefined;

  constructor(
    private readonly client: pg.Client,
    private readonly listener: FeedListener,
  ) {
    this.failed = new Promise<never>((_, reject) => {
      this.#fail = reject;
    });
    this.failed.catch(() => undefined);
  }

  add(commit: DecodedCommit): void {
    this.#waiting.push(commit);
    this.#size += commit.size + 1;
    if (this.#size > MOST_WAITING) {
      // The last one is kept: when it is visible, a reader who was told of the loss sees them all.
      this.#waiting = [{ ...commit, tables: [] }];
      this.#size = 1;
      this.#overflowed = true;
    }
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#run().then(
      () => {
        this.#isRunning = false;
      },
      (error: unknown) => {
        this.#fail(error);
      },
    );
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const [batch, overflowed] = [this.#waiting, this.#overflowed];
      [this.#waiting, this.#size, this.#overflowed] = [[], 0, false];
      const oids = new Set(batch.flatMap(({ tables }) => tables.map(({ oid }) => oid)));
      const secured = await untilVisible(
        this.client,
        batch.map(({ xid }) => xid),
        [...oids],
      );
      if (overflowed) this.listener.gap('More changes came than could be kept.');
      this.listener.commits(batch.map((commit) => commitOf(commit, secured)));
    }
  }
}

const commitOf = ({ timestamp, tables }: DecodedCommit, secured: ReadonlySet<number>): Commit => ({
  timestamp,
  tables: tables.map(({ oid, schema, name, rows }) => ({ schema, name, rows, rowSecurity: secured.has(oid) })),
});
