import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tablewright } from '../../support/cli.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../../support/postgres.js';
import type { Outcome } from '../../support/program.js';
import { scratchFolder } from '../../support/scratch-folder.js';

/**
 * Reports of `diff --api` about migrations of functions. following.test.ts covers a running server
 * after such migrations.
 */
const schema = `
  create schema app;
  create table app.people (id int primary key, name text not null, age int not null);
  create function app.older(than int) returns setof app.people language sql stable
    as $$ select * from app.people where age > than $$;
  create function app.named(like_text text) returns setof app.people language sql stable
    as $$ select * from app.people where name like like_text $$;
  create function app.total() returns bigint language sql stable as $$ select count(*) from app.people $$;
  create function app.people_label(person app.people) returns text language sql stable as $$ select person.name || '!' $$;
`;

interface Report {
  readonly breaking: boolean;
  readonly changes: readonly Readonly<Record<'severity' | 'protocol' | 'code' | 'description', string>>[];
  readonly operations?: readonly unknown[];
}

let database: TestDatabase;
let project: string;

const run = (...args: readonly string[]): Promise<Outcome> =>
  tablewright(args, { cwd: project, env: { DATABASE_URL: database.url } });

beforeAll(async () => {
  database = await createTestDatabase('functions_diff');
  await loadSql(database.url, schema);
  project = await scratchFolder('functions-diff');
  await writeFile(join(project, 'tablewright.config.json'), JSON.stringify({ functions: ['app.*'] }));
  expect(await run('generate')).toMatchObject({ code: 0 });
  await mkdir(join(project, 'app'));
  await writeFile(join(project, 'app/old.graphql'), 'query Old { appOlder(than: 30) { name label } }\n');
  await writeFile(join(project, 'app/named.graphql'), 'query Named { appNamed(like_text: "A%") { name } }\n');
});

afterAll(async () => {
  await database.drop();
  await rm(project, { recursive: true, force: true });
});

/** The report of a migration as JSON, which can make CI refuse a commit, and as text. */
async function migrated(sql: string): Promise<Report & { readonly seen: readonly string[]; readonly text: string }> {
  await loadSql(database.url, sql);
  const report = JSON.parse((await run('diff', '--api', '--json')).stdout) as Report;
  const seen = report.changes.map(({ severity, protocol, code }) => `${severity} ${protocol} ${code}`).sort();
  return { ...report, seen, text: (await run('diff', '--api')).stdout };
}

test('another body is no difference', async () => {
  const { breaking, seen } = await migrated(
    'create or replace function app.total() returns bigint language sql stable as $$ select 7::bigint $$',
  );
  expect([breaking, seen]).toEqual([false, []]);
});

test('a new function, and an argument with a default, break nobody', async () => {
  const { breaking, seen } = await migrated(`
    create function app.youngest() returns setof app.people language sql stable as $$ select * from app.people order by age limit 1 $$;
    drop function app.older(int);
    create function app.older(than int, called text default '%') returns setof app.people language sql stable
      as $$ select * from app.people where age > than and name like called $$`);
  expect(breaking).toBe(false);
  expect(seen).toEqual(
    expect.arrayContaining([
      'safe graphql FIELD_ADDED',
      'safe rest FUNCTION_ADDED',
      'safe rest FUNCTION_ARGUMENT_ADDED',
      'dangerous graphql OPTIONAL_ARG_ADDED',
    ]),
  );
  expect(await run('generate')).toMatchObject({ code: 0 });
});

test('an argument that has to be given breaks those who call, and their documents are named', async () => {
  const { breaking, seen, text } = await migrated(`
    drop function app.named(text);
    create function app.named(like_text text, at_least int) returns setof app.people language sql stable
      as $$ select * from app.people where name like like_text and age >= at_least $$`);
  expect(breaking).toBe(true);
  expect(seen).toEqual(
    expect.arrayContaining(['breaking graphql FUNCTION_ARGUMENT_REQUIRED', 'breaking rest FUNCTION_ARGUMENT_REQUIRED']),
  );
  expect(text).toContain('appNamed');
  expect(await run('generate')).toMatchObject({ code: 0 });
});

test('another volatility moves a function from Query to Mutation, and a computed field goes', async () => {
  const { breaking, changes, text } = await migrated(
    'alter function app.older(int, text) volatile; alter function app.people_label(app.people) volatile',
  );
  expect(breaking).toBe(true);
  const described = changes.filter(({ severity }) => severity === 'breaking').map(({ description }) => description);
  expect(described.join('\n')).toContain('appOlder');
  expect(described.join('\n')).toContain('label');
  expect(text).toContain('callAppOlder');
  expect(await run('generate')).toMatchObject({ code: 0 });
});

test('a function that is gone', async () => {
  const { breaking, seen } = await migrated('drop function app.total()');
  expect(breaking).toBe(true);
  // No other field returned a BigInt.
  expect(seen).toEqual([
    'breaking graphql FIELD_REMOVED',
    'breaking graphql TYPE_REMOVED',
    'breaking rest FUNCTION_REMOVED',
  ]);
});
