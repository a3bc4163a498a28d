import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blocksOf } from './documents.js';
import { freePort } from './free-port.js';
import { isListening } from './listening.js';
import { describeNeed, found } from './machine/machine.js';

export interface Pgbouncer {
  /** `host:port` */
  readonly address: string;
  readonly log: () => string;
  stop(): Promise<void>;
}

export interface PgbouncerOptions {
  /** The address of the server behind it, with a role that may read pg_shadow. */
  readonly server: string;
  /** Number of connections for each pair of database and role. */
  readonly poolSize: number;
  /**
   * Lines of userlist.txt, with the authentication that docs/deploying.md requires. When absent,
   * every user is trusted.
   */
  readonly users?: string;
  /**
   * Startup parameters that it ignores: `ignore_startup_parameters`. By default it refuses unknown
   * parameters.
   */
  readonly ignored?: string;
}

/** Debian's user `nobody`, because PgBouncer refuses to run as root. */
const nobody = 65_534;

/**
 * Starts PgBouncer on a free port with the configuration of docs/deploying.md, except for
 * machine-specific settings.
 */
export async function startPgbouncer(options: PgbouncerOptions): Promise<Pgbouncer> {
  const program = found('pgbouncer')?.at;
  if (program === undefined) throw new Error(`Not here: ${describeNeed('pgbouncer')}`);
  const folder = await mkdtemp(join(tmpdir(), 'pgbouncer-'));
  const port = await freePort();
  const users = join(folder, 'userlist.txt');
  const files = new Map([
    [users, options.users ?? `"${new URL(options.server).username}" "${new URL(options.server).password}"\n`],
    [join(folder, 'pgbouncer.ini'), configuration(options, { port: String(port), users })],
  ]);
  for (const [file, text] of files) await writeFile(file, text);
  const root = process.getuid?.() === 0;
  if (root) for (const path of [folder, ...files.keys()]) await chown(path, nobody, nobody);
  await chmod(folder, 0o700);
  const child = spawn(program, [join(folder, 'pgbouncer.ini')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(root ? { uid: nobody, gid: nobody } : {}),
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const ended = once(child, 'exit');
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer did not start:\n${log}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    address: `127.0.0.1:${port}`,
    log: () => log,
    stop: async () => {
      // SIGTERM ends it at once; SIGINT would wait for its clients.
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

/** The page's own lines, except for folders, ports, files and sizes of this machine. */
function configuration(options: PgbouncerOptions, own: { readonly port: string; readonly users: string }): string {
  const [documented = ''] = blocksOf('deploying.md', 'ini');
  const server = new URL(options.server);
  const trusting = {
    auth_type: 'trust',
    auth_user: server.username,
    auth_query: 'select usename, passwd from pg_shadow where usename = $1',
  };
  const settings: Readonly<Record<string, string>> = {
    listen_port: own.port,
    auth_file: own.users,
    default_pool_size: String(options.poolSize),
    unix_socket_dir: '',
    ...(options.users === undefined ? trusting : {}),
    ...(options.ignored === undefined ? {} : { ignore_startup_parameters: options.ignored }),
  };
  const kept = documented.split('\n').filter((line) => {
    const [name = ''] = line.split('=').map((part) => part.trim());
    return line.startsWith('[') || (line.includes('=') && !line.includes('host=') && !(name in settings));
  });
  const database = `* = host=${server.hostname} port=${server.port === '' ? '5432' : server.port}`;
  const lines = kept.flatMap((line) => (line === '[databases]' ? [line, database] : [line]));
  return [...lines, ...Object.entries(settings).map(([name, value]) => `${name} = ${value}`), ''].join('\n');
}
