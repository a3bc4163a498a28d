import { objectsOf, openClinic, seen } from '../../support/doctor.js';

const { examine, again, mend } = openClinic('row-security-off');
const verification = true;

const board = `
  create table projects (id int primary key, owner_id int);
  create policy own on projects using (owner_id = (select nullif(current_setting('request.user_id', true), '')::int));
  alter table projects enable row level security;
  create table tasks (id int primary key, project_id int references projects);
  create table files (id int primary key, owner_id int);
  create table countries (code text primary key);`;

test('beside protected tables: a warning with evidence, an info without; the SQL mends it', async () => {
  const findings = await examine(board);
  expect(seen(findings)).toEqual([
    {
      severity: 'warning',
      object: 'app.files',
      message:
        'app.files has no row level security, but it has a column owner_id, by which policies of app.projects decide.',
    },
    {
      severity: 'warning',
      object: 'app.tasks',
      message: 'app.tasks has no row level security, but it references app.projects, whose rows policies hide.',
    },
    {
      severity: 'info',
      object: 'app.countries',
      message: 'app.countries has no row level security: every role that may read it sees every row.',
    },
  ]);
  await mend(findings);
  expect(await again()).toEqual([]);
});

test('a reference to a table that everyone reads is no evidence', async () => {
  const findings = await examine(`
    create table labels (id int primary key);
    create policy everybody on labels for select using (true);
    alter table labels enable row level security;
    create table uses (id int primary key, label int references labels)`);
  expect(findings).toMatchObject([{ severity: 'info', object: 'app.uses' }]);
});

test('with tokens and no policy at all it is one finding for the schema; without either it is none', async () => {
  const sql = 'create table a (id int primary key); create table b (id int primary key);';
  expect(await examine(sql)).toEqual([]);
  const findings = await again({ verification });
  expect(seen(findings)).toEqual([
    {
      severity: 'warning',
      object: 'app',
      message:
        'Tokens are verified, but no table has row level security: the token makes no difference in "app" (2 served).',
    },
  ]);
  await mend(findings);
  expect(await again({ verification })).toEqual([]);
});

test('tables that are not served, excluded or out of the role’s reach, are left out', async () => {
  expect(objectsOf(await examine(board, { exclude: ['app.files', 'app.countries'] }))).toEqual(['app.tasks']);
  expect(await again({ serving: { connecting: 'pg_monitor' } })).toEqual([]);
});
