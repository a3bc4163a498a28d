import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startTablewright, tablewright } from '../support/cli.js';
import { freePort } from '../support/free-port.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../support/postgres.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { repository } from '../support/transpile.js';
import { until } from '../support/until.js';

/** `dev` on a generated project, whose compiler is the project's choice. */

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase('cli_dev_compilers');
  await loadSql(database.url, 'create schema kanban; create table kanban.users (id int primary key)');
});
afterAll(() => database.drop());

test.each(['typescript', '@typescript/native'])('serves code with type errors, and reports them: %s', async (name) => {
  const project = await scratchFolder('compiler');
  await mkdir(join(project, 'node_modules'));
  await symlink(join(repository, 'node_modules', name), join(project, 'node_modules', 'typescript'));
  const environment = { DATABASE_URL: database.url, PORT: String(await freePort()), APP_SCHEMAS: 'kanban' };
  expect(await tablewright(['generate'], { cwd: project, env: environment })).toMatchObject({ code: 0 });
  const custom = join(project, 'src', 'custom', 'index.ts');
  const routes = (path: string, more: string): string =>
    `import type { CustomServer } from '@tablewright/runtime';\n${more}\nimport { Router } from 'express';
const route = Router().get('/${path}', (_request, response) => response.json(1));
export const custom: CustomServer = { routes: [route] };\n`;
  await writeFile(custom, routes('right', ''));
  const running = startTablewright(['dev', '--interval', '0.2'], { cwd: project, env: environment });
  try {
    await serves(environment.PORT, '/right');
    await writeFile(custom, routes('wrong', "export const size: number = 'large';"));
    await serves(environment.PORT, '/wrong');
    await running.says('The project has type errors; the server runs nevertheless.');
    await running.says("src/custom/index.ts(2,14): error TS2322: Type 'string' is not assignable to type 'number'.");
    await writeFile(custom, routes('again', ''));
    await running.says('The project has no type errors any longer.');
    await serves(environment.PORT, '/again');
  } finally {
    running.signal('SIGKILL');
    await running.ended;
    await rm(project, { recursive: true });
  }
});

const serves = (port: string, path: string): Promise<void> =>
  until(async () => (await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined))?.status === 200);
