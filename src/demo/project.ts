import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { loadConfig } from '../config/load.js';
import { TablewrightError } from '../errors.js';
import { generate, type GenerateOptions } from '../generate.js';
import { stopWhenAborted } from '../interrupt.js';
import { diskFileSystem } from '../output/file-system.js';
import { assertProjectFolder } from '../output/guard.js';
import { hasPackages } from '../output/installed.js';
import type { PlannedFile } from '../output/plan.js';
import type { Reporter } from '../reporter.js';
import { transpile } from '../transpile.js';
import { demoFile } from './files.js';
import { run } from './run.js';

export interface BuildOptions {
  /** The database to generate from. */
  readonly url: string;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
  /** Whether the project serves the board. */
  readonly board: boolean;
}

const configName = 'tablewright.config.ts';

/**
 * The database of the demo's project is inside the server's process: its packages are the
 * project's.
 */
const databasePackages = { '@electric-sql/pglite': '0.5.14', '@electric-sql/pglite-pgvector': '0.0.15' };

/** The board's page loads its client from the project's packages. */
const boardPackages = { 'graphql-ws': '^6.4.2' };

/**
 * Makes the folder the demo's: with a configuration file in it, it is a project. Throws
 * OUTPUT_FOREIGN when it is something else.
 */
export async function prepareFolder(
  folder: string,
  { adopt = false, configuration = configName }: { readonly adopt?: boolean; readonly configuration?: string } = {},
): Promise<void> {
  if (!adopt) await assertProjectFolder(folder, diskFileSystem);
  await mkdir(folder, { recursive: true });
  const path = join(folder, configName);
  if (!existsSync(path)) await copyFile(demoFile(configuration), path);
}

/** Adds the live board and the route that serves it, to a folder without own code. */
export async function addBoard(folder: string): Promise<void> {
  const custom = join(folder, 'src/custom/index.ts');
  if (existsSync(custom)) return;
  await mkdir(join(folder, 'src/custom'), { recursive: true });
  await mkdir(join(folder, 'public'), { recursive: true });
  for (const name of ['board.html', 'board.css', 'board.js'])
    await copyFile(demoFile(name), join(folder, 'public', name));
  await copyFile(demoFile('custom.ts'), custom);
}

/**
 * Generates the project from its database, installs its packages where they are not there already
 * (in a checkout of tablewright they are), and compiles it.
 *
 * Throws what `generate` throws, OUTPUT_FAILED at a syntax error, and INTERNAL when npm or the
 * compiler fails.
 */
export async function buildProject(folder: string, { url, reporter, signal, board }: BuildOptions): Promise<void> {
  // The demo's own project: after an update of the generator nobody is asked to replace its files.
  await generateDemo(folder, url, { reporter, signal, force: true });
  if (board) await addPackages(join(folder, 'package.json'), boardPackages);
  stopWhenAborted(signal);
  if (!(await hasPackages(folder))) {
    await reporter.stage('Install the packages of the server', () =>
      succeed('npm', ['install', '--no-audit', '--no-fund'], folder, signal),
    );
  }
  stopWhenAborted(signal);
  await reporter.stage('Compile the server', async () => {
    // As `dev` does: a check of types would double the time of a start.
    if (await transpile(folder)) return;
    await succeed('npm', ['run', '--silent', 'build'], folder, signal);
  });
}

/**
 * Generates the project in `folder`, by its own configuration file, from the database at `url`.
 * Answers what changed.
 */
export async function generateDemo(
  folder: string,
  url: string,
  options: Pick<GenerateOptions, 'reporter' | 'signal' | 'dryRun' | 'force'>,
): Promise<readonly PlannedFile[]> {
  const { schemas, model, settings } = await loadConfig({ folder, environment: {}, flags: { out: folder } });
  const { plan } = await generate({ url, schemas, out: folder, model, settings, ...options });
  if (options.dryRun !== true && url.startsWith('pglite:'))
    await addPackages(join(folder, 'package.json'), databasePackages);
  return plan.files.filter((file) => file.action !== 'keep');
}

const manifestSchema = z.object({ dependencies: z.record(z.string(), z.string()) });

async function addPackages(path: string, packages: Readonly<Record<string, string>>): Promise<void> {
  const manifest: unknown = JSON.parse(await readFile(path, 'utf8'));
  const { dependencies } = manifestSchema.parse(manifest);
  if (Object.keys(packages).every((name) => name in dependencies)) return;
  const all = Object.entries({ ...dependencies, ...packages }).sort(([a], [b]) => (a < b ? -1 : 1));
  const changed = Object.assign({}, manifest, { dependencies: Object.fromEntries(all) });
  await writeFile(path, `${JSON.stringify(changed, undefined, 2)}\n`);
}

async function succeed(program: string, args: readonly string[], cwd: string, signal: AbortSignal): Promise<void> {
  const { code, stdout, stderr } = await run(program, args, { cwd, signal });
  stopWhenAborted(signal);
  if (code === 0) return;
  throw new TablewrightError(
    'INTERNAL',
    `${[program, ...args].join(' ')} failed in ${cwd}.`,
    `It said:\n${`${stdout}\n${stderr}`.trim().slice(-4000)}`,
  );
}
