import { join } from 'node:path';
import type { Reporter } from '../reporter.js';
import { demoCommands, similarTo, type CommandInputs, type DemoCommand } from './commands.js';
import { prepareDatabase, removeDatabase } from './database.js';
import { postgresTasks, type GuideTask } from './guide.js';

/** The address and the properties of the demo's database. */
export interface DemoSource {
  /** The address to generate from. */
  readonly url: string;
  /** `DATABASE_URL` of the server, which runs in the project's folder. */
  readonly serverUrl: string;
  /** The configuration that the project begins with, below `demo/`. */
  readonly configuration: string;
  /** Whether changes are reported, so that there is a live board. */
  readonly board: boolean;
  /** Removes the database of an earlier start, and nothing that is not the demo's. */
  reset(): Promise<void>;
  /** Loads the demo where it is not there yet. */
  prepare(reporter: Reporter): Promise<PreparedDemo>;
}

export interface PreparedDemo {
  /** False when the rows of an earlier start are still there. */
  readonly fresh: boolean;
  /** The commands to print, in their order. */
  commands(inputs: CommandInputs): readonly DemoCommand[];
  /** What the console offers to try, in its order. */
  readonly tasks: readonly GuideTask[];
}

/** PGlite, in the folder `data` of the project. */
export function pgliteSource(folder: string): DemoSource {
  const data = join(folder, 'data');
  return {
    url: `pglite:${data}`,
    serverUrl: 'pglite:data',
    configuration: 'tablewright.config.ts',
    board: true,
    reset: () => removeDatabase(data),
    prepare: async (reporter) => {
      const { fresh, near } = await prepareDatabase(data, similarTo, reporter);
      return { fresh, commands: (inputs) => demoCommands({ ...inputs, near }), tasks: postgresTasks(near) };
    },
  };
}
