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

/** What the app role reads, from the table and from the view, with these variables in its transaction. */
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
  expect(blocks).toHaveLength(6);
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
