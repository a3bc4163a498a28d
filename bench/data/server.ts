import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded, type EmbeddedServer } from '../../test/support/embedded.js';
import { loadSql } from '../../test/support/postgres.js';
import { progress } from '../harness/report.js';
import { benchSchema, type Sizes } from './schema.js';

/** A PostgreSQL of the benchmark's own, with its data in it. */
export interface DataServer extends EmbeddedServer {
  /** Of the process that all others of the server are children of. */
  readonly pid: number;
}

/** Whether a commit waits until it is on the disk. */
export type Durability = 'fast' | 'durable';

/**
 * Nothing that chance decides: no vacuum while something is timed (workloads that write start from
 * truncated tables), no JIT, which takes longer to compile than such queries take. All data are in memory, and the planner is told so: at the
 * cost that it expects of a rotating disk it does not take the indexes that are there.
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

/** `fast` shows what a server costs, `durable` what is left of that where commits wait for a disk: PostgreSQL's own defaults. */
const durabilities: Readonly<Record<Durability, readonly string[]>> = {
  fast: ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'],
  durable: ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on'],
};

/** Starts PostgreSQL 18 from npm with the data set. Data of an earlier run is used again as long as the schema's text is the same. */
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
    // What an earlier run left for the disk is not waited for by commits that are measured.
    if (durability === 'durable') await loadSql(server.url, 'checkpoint');
    return { ...server, pid: postmaster(data) ?? 0 };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** One that no other run is using now: runs at the same time have a folder each. */
function freeFolder(hash: string): string {
  for (let at = 1; ; at += 1) {
    const folder = join(tmpdir(), `tablewright-bench-${hash}-${at}`);
    const pid = postmaster(join(folder, 'data'));
    if (pid === undefined || !existsSync(`/proc/${pid}`)) return folder;
  }
}

/** PostgreSQL writes its process's id into the first line of postmaster.pid, and removes the file when it ends in peace. */
function postmaster(data: string): number | undefined {
  const file = join(data, 'postmaster.pid');
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : undefined;
}
