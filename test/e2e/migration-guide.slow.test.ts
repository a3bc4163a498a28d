import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { parse } from 'yaml';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { runProgram, succeed } from '../support/program.js';
import { startGeneratedServer } from '../support/running-server.js';
import { query } from '../support/served-database.js';
import { repository } from '../support/transpile.js';

const path = join(repository, 'docs/migrations.md');

interface Workflow {
  readonly jobs: Readonly<
    Record<string, { readonly env?: Record<string, string>; readonly steps: readonly { readonly run?: string }[] }>
  >;
}

let database: TestDatabase;
let fresh: TestDatabase;
let folder: string;
let programs: string;

beforeAll(async () => {
  database = await createTestDatabase('migration_guide');
  fresh = await createTestDatabase('migration_guide_ci');
  await mkdir(join(repository, '.tmp'), { recursive: true });
  folder = await mkdtemp(join(repository, '.tmp', 'guide-'));
  programs = await mkdtemp(join(repository, '.tmp', 'guide-programs-'));
  await writePrograms();
});

afterAll(async () => {
  await database.drop();
  await fresh.drop();
  await rm(folder, { recursive: true, force: true });
  await rm(programs, { recursive: true, force: true });
});

/**
 * The packages come from this repository: nothing is installed, and `npx` finds the built command
 * line.
 */
async function writePrograms(): Promise<void> {
  const loadSql = `import pg from 'pg';
import { readFileSync } from 'node:fs';
const args = process.argv.slice(2);
const client = new pg.Client({ connectionString: args[0] });
await client.connect();
await client.query(readFileSync(args[args.indexOf('-f') + 1], 'utf8'));
await client.end();`;
  await writeFile(join(programs, 'psql.mjs'), loadSql);
  const npm = (await succeed('sh', ['-c', 'command -v npm'])).trim();
  const cli = `exec node '${join(repository, 'bin/tablewright.js')}'`;
  const scripts = {
    psql: `exec node '${join(programs, 'psql.mjs')}' "$@"`,
    tablewright: `${cli} "$@"`,
    npx: `case "$1" in tablewright) shift; ${cli} "$@";; *) exec "$@";; esac`,
    npm: `case "$1" in install|ci) exit 0;; *) exec '${npm}' "$@";; esac`,
  };
  for (const [name, text] of Object.entries(scripts)) {
    await writeFile(join(programs, name), `#!/bin/sh\n${text}\n`);
    await chmod(join(programs, name), 0o755);
  }
}

const environment = (url: string) => ({
  DATABASE_URL: url,
  APP_SECURITY_ALLOW_SUPERUSER: 'true',
  APP_SCHEMAS: undefined,
  NO_COLOR: '1',
  FORCE_COLOR: undefined,
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
  PATH: `${programs}:${join(repository, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
});

/**
 * Runs the commands of a block and returns their output. `diff --api` exits with 3 for a breaking
 * change, which the guide expects.
 */
async function run(commands: string, url: string): Promise<string> {
  const { code, stdout, stderr } = await runProgram('sh', ['-ec', commands], { cwd: folder, env: environment(url) });
  const breaks = commands.includes('diff --api');
  if (code !== 0 && !(breaks && code === 3)) throw new Error(`${commands} ended with ${code}:\n${stdout}\n${stderr}`);
  return stdout;
}

/**
 * The blocks of the guide. A block of `sql`, `ts` or `graphql` is a file, and its name stands above
 * it.
 */
const block = /(?:^`([^`\n]+)`\n\n)?^```(\w+)\n([^]*?)^```$/gm;

test('the guide, typed in as it stands, leads from a migration to a server', async () => {
  const text = await readFile(path, 'utf8');
  let written = text;
  let commands: string | undefined;
  for (const [whole, file, language = '', body = ''] of text.matchAll(block)) {
    if (file !== undefined) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), body);
    } else if (language === 'sh') {
      commands = body.trim();
      const inPipeline = commands.startsWith('npm ci');
      const output = await run(commands, inPipeline ? fresh.url : database.url);
      // The next block of the guide shows the output.
      const shown = new RegExp(
        `(\`\`\`sh\\n${escaped(commands)}\\n\`\`\`\\n\\n)\`\`\`(text|markdown)\\n[^]*?^\`\`\``,
        'm',
      );
      written = written.replace(shown, (_, head: string, kind: string) => `${head}\`\`\`${kind}\n${output}\`\`\``);
    }
    expect(whole).not.toBe('');
  }
  const formatted = await format(written, { ...(await resolveConfig(path)), filepath: path });
  if (process.env['UPDATE_DOCS'] === '1') await writeFile(path, formatted);
  expect(await readFile(path, 'utf8')).toBe(formatted);
  const server = await startGeneratedServer(folder, { DATABASE_URL: fresh.url, APP_LOG_LEVEL: 'error' });
  try {
    await query(server, 'mutation { createNotesPages(input: { headline: "  Trimmed " }) { id } }');
    expect(await query(server, '{ notesPages { headline titleLength due_on } }')).toEqual({
      data: { notesPages: [{ headline: 'Trimmed', titleLength: 7, due_on: null }] },
    });
  } finally {
    await server.stop();
  }
});

test('the workflow runs what the guide shows as plain commands', async () => {
  const workflow = parse(await readFile(join(folder, '.github/workflows/tablewright.yml'), 'utf8')) as Workflow;
  const steps = (job: string): readonly string[] =>
    workflow.jobs[job]?.steps.flatMap(({ run: command }) => (command === undefined ? [] : [command])) ?? [];
  const guide = await readFile(path, 'utf8');
  expect(guide).toContain(`\`\`\`sh\n${steps('check').join('\n')}\n\`\`\``);
  expect(steps('api')[1]).toContain('npx tablewright diff --api --offline --since "$BASE" --markdown');
  expect(workflow.jobs['check']?.env).toMatchObject({ APP_SECURITY_ALLOW_SUPERUSER: 'true' });
});

test('check without a database finds an edited file', async () => {
  const index = join(folder, 'src/generated/index.ts');
  const before = await readFile(index, 'utf8');
  await writeFile(index, `${before}// mine\n`);
  const { code } = await runProgram('npm', ['run', 'check', '--', '--offline'], {
    cwd: folder,
    env: environment('postgres://nobody@127.0.0.1:1/x'),
  });
  expect(code).toBe(2);
  await writeFile(index, before);
});

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
