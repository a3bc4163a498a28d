import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dropHeld, forgetHeld, heldBy, isCache, namesIn } from './held.js';
import { running, endProcesses, isOf, listeningPorts, type Running } from './processes.js';

/** What a suite leaves behind makes it fail: processes, listeners, temporary folders, databases. */

/**
 * The folders of this worker, which no other process uses: for temporary files, and for those that
 * have to be in the repository. Without a run there are none.
 */
interface Folders {
  readonly worker: string;
  readonly temporary: string;
  readonly scratch: string;
}

let folders: Folders | undefined;

/** Gives this worker folders of its own, and names them in the environment. */
export function openWorker(): void {
  const { TEST_RUN: run, TEST_SCRATCH: scratch } = process.env;
  if (run === undefined || scratch === undefined) return;
  folders ??= makeFolders(run, scratch);
  Object.assign(process.env, {
    TEST_WORKER: folders.worker,
    TEST_SCRATCH: folders.scratch,
    TMPDIR: folders.temporary,
  });
}

function makeFolders(run: string, scratches: string): Folders {
  const name = `w${String(process.pid)}`;
  const worker = join(run, name);
  const made = { worker, temporary: join(worker, 'tmp'), scratch: join(scratches, name) };
  for (const folder of [made.temporary, made.scratch]) mkdirSync(folder, { recursive: true });
  // Servers of databases run as other users.
  chmodSync(made.temporary, 0o1777);
  return made;
}

/** What there is before a suite, which is not the suite's. */
export interface Before {
  readonly processes: ReadonlySet<number>;
  readonly ports: ReadonlySet<number>;
  readonly files: ReadonlySet<string>;
}

export const beforeSuite = (): Before => ({
  processes: new Set(ours().map(({ pid }) => pid)),
  ports: new Set(listeningPorts()),
  files: new Set(filesOf()),
});

/** Milliseconds for servers that a suite has stopped without waiting for their end. */
const PATIENCE = 15_000;

/**
 * What a suite has left behind, a line for each thing. Processes are ended and folders removed, so
 * that the next suite begins without them.
 */
export async function leftBehind(before: Before, patience = PATIENCE): Promise<readonly string[]> {
  if (folders === undefined) return [];
  const end = Date.now() + patience;
  for (;;) {
    const left = look(before, folders);
    if (left.lines.length === 0) return [];
    if (Date.now() > end) {
      endProcesses(left.processes);
      for (const file of left.files) rmSync(file, { recursive: true, force: true });
      await dropHeld(heldBy(folders.worker));
      forgetHeld(folders.worker);
      return left.lines;
    }
    await sleep(20);
  }
}

interface Left {
  readonly lines: readonly string[];
  readonly processes: readonly Running[];
  readonly files: readonly string[];
}

function look(before: Before, { worker }: Folders): Left {
  const processes = ours().filter(({ pid, environment }) => !before.processes.has(pid) && !isKept(environment));
  const ports = listeningPorts().filter((port) => !before.ports.has(port));
  const files = filesOf().filter((file) => !before.files.has(file));
  const lines = [
    ...processes.map(({ pid, command }) => `the process ${String(pid)}: ${command.slice(0, 200)}`),
    ...ports.map((port) => `a listener at port ${String(port)}`),
    ...files,
    ...heldBy(worker).map(({ what }) => what),
  ];
  return { lines, processes, files };
}

/** The processes that this worker has started, directly or not. */
function ours(): readonly Running[] {
  if (folders === undefined) return [];
  const isMarked = isOf(folders.worker);
  return running().filter((each) => each.pid !== process.pid && (each.parent === process.pid || isMarked(each)));
}

/** Processes for several suites: see server-host.ts. */
const isKept = (environment: string): boolean => /(?:^|\0)TEST_KEPT=/.test(environment);

function filesOf(): readonly string[] {
  if (folders === undefined) return [];
  return [folders.temporary, folders.scratch].flatMap((folder) =>
    namesIn(folder)
      .map((name) => join(folder, name))
      .filter((file) => !isCache(file)),
  );
}
