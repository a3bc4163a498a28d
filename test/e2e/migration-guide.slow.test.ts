import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { expectGuide, guideBlocks, makeGuideFolder, withOutput, type GuideFolder } from '../support/guide-programs.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { runProgram } from '../support/program.js';
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
let guide: GuideFolder;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase('migration_guide');
  fresh = await createTestDatabase('migration_guide_ci');
  guide = await makeGuideFolder();
  folder = guide.folder;
});

afterAll(async () => {
  await database.drop();
  await fresh.drop();
  await guide.remove();
});

const environment = (url: string) => ({
  ...guide.environment,
  DATABASE_URL: url,
  APP_SECURITY_ALLOW_SUPERUSER: 'true',
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

test('the guide, typed in as it stands, leads from a migration to a server', async () => {
  const text = await readFile(path, 'utf8');
  let written = text;
  for (const { file, language, body } of guideBlocks(text)) {
    if (file !== undefined) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), body);
    } else if (language === 'sh') {
      const commands = body.trim();
      const inPipeline = commands.startsWith('npm ci');
      const output = await run(commands, inPipeline ? fresh.url : database.url);
      written = withOutput(written, commands, ['text', 'markdown'], output);
    }
  }
  await expectGuide(path, written);
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
  const text = await readFile(path, 'utf8');
  expect(text).toContain(`\`\`\`sh\n${steps('check').join('\n')}\n\`\`\``);
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
