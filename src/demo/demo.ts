import { setTimeout as delay } from 'node:timers/promises';
import { join, relative, resolve } from 'node:path';
import { TablewrightError } from '../errors.js';
import { withLock } from '../output/lock.js';
import { checkCommands } from './check.js';
import { demoCommands, similarTo, type DemoCommand } from './commands.js';
import { prepareDatabase, removeDatabase } from './database.js';
import { requireFreePort } from './port.js';
import { buildProject } from './project.js';
import { startServer, type DemoServer } from './server.js';
import { demoToken } from './token.js';

export interface DemoOptions {
  /** Where the generated project and its database go. Default: `demo-server`. */
  readonly folder?: string | undefined;
  /** Default: 4000. */
  readonly port?: number | undefined;
  /** Begins with a new database. */
  readonly reset?: boolean | undefined;
  /** Runs the printed commands, compares what they answer, and ends. */
  readonly check?: boolean | undefined;
  /** Aborted when the user has had enough. */
  readonly signal: AbortSignal;
  /** Writes a line that is the command's result. */
  readonly print: (line: string) => void;
  /** Tells what is being done, before it is done. */
  readonly progress: (line: string) => void;
}

/**
 * From nothing but Node.js to a running server: makes a PGlite database with the demo's tables and rows, generates a
 * server from it, compiles and starts that, and prints where it is and what to try. What an earlier start left in
 * the folder is used again. Resolves when the signal is aborted and the server has finished its requests.
 *
 * Throws USAGE (port in use), DATABASE_UNREACHABLE (PGlite not installed), OUTPUT_* (the folder), INTERRUPTED (before
 * the server was ready), and INTERNAL when the project does not compile or start, or a checked command answers wrongly.
 */
export async function demo(options: DemoOptions): Promise<void> {
  const folder = resolve(options.folder ?? 'demo-server');
  const port = options.port ?? 4000;
  await requireFreePort(port);
  // The keys' folder stands for the demo: PGlite wants its own for itself, and can be open once only.
  await withLock(join(folder, 'keys'), async () => {
    const token = await demoToken(folder);
    const data = join(folder, 'data');
    if (options.reset === true) await removeDatabase(data);
    options.progress('Opening the database: PostgreSQL, inside this process');
    const { fresh, near } = await prepareDatabase(data, similarTo);
    options.progress(fresh ? 'Loaded the demo: a kanban board and a shop' : 'Found the rows of an earlier start');
    interruptible(options.signal);
    await buildProject(folder, options);
    interruptible(options.signal);
    options.progress('Starting the server');
    const server = await startServer(folder, port, { DATABASE_URL: 'pglite:data' }, options.signal);
    await serve(server, demoCommands({ base: server.base, token, near }), folder, options);
  });
}

async function serve(
  server: DemoServer,
  commands: readonly DemoCommand[],
  folder: string,
  options: DemoOptions,
): Promise<void> {
  try {
    for (const line of greeting(server.base, folder, commands)) options.print(line);
    if (options.check === true) await checkCommands(commands, options);
    else await Promise.race([aborted(options.signal), server.ended.then(failed)]);
  } finally {
    server.stop();
    await Promise.race([server.ended, delay(15_000, undefined, { ref: false }).then(server.kill)]);
  }
}

function greeting(base: string, folder: string, commands: readonly DemoCommand[]): readonly string[] {
  const shown = relative('.', folder);
  return [
    '',
    `GraphQL   ${base}/graphql   (in a browser: an editor)`,
    `REST      ${base}/api/v1    (its description, OpenAPI)`,
    `The code  ${shown === '' ? '.' : shown}/src/generated`,
    '',
    'Paste into another terminal:',
    ...commands.flatMap(({ title, line }) => ['', `# ${title}`, line]),
    '',
    'Ctrl-C ends the server. The database stays; --reset begins anew.',
  ];
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => {
      resolve();
    });
  });

function failed(code: number): never {
  throw new TablewrightError('INTERNAL', `The server ended by itself, with exit code ${code}.`, 'Its log is above.');
}

function interruptible(signal: AbortSignal): void {
  if (signal.aborted) throw new TablewrightError('INTERRUPTED', 'The demo was interrupted.', 'Start it again.');
}
