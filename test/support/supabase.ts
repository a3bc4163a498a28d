import { copyFile, cp, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { clients } from './client-packages.js';
import { succeed } from './program.js';
import { scratchFolder } from './scratch-folder.js';

/** A program that uses supabase-js, compiled. */
export interface Program {
  /** Runs it against a server, and returns what it prints. */
  readonly run: (base: string, environment?: Readonly<Record<string, string>>) => Promise<unknown>;
  readonly remove: () => Promise<void>;
}

/** The program of test/clients/supabase, compiled. */
export interface SupabaseProgram {
  /** Makes the calls of a list in calls.ts, and returns the answer to each. */
  readonly call: (base: string, list: 'calls' | 'geoCalls') => Promise<Readonly<Record<string, unknown>>>;
  readonly remove: () => Promise<void>;
}

export async function compileSupabase(): Promise<SupabaseProgram> {
  const { run, remove } = await compileClient('supabase');
  return { call: async (base, CALLS) => (await run(base, { CALLS })) as Readonly<Record<string, unknown>>, remove };
}

/**
 * Compiles a folder of test/clients.
 * @param types a file of a generated project, which the program imports as database.types.js
 */
export async function compileClient(name: string, types?: string): Promise<Program> {
  const work = await scratchFolder('supabase');
  await symlink(join(clients, 'node_modules'), join(work, 'node_modules'));
  await copyFile(join(clients, 'package.json'), join(work, 'package.json'));
  const folder = join(work, name);
  await cp(join(clients, name), folder, { recursive: true });
  if (types !== undefined) await copyFile(types, join(folder, 'src/database.types.ts'));
  await succeed(join(clients, 'node_modules/.bin/tsc'), ['-p', folder]);
  return {
    run: async (base, environment = {}) => {
      const env = { NODE_OPTIONS: '', BASE: base, ...environment };
      return JSON.parse(await succeed(process.execPath, ['out/main.js'], { cwd: folder, env })) as unknown;
    },
    remove: () => rm(work, { recursive: true, force: true }),
  };
}
