import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Writes the address of each module that Node loads: ESM by a hook, CommonJS by its cache. */
const recorder = (log: string, hooks: string): string => `
import { appendFileSync } from 'node:fs';
import { createRequire, register } from 'node:module';
register(${JSON.stringify(pathToFileURL(hooks).href)});
const { cache } = createRequire(import.meta.url);
process.on('exit', () => appendFileSync(${JSON.stringify(log)}, Object.keys(cache).map((path) => path + '\\n').join('')));
`;

const hook = (log: string): string => `
import { appendFileSync } from 'node:fs';
export async function load(url, context, next) {
  appendFileSync(${JSON.stringify(log)}, url + '\\n');
  return next(url, context);
}
`;

export interface LoadedModules {
  /** The option of Node that records. */
  readonly option: string;
  /** Packages, without what packages of others load in turn, when the process has ended. */
  readonly packages: () => Promise<ReadonlySet<string>>;
  /** Modules of `@tablewright/runtime`, by their paths in `dist/`, without the extension. */
  readonly runtime: () => Promise<readonly string[]>;
}

/** Records the modules of a process of Node in a folder. */
export async function recordModules(folder: string): Promise<LoadedModules> {
  const [log, hooks, start] = ['modules.txt', 'hooks.mjs', 'record.mjs'].map((name) => join(folder, name));
  if (log === undefined || hooks === undefined || start === undefined) throw new Error('Three names are given.');
  await writeFile(log, '');
  await writeFile(hooks, hook(log));
  await writeFile(start, recorder(log, hooks));
  const paths = async (): Promise<readonly string[]> => (await readFile(log, 'utf8')).split('\n');
  return {
    option: `--import=${start}`,
    packages: async () =>
      new Set((await paths()).flatMap((path) => /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [])),
    runtime: async () =>
      (await paths()).flatMap((path) => /@tablewright\/runtime\/dist\/(.*)\.js$/.exec(path)?.[1] ?? []).sort(),
  };
}
