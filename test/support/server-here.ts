import { cp, readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createServer, type CustomServer, type GeneratedServer } from '../../runtime/src/index.js';
import { createLogger } from '../../runtime/src/observe/logger.js';
import type { Observer } from '../../runtime/src/observe/observation.js';
import { describeStartFailure } from '../../runtime/src/server/start-failure.js';
import { addEnvFiles } from '../../runtime/src/settings/env-files.js';
import { loadSettings } from '../../runtime/src/settings/load-settings.js';
import { patientEnvironment } from './patience.js';
import { untilReady, type RunningServer } from './running-server.js';
import { startHostedServer } from './server-host.js';
import { scratchFolder } from './scratch-folder.js';

/**
 * Starts a generated server in this process: does what `dist/main.js` in the folder does, with the
 * sources of the runtime. Clients reach it over HTTP as they reach a server of its own.
 *
 * The project is imported from a copy of the folder: each server has modules of its own. The
 * variables are those of this process and the given ones; this process keeps its own. Custom code
 * that uses its process, and variables that only a process can have, make it a process.
 */
export async function startServerHere(
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<RunningServer> {
  const ofProcess = Object.keys(environment).some((name) => isOfProcess.test(name));
  if (ofProcess || (await usesProcess(join(folder, 'dist/custom'))))
    return startHostedServer(folder, { ...patientEnvironment, ...environment });
  const copy = await scratchFolder('here');
  const remove = (): Promise<void> => rm(copy, { recursive: true, force: true });
  await cp(folder, copy, { recursive: true });
  try {
    const server = await withoutClasses(() => start(copy, environment));
    return { ...server, stop: () => server.stop().finally(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Variables of a process: several workers, options of Node, the parent of `tablewright dev`. */
const isOfProcess = /^(?:APP_SERVER_WORKERS$|NODE_(?!ENV$)|TABLEWRIGHT_)/;

/**
 * Whether code reads the environment, or writes to the console, which `log` is to have. TypeGraphQL
 * keeps the classes of a process, those of all suites.
 */
async function usesProcess(folder: string): Promise<boolean> {
  const paths = await readdir(folder, { recursive: true });
  const texts = await Promise.all(
    paths.filter((path) => path.endsWith('.js')).map((path) => readFile(join(folder, path), 'utf8')),
  );
  return texts.some((text) => /\b(?:console|process)\.|['"]type-graphql['"]/.test(text));
}

async function start(folder: string, environment: Readonly<Record<string, string>>): Promise<RunningServer> {
  const variables = { ...process.env, ...patientEnvironment, ...environment, PORT: '0', HOST: '127.0.0.1' };
  addEnvFiles(folder, variables);
  const load = (path: string): Promise<unknown> => import(pathToFileURL(join(folder, 'dist', path)).href);
  const { custom } = (await load('custom/index.js')) as { readonly custom: CustomServer };
  const { generated } = (await load('generated/index.js')) as { readonly generated: GeneratedServer };
  let log = '';
  let isCut = false;
  let failure: unknown;
  let logger: Observer | undefined;
  const observe: Observer = (observation) => {
    logger ??= createLogger(loadSettings(generated.settings, variables), { write: (line) => void (log += line) });
    logger(observation);
    if (observation.kind === 'shutdown') isCut ||= observation.phase === 'forced';
    if (observation.kind === 'failure') failure ??= observation.error;
  };
  const server = createServer({ generated, custom, environment: variables, observe });
  const stop = async (): Promise<number> => {
    await server.close();
    return isCut ? 1 : 0;
  };
  try {
    const { address: base = '' } = await server.listen({ ownsProcess: false });
    await untilReady(
      base,
      () => failure !== undefined,
      () => log,
    );
    return { base, log: () => log, stop };
  } catch (error) {
    await server.close();
    throw new Error(`The server did not start:\n${log}${describeStartFailure(failure ?? error)}`, { cause: error });
  }
}

/** Runs a function while the classes of TypeGraphQL that other suites have loaded are hidden. */
async function withoutClasses<T>(run: () => Promise<T>): Promise<T> {
  const hidden: unknown = Reflect.get(globalThis, storeOfClasses);
  Reflect.deleteProperty(globalThis, storeOfClasses);
  try {
    return await run();
  } finally {
    if (hidden === undefined) Reflect.deleteProperty(globalThis, storeOfClasses);
    else Reflect.set(globalThis, storeOfClasses, hidden);
  }
}

const storeOfClasses = 'TypeGraphQLMetadataStorage';
