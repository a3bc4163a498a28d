import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { TablewrightError } from '../errors.js';
import { generate } from '../generate.js';
import { unlessAborted } from '../interrupt.js';
import { generatedFolder, isUpToDate } from '../output/plan.js';
import { optionsOf, shownFolder } from './pipeline.js';
import { ServerProcess } from './server-process.js';
import { configure, progressOf, withCommonFlags, withSourceFlags, type Session, type SourceFlags } from './session.js';
import { watchSource, withInterval, type WatchFlags } from './watch.js';

interface DevFlags extends SourceFlags, WatchFlags {
  readonly force?: boolean;
}

/** `tablewright dev` */
export function devCommand(session: Session): Command {
  const command = new Command('dev').description(
    'generate, build and serve; again whenever the schema, the configuration or your code changes',
  );
  withInterval(withSourceFlags(command))
    .option('--force', 'replace generated files that were edited by hand')
    .action((flags: DevFlags) => run(session, flags));
  return withCommonFlags(
    command,
    ['tablewright dev --url postgres://me@localhost/shop', 'PORT=8080 tablewright dev --interval 10'],
    ['0  ended by Ctrl-C', '1  error'],
  );
}

async function run(session: Session, flags: DevFlags): Promise<void> {
  const { out, url } = await configure(session, flags);
  const server = new ServerProcess(out, { ...session.environment, DATABASE_URL: url }, (message) => {
    session.terminal.tell(message);
  });
  try {
    await watchSource(
      session,
      flags,
      () => renew(session, flags, server),
      () => newestOwnFile(out),
    );
  } finally {
    await server.stop();
  }
}

/** The server that runs keeps serving until its successor has been generated and built. */
async function renew(session: Session, flags: DevFlags, server: ServerProcess): Promise<void> {
  const config = await configure(session, flags);
  const reporter = progressOf(session, flags);
  const { signal, terminal } = session;
  const { plan } = await generate({ ...optionsOf(config), force: flags.force, signal, reporter });
  const folder = shownFolder(session, config.out);
  if (!isUpToDate(plan)) terminal.tell(`${folder} was generated.`);
  await reporter.stage('Build the server', () => unlessAborted(() => build(config.out, signal), signal));
  await server.restart();
}

/** `npm run build`: whatever the project's owner made of it. */
async function build(folder: string, signal: AbortSignal): Promise<void> {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const child = spawn(npm, ['run', '--silent', 'build'], { cwd: folder, signal, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === 0) return;
  const output = Buffer.concat(chunks).toString('utf8').trim();
  const missing = existsSync(join(folder, 'node_modules'))
    ? ''
    : `\nIts packages are not installed: run \`npm install\` in ${folder} first.`;
  throw new TablewrightError(
    'OUTPUT_FAILED',
    'The project does not build; a server that runs is kept.',
    `${output}${missing}`.trim(),
  );
}

/** When a file of the project's owner in `src` was last changed. */
async function newestOwnFile(folder: string): Promise<string> {
  const own = join(folder, 'src');
  const generated = join(folder, generatedFolder);
  let newest = 0;
  const visit = async (path: string): Promise<void> => {
    for (const entry of await readdir(path, { withFileTypes: true }).catch(() => [])) {
      const below = join(path, entry.name);
      if (entry.isFile()) newest = Math.max(newest, (await stat(below)).mtimeMs);
      else if (entry.isDirectory() && below !== generated && entry.name !== 'node_modules') await visit(below);
    }
  };
  await visit(own);
  return String(newest);
}
