import type { createRateStore } from '../rates/index.js';
import type { Extension, LoadExtensions } from '../../server/extension.js';
import type { Settings } from '../../settings/settings.js';

/** What a process that serves an address with others has instead of its own. */
export interface WorkerExtension extends Extension {
  /** Counts with the other processes. Default: alone. */
  readonly openRateStore?: typeof createRateStore;
}

/** Loads the extensions of a process that serves an address with others. */
export type LoadWith = (own: WorkerExtension) => LoadExtensions;

/** What the parent process says to a worker as it starts it. */
export interface WorkerTask {
  /** From 1. A worker that replaces another one has its number. */
  readonly worker: number;
  readonly workers: number;
  /** Whether it looks for changes of the database first: the other workers may follow one. */
  readonly looks: boolean;
}

/** The variable of a worker's environment that holds its task, as JSON. */
export const taskVariable = 'TABLEWRIGHT_WORKER';

/** The task of this process, if it is a worker. */
export const workerTask = takeTask();

/** Processes that the user's code starts are no workers: they do not inherit the variable. */
function takeTask(): WorkerTask | undefined {
  const text = process.env[taskVariable];
  // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- an environment is a dictionary
  delete process.env[taskVariable];
  if (text === undefined) return undefined;
  // The parent has ended: this process must not take its place.
  if (!process.connected) process.exit(1);
  return JSON.parse(text) as WorkerTask;
}

/**
 * The share of one of several processes of the connections to databases.
 */
export const shareOf = (given: Settings, workers: number): Partial<Settings> =>
  Object.fromEntries(
    (['app.datasource.pool-size', 'app.datasource.tenant-connections'] as const).map((name) => [
      name,
      Math.max(1, Math.floor(given[name] / workers)),
    ]),
  );
