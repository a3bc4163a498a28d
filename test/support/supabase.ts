import { copyFile, cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { clients } from './client-packages.js';
import { succeed } from './program.js';
import { repository } from './transpile.js';

/** The program of test/clients/supabase, compiled. */
export interface SupabaseProgram {
  /** Makes the calls of a list in calls.ts, and returns the answer to each. */
  readonly call: (base: string, list: 'calls' | 'geoCalls') => Promise<Readonly<Record<string, unknown>>>;
  readonly remove: () => Promise<void>;
}

export async function compileSupabase(): Promise<SupabaseProgram> {
  await mkdir(join(repository, '.tmp'), { recursive: true });
  const work = await mkdtemp(join(repository, '.tmp', 'supabase-'));
  await symlink(join(clients, 'node_modules'), join(work, 'node_modules'));
  await copyFile(join(clients, 'package.json'), join(work, 'package.json'));
  await cp(join(clients, 'supabase'), join(work, 'supabase'), { recursive: true });
  const folder = join(work, 'supabase');
  await succeed(join(clients, 'node_modules/.bin/tsc'), ['-p', folder]);
  return {
    call: async (base, list) => {
      const env = { NODE_OPTIONS: '', BASE: base, CALLS: list };
      const printed = await succeed(process.execPath, ['out/main.js'], { cwd: folder, env });
      return JSON.parse(printed) as Readonly<Record<string, unknown>>;
    },
    remove: () => rm(work, { recursive: true, force: true }),
  };
}
