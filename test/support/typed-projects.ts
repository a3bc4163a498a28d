import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { tsc } from './program.js';
import { scratchFolder } from './scratch-folder.js';
import { repository } from './transpile.js';

/**
 * The types of all projects that the suites of a run generate. One program of TypeScript checks
 * them after the last suite (`global-teardown.js`): it reads the types of the runtime and of Node
 * once, and a suite need not wait for a compiler.
 */

const variable = 'TEST_TYPED_PROJECTS';

/** Makes the folder of a run. Workers inherit its name in the environment. */
export async function openTypedProjects(): Promise<void> {
  process.env[variable] = await scratchFolder('typed');
}

/**
 * Keeps a copy of a folder of TypeScript, whose types are to have no errors. A benchmark, which
 * Jest does not run, keeps none.
 * @param folder `src` of a project, or `src/generated`
 */
export async function recordTypes(folder: string): Promise<void> {
  const parent = process.env[variable];
  if (parent === undefined) return;
  const suite = relative(join(repository, 'test'), expect.getState().testPath ?? 'unknown');
  const copy = await mkdtemp(join(parent, `${suite.replaceAll('/', '+')}-`));
  await cp(folder, copy, {
    recursive: true,
    filter: (path) => path.endsWith('.ts') || !/\.\w+$/.test(path),
  });
}

/**
 * Checks the kept folders with the settings of the templates, and removes them.
 * @returns the errors, if there are any: the path of a file begins with the name of its suite
 */
export async function checkTypedProjects(): Promise<string | undefined> {
  const folder = process.env[variable];
  if (folder === undefined) return undefined;
  try {
    if ((await readdir(folder)).length === 0) return undefined;
    const configuration = {
      extends: join(repository, 'templates/project/tsconfig.json'),
      compilerOptions: { noEmit: true, incremental: false, tsBuildInfoFile: null, rootDir: repository },
      include: ['.'],
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(configuration));
    const { code, stdout, stderr } = await tsc('-p', folder);
    return code === 0 ? undefined : `${stdout}${stderr}`;
  } finally {
    await rm(folder, { recursive: true });
  }
}
