import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { dropHeld, heldBy, isCache, namesIn, type Held } from './held.js';
import { memory, roomyMemory } from './memory.js';
import { endProcesses, isOf, isRunning, running, type Running } from './processes.js';

/** The folders of a run: everything that it starts has one of them in its environment. */
export interface Run {
  /**
   * Ends all processes of the run and removes its folders.
   * @returns what suites have left behind, a line for each thing
   */
  readonly end: () => readonly string[];
  /** Whether a signal ends this process at the moment. */
  readonly isInterrupted: () => boolean;
}

const repository = join(import.meta.dirname, '../../..');
const beginning = 'tablewright-run-';

/** Where any user may enter: servers of databases run as other users. */
const diskFolder = (): string => (process.getuid?.() === 0 && !isOpen(tmpdir()) ? '/tmp' : tmpdir());
/** `run/main.js` sets TEST_IN_MEMORY for `npm test`. A TMPDIR of the user is used in any case. */
const isInMemory = (): boolean => process.env['TEST_IN_MEMORY'] === 'true' && process.env['TMPDIR'] === undefined;
const parentFolder = (): string => (isInMemory() ? roomyMemory() : undefined) ?? diskFolder();
const isOpen = (folder: string): boolean =>
  (statSync(folder).mode & 1) === 1 && (folder === dirname(folder) || isOpen(dirname(folder)));

/**
 * Makes the folders of a run and names them in the environment, for all workers. The end of this
 * process, also by Ctrl-C, ends the run. Runs that were killed are ended first.
 */
export async function beginRun(): Promise<Run> {
  await endKilledRuns();
  const folder = mkdtempSync(join(parentFolder(), `${beginning}${String(process.pid)}-`));
  chmodSync(folder, 0o755);
  const [scratch, temporary] = [scratchOf(folder), join(folder, 'run/tmp')];
  for (const each of [scratch, temporary]) mkdirSync(each, { recursive: true });
  chmodSync(temporary, 0o1777);
  Object.assign(process.env, { TEST_RUN: folder, TEST_SCRATCH: scratch, TMPDIR: temporary });
  let left: readonly string[] | undefined;
  let isInterrupted = false;
  const end = (): readonly string[] => (left ??= endRun(folder));
  process.once('exit', end);
  for (const [signal, number] of Object.entries({ SIGINT: 2, SIGTERM: 15, SIGHUP: 1 }))
    process.once(signal, () => {
      isInterrupted = true;
      endProcesses(processesOf(folder));
      void dropHeld(heldIn(folder)).finally(() => process.exit(128 + number));
    });
  return { end, isInterrupted: () => isInterrupted };
}

async function endKilledRuns(): Promise<void> {
  const folders = [diskFolder(), memory].flatMap((parent) => namesIn(parent).map((name) => join(parent, name)));
  for (const folder of folders) {
    const [, pid] = /^tablewright-run-(\d+)-/.exec(basename(folder)) ?? [];
    if (pid === undefined || isRunning(Number(pid))) continue;
    await dropHeld(heldIn(folder)).catch(() => undefined);
    endRun(folder, 0);
  }
}

const scratchOf = (folder: string): string => join(repository, '.tmp', `run-${folder.slice(-6)}`);
const workersOf = (folder: string): readonly string[] => namesIn(folder).map((name) => join(folder, name));
const heldIn = (folder: string): readonly Held[] => workersOf(folder).flatMap((worker) => heldBy(worker));

/**
 * All processes of a run except this one.
 * @param since the start of the oldest process that may be one; default: the start of this process
 */
const processesOf = (folder: string, since?: number): readonly Running[] => {
  const isOfRun = isOf(folder);
  return running(since).filter((each) => each.pid !== process.pid && isOfRun(each));
};

/** Ended processes may need a moment: at most 10 s. */
const [TURNS, PAUSE] = [200, 50];

function endRun(folder: string, since?: number): readonly string[] {
  const left = [
    ...heldIn(folder).map(({ what }) => what),
    ...workersOf(folder).flatMap((worker) => namesIn(join(worker, 'tmp')).map((name) => join(worker, 'tmp', name))),
  ];
  for (let turn = 0; turn < TURNS && processesOf(folder, since).length > 0; turn += 1) {
    endProcesses(processesOf(folder, since));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
  }
  for (const each of [folder, scratchOf(folder)]) rmSync(each, { recursive: true, force: true, maxRetries: 5 });
  return left.filter((line) => !isCache(line));
}
