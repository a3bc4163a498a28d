import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { expectGuide, guideBlocks, makeGuideFolder, withOutput, type GuideFolder } from '../support/guide-programs.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { runProgram } from '../support/program.js';
import { startGeneratedServer, type RunningServer } from '../support/running-server.js';
import { repository } from '../support/transpile.js';
import { until } from '../support/until.js';

const path = join(repository, 'docs/tutorial.md');
/** Roles belong to the whole database server, so each run has its own. */
const role = `shop_app_${process.pid}`;

let database: TestDatabase;
let guide: GuideFolder;
let server: RunningServer | undefined;
let stream: Stream | undefined;

/** A command that does not end, and its output so far. */
interface Stream {
  readonly commands: string;
  readonly child: ChildProcess;
  output: string;
}

beforeAll(async () => {
  database = await createTestDatabase('tutorial');
  guide = await makeGuideFolder();
});

afterAll(async () => {
  stream?.child.kill();
  await server?.stop();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(`drop owned by ${role}; drop role ${role}`);
  await client.end();
  await database.drop();
  await guide.remove();
});

/** The addresses of this run instead of the page's. */
function here(text: string): string {
  const app = new URL(database.url);
  app.username = 'shop_app';
  app.password = 'change-me';
  return text
    .replaceAll('postgres://shop_app:change-me@localhost/shop', app.href)
    .replaceAll('postgres://localhost/shop', database.url)
    .replaceAll('shop_app', role)
    .replaceAll('http://127.0.0.1:4000', server?.base ?? '');
}

const asWritten = (output: string): string => output.replaceAll(role, 'shop_app');

/** The lines that apply to all later commands of a reader's shell. */
const session: string[] = [];
const inSession = (commands: string): string => ['set -e', ...session, commands].join('\n');

/**
 * Runs the commands as a reader does. `diff --api` and `doctor` end with 1 to 3 for what they find.
 */
async function run(commands: string): Promise<string> {
  const { code, stdout, stderr } = await runProgram('sh', ['-c', inSession(here(commands))], {
    cwd: guide.folder,
    env: guide.environment,
  });
  const finds = /^npx tablewright (?:diff --api|doctor)/.test(commands);
  if (code !== 0 && !finds) throw new Error(`${commands} ended with ${code}:\n${stdout}\n${stderr}`);
  session.push(
    ...here(commands)
      .split('\n')
      .filter((line) => /^(?:export|cd) /.test(line)),
  );
  return asWritten(stdout);
}

/** Runs the commands before `npm start`, and leaves the server running until the next start. */
async function start(commands: string): Promise<void> {
  const before = commands.replace(/\n?npm start$/, '');
  if (before !== '') await run(before);
  await server?.stop();
  const environment = Object.fromEntries(Object.entries(guide.environment).filter(([, value]) => value !== undefined));
  server = await startGeneratedServer(guide.folder, environment as Record<string, string>, [
    'sh',
    '-c',
    inSession('exec npm start'),
  ]);
}

function subscribe(commands: string): Promise<void> {
  const child = spawn('sh', ['-c', inSession(`exec ${here(commands)}`)], {
    cwd: guide.folder,
    env: { ...process.env, ...guide.environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const opened = { commands, child, output: '' };
  child.stdout.on('data', (chunk: Buffer) => (opened.output += chunk.toString()));
  stream = opened;
  // The server sends a comment when the subscription has begun.
  return until(() => Promise.resolve(opened.output !== ''));
}

async function typeIn(commands: string, written: string): Promise<string> {
  if (commands.endsWith('npm start')) {
    await start(commands);
    return written;
  }
  if (commands.startsWith('curl -s -N')) {
    await subscribe(commands);
    return written;
  }
  const output = await run(commands);
  if (stream === undefined) return withOutput(written, commands, ['text', 'json'], output);
  const opened = stream;
  await until(() => Promise.resolve(opened.output.includes('event: next')));
  opened.child.kill();
  stream = undefined;
  return withOutput(written, commands, ['text'], opened.output);
}

test('the tutorial, typed in as it stands, leads from an empty database to a server in production', async () => {
  const text = await readFile(path, 'utf8');
  let written = text;
  for (const { file, language, body } of guideBlocks(text)) {
    if (file !== undefined) {
      const target = join(guide.folder, 'shop', file);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, here(body));
    } else if (language === 'sh') {
      written = await typeIn(body.trim(), written);
    }
  }
  await expectGuide(path, written);
});
