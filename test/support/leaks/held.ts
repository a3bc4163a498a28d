import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Something of a suite outside its worker, such as a database, that the suite has to remove. */
export interface Held {
  /** For messages: `the database shop_1f2e`. */
  readonly what: string;
  /** A database on a MariaDB that outlives the run. */
  readonly mariadb?: { readonly server: string; readonly database: string };
}

/** The folder of a worker's notes, inside its folder of temporary files. */
const notes = 'held';

/**
 * Notes that a suite has to remove something. A note is a file, so that the run finds it when the
 * worker has been interrupted. Outside a run of Jest nothing is noted.
 * @returns the function that takes the note back
 */
export function hold(held: Held): () => void {
  const worker = process.env['TEST_WORKER'];
  if (worker === undefined) return () => undefined;
  const file = join(worker, notes, randomUUID());
  mkdirSync(join(worker, notes), { recursive: true });
  writeFileSync(file, JSON.stringify(held));
  return () => {
    rmSync(file, { force: true });
  };
}

/** What a worker holds. */
export function heldBy(worker: string): readonly Held[] {
  const folder = join(worker, notes);
  return namesIn(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Held);
}

/** The MariaDB of the machine outlives the run, so databases that are left there are dropped. */
export async function dropHeld(held: readonly Held[]): Promise<void> {
  for (const { mariadb } of held) {
    if (mariadb === undefined) continue;
    const { createConnection } = await import('mysql2/promise');
    const connection = await createConnection(mariadb.server);
    await connection.query(`drop database if exists \`${mariadb.database}\``);
    await connection.end();
  }
}

/** Takes all notes of a worker back. */
export const forgetHeld = (worker: string): void => {
  rmSync(join(worker, notes), { recursive: true, force: true });
};

/** The names of the entries of a folder; none when it does not exist. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Whether a program keeps a path among temporary files for later: jiti, Node, tsx, Jest. */
export const isCache = (path: string): boolean =>
  /^(?:jiti|node-jiti|node-compile-cache|v8-compile-cache-0|tsx-\d+|jest_\w+)$/.test(basename(path));
