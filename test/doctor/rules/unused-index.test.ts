import pg from 'pg';
import { openClinic, seen, sqlOf } from '../../support/doctor.js';

const { examine, again, mend, url } = openClinic('unused-index');
const facts = { statisticsDays: 40 };

beforeAll(async () => {
  await examine(`
    create table notes (id int primary key, a int, b int unique, c int);
    create index used on notes (a);
    create index unused on notes (c)`);
  const client = new pg.Client({ connectionString: url() });
  await client.connect();
  try {
    await client.query('insert into app.notes select n, n, n, n from generate_series(1, 5000) n; analyze app.notes');
    for (let at = 0; at < 120; at += 1) await client.query('select * from app.notes where a = 5');
  } finally {
    // Statistics are written when the session ends.
    await client.end();
  }
});

test('one that no query used is found, keys and unique ones never; its SQL mends it', async () => {
  const findings = await again({ facts });
  expect(seen(findings)).toEqual([
    {
      severity: 'info',
      object: 'app.unused',
      message: expect.stringMatching(
        /^app\.unused was not used in 40 days, while app\.notes was read 1\d\d times\.$/,
      ) as string,
    },
  ]);
  expect(findings[0]?.remedy.run).toBe('review');
  expect(sqlOf(findings)).toEqual(['drop index concurrently "app"."unused";']);
});

test('young statistics, and those of unknown age, say nothing', async () => {
  expect(await again({ facts: { statisticsDays: 3 } })).toEqual([]);
  expect(await again({ facts: { statisticsDays: null } })).toEqual([]);
});

test('nor does a table that is hardly read', async () => {
  await mend(await again({ facts }));
  expect(await again({ facts })).toEqual([]);
  expect(await examine('create table notes (id int primary key, a int); create index on notes (a)', { facts })).toEqual(
    [],
  );
});
