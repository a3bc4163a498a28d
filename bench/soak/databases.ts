import { rm } from 'node:fs/promises';
import pg from 'pg';
import { startCluster, type Cluster } from '../../test/support/cluster.js';
import { installedPostgres, postgresUser } from '../../test/support/postgres-programs.js';
import { succeed } from '../../test/support/program.js';
import { until } from '../../test/support/until.js';

/**
 * A primary and two standbys. A commit is answered when one standby has it as well, so that no
 * acknowledged write is lost when the primary is.
 */
export class Databases {
  private constructor(
    public primary: Cluster,
    public standbys: readonly [Cluster, Cluster],
  ) {}

  /** @param prepare fills the primary before the standbys are copied from it */
  static async start(prepare: (url: string) => Promise<void>): Promise<Databases> {
    const primary = await startCluster(['max_connections=200']);
    await prepare(primary.url);
    const standbys = [await primary.follow(), await primary.follow()] as const;
    await Promise.all([primary, ...standbys].map(answerInSync));
    await until(async () => (await run(primary.url, streaming)) === '2');
    return new Databases(primary, standbys);
  }

  get all(): readonly [Cluster, Cluster, Cluster] {
    return [this.primary, ...this.standbys];
  }

  async crashStandby(at: 0 | 1): Promise<void> {
    await this.standbys[at].crash();
  }

  async startStandby(at: 0 | 1): Promise<void> {
    await this.standbys[at].start();
  }

  /** Ends the primary like a crash, and promotes the standby that has received more. */
  async failOver(): Promise<void> {
    const old = this.primary;
    await old.crash();
    const [one, other] = this.standbys;
    const isFirst = (await received(one)) >= (await received(other));
    const [next, left] = isFirst ? [one, other] : [other, one];
    await next.promote();
    await follow(left, next);
    await until(async () => (await run(next.url, 'select pg_is_in_recovery()')) === 'f');
    [this.primary, this.standbys] = [next, [left, old]];
  }

  /** Makes the crashed primary a standby, with a new copy of the data and at its old address. */
  async rejoin(): Promise<void> {
    const [, old] = this.standbys;
    const binaries = installedPostgres();
    if (binaries === undefined) throw new Error('No PostgreSQL server is installed here.');
    await rm(old.data, { recursive: true });
    const args = ['-d', this.primary.url, '-D', old.data, '-R', '-c', 'fast', '--no-sync', '-X', 'stream'];
    await succeed(`${binaries}/pg_basebackup`, args, await postgresUser());
    await old.start();
    await until(async () => (await run(this.primary.url, streaming)) === '2');
    // Only then may the next primary fail: without these standbys its commits would wait.
    await until(async () => (await run(this.primary.url, inSync)) !== '0');
  }

  async remove(): Promise<void> {
    await Promise.all(this.all.map((each) => each.remove()));
  }
}

/** As a primary, a server answers a commit when one standby has it. */
async function answerInSync({ url }: Cluster): Promise<void> {
  await run(url, `alter system set synchronous_standby_names = 'ANY 1 (*)'`);
  await run(url, 'select pg_reload_conf()');
}

const streaming = `select count(*) from pg_stat_replication where state = 'streaming'`;

const inSync = `select count(*) from pg_stat_replication where sync_state = 'quorum'`;

/** The bytes that a standby has received of the log. */
const received = async ({ url }: Cluster): Promise<bigint> =>
  BigInt(await run(url, `select pg_wal_lsn_diff(pg_last_wal_receive_lsn(), '0/0')`));

async function follow(standby: Cluster, primary: Cluster): Promise<void> {
  const { port } = new URL(primary.url);
  await run(standby.url, `alter system set primary_conninfo = 'host=127.0.0.1 port=${port} user=postgres'`);
  await run(standby.url, 'select pg_reload_conf()');
}

/** The first value of the first row, as text. */
export async function run(url: string, text: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' });
    return String(rows[0]?.[0])
      .replace(/^true$/, 't')
      .replace(/^false$/, 'f');
  } finally {
    await client.end();
  }
}
