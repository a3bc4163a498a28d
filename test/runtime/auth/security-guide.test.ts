import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { createTestDatabase, loadSql, type TestDatabase } from '../../support/postgres.js';

const guide = readFileSync(fileURLToPath(new URL('../../../docs/security.md', import.meta.url)), 'utf8');
const blocks = [...guide.matchAll(/```sql\n([^`]*)```/g)].map((match) => match[1] ?? '');

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('guide', 'embedded');
  for (const block of blocks) await loadSql(database.url, block);
  await loadSql(
    database.url,
    `insert into notes.note (owner, project, team, shared, body) values
       ('ada', null, null, false, 'own'), ('bob', null, null, true, 'shared'),
       ('bob', 'p1', null, false, 'project'), ('bob', null, 't1', false, 'team'), ('bob', null, null, false, 'hidden')`,
  );
});
afterAll(async () => {
  await loadSql(database.url, 'drop schema notes cascade; drop role app, reader, editor');
  await database.drop();
});

/**
 * Runs one statement as the server does for a token with a role: variables and role are set for its
 * transaction only.
 */
async function inRole(client: pg.Client, role: string, sql: string): Promise<unknown> {
  await client.query('begin');
  try {
    await client.query("select set_config('request.user_id', 'ada', true), set_config('role', $1, true)", [role]);
    return (await client.query(sql)).rows;
  } finally {
    await client.query('rollback');
  }
}

/**
 * The rows of the table and of the view that the app role reads with these variables in its
 * transaction.
 */
async function bodies(client: pg.Client, variables: Record<string, string>): Promise<string[][]> {
  await client.query('begin');
  for (const [name, value] of Object.entries(variables)) {
    await client.query('select set_config($1, $2, true)', [`request.${name}`, value]);
  }
  const answers: string[][] = [];
  for (const relation of ['note', 'recent']) {
    const { rows } = await client.query<{ body: string }>(`select body from notes.${relation} order by body`);
    answers.push(rows.map((row) => row.body));
  }
  await client.query('commit');
  return answers;
}

test('the guide has its examples', () => {
  expect(blocks).toHaveLength(4);
});

test('the policies of the guide show each user what they say, on a cold and on a warm connection', async () => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query('set session authorization app');
    for (let round = 0; round < 2; round += 1) {
      expect(await bodies(client, {})).toEqual([['shared'], ['shared']]);
      const ada = ['own', 'shared'];
      expect(await bodies(client, { user_id: 'ada', 'jwt.claims': '{}' })).toEqual([ada, ada]);
      const member = ['own', 'project', 'shared', 'team'];
      const claims = JSON.stringify({ teams: ['t1'] });
      expect(await bodies(client, { user_id: 'ada', project_id: 'p1', 'jwt.claims': claims })).toEqual([
        member,
        member,
      ]);
    }
    const stolen = client.query("insert into notes.note (owner, body) values ('bob', 'x')");
    await expect(stolen).rejects.toMatchObject({ code: '42501' });
  } finally {
    await client.end();
  }
});

test('the roles of the guide may do what they are granted, under the same policies', async () => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query('set session authorization app');
    const read = 'select body from notes.note order by body';
    const visible = [{ body: 'own' }, { body: 'shared' }];
    expect(await inRole(client, 'reader', read)).toEqual(visible);
    expect(await inRole(client, 'editor', read)).toEqual(visible);
    const write = "insert into notes.note (body) values ('new') returning owner";
    await expect(inRole(client, 'reader', write)).rejects.toMatchObject({ code: '42501' });
    expect(await inRole(client, 'editor', write)).toEqual([{ owner: 'ada' }]);
    const steal = "insert into notes.note (owner, body) values ('bob', 'new')";
    await expect(inRole(client, 'editor', steal)).rejects.toMatchObject({ code: '42501' });
    await expect(inRole(client, 'postgres', read)).rejects.toMatchObject({ code: '42501' });
  } finally {
    await client.end();
  }
});
