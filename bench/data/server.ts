import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded, type EmbeddedServer } from '../../test/support/embedded.js';
import { loadSql } from '../../test/support/postgres.js';
import { progress } from '../harness/report.js';
import { benchSchema, type Sizes } from './schema.js';

/** A PostgreSQL that belongs to the benchmark and holds its data. */
export interface DataServer extends EmbeddedServer {
  /** The postmaster's process id. All other processes of the server are its children. */
  readonly pid: number;
}

/** Whether a commit waits until its data is on the disk. */
export type Durability = 'fast' | 'durable';

/**
 * These settings remove randomness: no vacuum during a measurement (workloads that write start from
 * truncated tables), and no JIT, whose compilation takes longer than such queries run. The planner
 * knows that all data is in memory: with the costs of a rotating disk it ignores the existing
 * indexes.
 */
const settings = [
  'autovacuum=off',
  'jit=off',
  'random_page_cost=1.1',
  'shared_buffers=512MB',
  'max_connections=300',
  'max_wal_size=8GB',
  'checkpoint_timeout=1h',
];

/**
 * `fast` isolates the cost of the server. `durable` has PostgreSQL's own defaults, where commits
 * wait for the disk.
 */
const durabilities: Readonly<Record<Durability, readonly string[]>> = {
  fast: ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'],
  durable: ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on'],
};

/**
 * Starts PostgreSQL 18 from npm with the data set. An earlier run's data is reused as long as the
 * text of the schema is the same.
 */
export async function startDataServer(sizes: Sizes, durability: Durability = 'fast'): Promise<DataServer> {
  const batches = benchSchema(sizes);
  const folder = freeFolder(createHash('sha256').update(batches.join(';')).digest('hex').slice(0, 12));
  const complete = join(folder, 'complete');
  const data = join(folder, 'data');
  if (!existsSync(complete)) rmSync(data, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const server = await startEmbedded({ folder: data, settings: [...settings, ...durabilities[durability]] });
  try {
    if (!existsSync(complete)) {
      progress(`Creating the data in ${folder}, for this run and later ones`);
      for (const sql of batches) await loadSql(server.url, sql);
      await loadSql(server.url, 'checkpoint');
      writeFileSync(complete, '');
    }
    // The checkpoint writes the earlier run's data to the disk, so that measured commits do not
    // wait for it.
    if (durability === 'durable') await loadSql(server.url, 'checkpoint');
    return { ...server, pid: postmaster(data) ?? 0 };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** A folder that no other run is using: concurrent runs have a folder each. */
function freeFolder(hash: string): string {
  for (let at = 1; ; at += 1) {
    const folder = join(tmpdir(), `tablewright-bench-${hash}-${at}`);
    const pid = postmaster(join(folder, 'data'));
    if (pid === undefined || !existsSync(`/proc/${pid}`)) return folder;
  }
}

/**
 * PostgreSQL writes its process id into the first line of postmaster.pid, and removes the file on a
 * clean shutdown.
 */
function postmaster(data: string): number | undefined {
  const file = join(data, 'postmaster.pid');
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : undefined;
}
