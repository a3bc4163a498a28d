import { objectsOf, openClinic, seen, sqlOf } from '../../support/doctor.js';

const { examine, again, mend } = openClinic('duplicate-index');

test('equal indexes are found, the constraint’s stays, and the SQL mends it', async () => {
  const findings = await examine(`
    create table notes (id int primary key, a int, b text);
    create unique index also_unique on notes (id);
    create index plain on notes (id);
    create index b_1 on notes (b) where a > 1;
    create index b_2 on notes (b) where a > 1`);
  expect(seen(findings)).toEqual([
    {
      severity: 'warning',
      object: 'app.also_unique',
      message: 'app.also_unique duplicates notes_pkey, on app.notes.',
    },
    { severity: 'warning', object: 'app.b_2', message: 'app.b_2 duplicates b_1, on app.notes.' },
    { severity: 'warning', object: 'app.plain', message: 'app.plain duplicates notes_pkey, on app.notes.' },
  ]);
  expect(sqlOf(findings)[0]).toBe('drop index concurrently "app"."also_unique";');
  await mend(findings);
  expect(await again()).toEqual([]);
});

test('a second constraint is for somebody to decide', async () => {
  const findings = await examine(
    'create table notes (id int primary key); alter table notes add constraint twice unique (id)',
  );
  expect(sqlOf(findings)).toEqual(['alter table "app"."notes" drop constraint "twice";']);
  expect(findings[0]?.remedy.run).toBe('review');
});

test('indexes that differ in order, method, class, predicate or columns are fine', async () => {
  const findings = await examine(`
    create table notes (id int primary key, a text, b text);
    create index on notes (a);
    create index on notes (a desc);
    create index on notes (a text_pattern_ops);
    create index on notes (a collate "C");
    create index on notes using hash (a);
    create index on notes (a, b);
    create index on notes (a) include (b);
    create index on notes (a) where b is null;
    create index on notes (lower(a))`);
  expect(objectsOf(findings)).toEqual([]);
});
