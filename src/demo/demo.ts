import { setTimeout as delay } from 'node:timers/promises';
import { join, relative, resolve } from 'node:path';
import { TablewrightError } from '../errors.js';
import { leaving, stopWhenAborted } from '../interrupt.js';
import { withLock } from '../output/lock.js';
import type { Reporter } from '../reporter.js';
import { checkCommands } from './check.js';
import type { CommandInputs, DemoCommand } from './commands.js';
import { guidePath, writeGuide } from './guide.js';
import { mysqlSource } from './mysql.js';
import { openInBrowser } from './open.js';
import { requireFreePort } from './port.js';
import { addBoard, buildProject, prepareFolder } from './project.js';
import { startServer, type DemoServer } from './server.js';
import { pgliteSource, type DemoSource, type PreparedDemo } from './source.js';
import { demoToken, privateKeyPath } from './token.js';

export interface DemoOptions {
  /** A MariaDB database to load the demo into. Default: a PGlite database in the folder. */
  readonly url?: string | undefined;
  /**
   * Where the generated project and its database go. Default: `demo-server`, or `demo-server-mysql`
   * with an address.
   */
  readonly folder?: string | undefined;
  /** Default: 4000. */
  readonly port?: number | undefined;
  /** Begins with a new database. */
  readonly reset?: boolean | undefined;
  /** Runs the printed commands, compares their answers, and ends. */
  readonly check?: boolean | undefined;
  /**
   * Whether to open the console in a browser, asked when the server is ready. A rejection with
   * INTERRUPTED ends the demo, as Ctrl-C does. The signal is aborted when the server has ended.
   */
  readonly open?: ((signal: AbortSignal) => Promise<boolean>) | undefined;
  /** Prints one JSON document instead of lines for people. */
  readonly json?: boolean | undefined;
  /** Aborted when the user has had enough. */
  readonly signal: AbortSignal;
  /** Called at the start of each stage. */
  readonly reporter: Reporter;
  /** Writes a line of the command's result. */
  readonly print: (line: string) => void;
}

/**
 * From nothing but Node.js to a running server: makes a PGlite database with the demo's tables and
 * rows, or loads them into the MariaDB database of an address, generates a server from it, compiles
 * and starts that, and prints where it is and what to try. What an earlier start left in the folder
 * is used again. Resolves when the signal is aborted and the server has finished its requests.
 *
 * Throws USAGE (port in use, another address), DATABASE_* (PGlite not installed, MariaDB), CONFIG_*
 * and OUTPUT_* (the folder, the database), INTERRUPTED (before the server was ready), and INTERNAL
 * when the project does not compile or start, or a checked command answers wrongly.
 */
export async function demo(options: DemoOptions): Promise<void> {
  const { signal, reporter } = options;
  const folder = resolve(options.folder ?? (options.url === undefined ? 'demo-server' : 'demo-server-mysql'));
  const source = options.url === undefined ? pgliteSource(folder) : mysqlSource(options.url, folder);
  const port = options.port ?? 4000;
  await requireFreePort(port);
  await prepareFolder(folder, source);
  if (source.board) await addBoard(folder);
  // The keys' folder stands for the whole demo: the database can be open once only, and PGlite
  // wants its folder for itself.
  await withLock(join(folder, 'keys'), async () => {
    const token = await demoToken(folder);
    if (options.reset === true) await source.reset();
    const prepare = async (): Promise<{ server: DemoServer; prepared: PreparedDemo }> => {
      const prepared = await source.prepare(reporter);
      stopWhenAborted(signal);
      await buildProject(folder, { url: source.url, signal, reporter, board: source.board });
      stopWhenAborted(signal);
      await writeGuide(folder, prepared.tasks, { token, board: source.board });
      const environment = {
        DATABASE_URL: source.serverUrl,
        APP_LOG_LEVEL: 'error',
        APP_CONSOLE_GUIDE: guidePath,
        APP_CONSOLE_KEY_FILE: privateKeyPath,
        // The console shows plans, and requests as code for supabase-js.
        APP_REST_POSTGREST: '/rest/v1',
        APP_REST_PLAN_ENABLED: 'true',
      };
      const server = await reporter.stage('Start the server', () => startServer(folder, port, environment, signal));
      return { server, prepared };
    };
    const { server, prepared } = await leaving(
      `${folder} keeps its files; the next start continues from there.`,
      prepare,
    );
    await serve(server, { base: server.base, folder, token, source, prepared }, options);
  });
}

/** The texts that a demo prints. */
interface Started extends CommandInputs {
  readonly folder: string;
  readonly source: DemoSource;
  readonly prepared: PreparedDemo;
}

async function serve(server: DemoServer, started: Started, options: DemoOptions): Promise<void> {
  const commands = started.prepared.commands(started);
  const over = new AbortController();
  try {
    if (options.json === true) options.print(document(started, commands));
    else for (const line of greeting(started, commands)) options.print(line);
    if (options.check === true)
      await checkCommands(commands, {
        signal: options.signal,
        print: options.json === true ? () => undefined : options.print,
      });
    else
      await Promise.race([aborted(options.signal), server.ended.then(failed), opened(started, options, over.signal)]);
  } finally {
    over.abort();
    server.stop();
    await Promise.race([server.ended, delay(15_000, undefined, { ref: false }).then(server.kill)]);
  }
}

/** Opens the console where the user wants it. Resolves only when the question was interrupted. */
async function opened({ base }: Started, { open, print, json }: DemoOptions, signal: AbortSignal): Promise<void> {
  if (open === undefined) return never;
  try {
    if (await open(signal)) {
      openInBrowser(`${base}/`);
      if (json !== true) print(`Opened ${base}/ in a browser.`);
    }
  } catch (error) {
    if (error instanceof TablewrightError && error.code === 'INTERRUPTED') return;
    throw error;
  }
  return never;
}

const never = new Promise<never>(() => undefined);

function greeting(
  { base, folder, source, token, prepared }: Started,
  commands: readonly DemoCommand[],
): readonly string[] {
  return [
    prepared.fresh ? 'A new database, with a kanban board and a shop.' : 'The database of an earlier start.',
    '',
    `Console   ${base}/   (in a browser: tables, rows, a diagram, and five things to try)`,
    `GraphQL   ${base}/graphql   (in a browser: an editor)`,
    `REST      ${base}/api/v1    (its description, OpenAPI)`,
    ...(source.board
      ? [`The board ${base}/board.html#${token}   (live, as Dalia Haddad: two windows show each other's changes)`]
      : []),
    `The code  ${join(relative('.', folder), 'src', 'generated')}`,
    '',
    'Paste into another terminal:',
    ...commands.flatMap(({ title, line }) => ['', `# ${title}`, line]),
    '',
    'Ctrl-C ends the server. The database stays; --reset begins with a new one.',
  ];
}

const document = ({ base, source, prepared: { fresh }, token }: Started, commands: readonly DemoCommand[]): string =>
  JSON.stringify(
    {
      console: `${base}/`,
      graphql: `${base}/graphql`,
      rest: `${base}/api/v1`,
      ...(source.board ? { board: `${base}/board.html#${token}` } : {}),
      fresh,
      token,
      commands: commands.map(({ title, line }) => ({ title, line })),
    },
    undefined,
    2,
  );

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
