import { openClinic, seen, sqlOf } from '../../support/doctor.js';

const { examine, again, mend } = openClinic('table-without-key');

test('a table without a key is found, and its SQL mends it', async () => {
  const findings = await examine(`
    create table lines (line text);
    create table nullable (id int unique);
    create table partial (id int not null, old boolean);
    create unique index on partial (id) where not old`);
  expect(seen(findings)).toEqual(
    ['app.lines', 'app.nullable', 'app.partial'].map((object) => ({
      severity: 'warning',
      object,
      message: `${object} has no primary key, and no unique columns that could be one.`,
    })),
  );
  expect(findings.map(({ remedy }) => remedy.run)).toEqual(['review', 'review', 'review']);
  await mend(findings.filter(({ object }) => object === 'app.lines'));
  expect((await again()).map(({ object }) => object)).toEqual(['app.nullable', 'app.partial']);
});

test('what could be the key becomes it', async () => {
  const findings = await examine(`
    create table by_constraint (a int not null, "B" int not null, unique (a, "B"));
    create table by_index (id int not null);
    create unique index by_index_id on by_index (id)`);
  expect(findings).toMatchObject([{ severity: 'info' }, { severity: 'info' }]);
  expect(sqlOf(findings)).toEqual([
    'alter table "app"."by_constraint" add primary key ("a", "B");',
    'alter table "app"."by_index" add primary key using index "by_index_id";',
  ]);
  await mend(findings);
  expect(await again()).toEqual([]);
});

test('tables with a key, and views, are fine', async () => {
  expect(await examine('create table t (id int primary key); create view v as select * from t')).toEqual([]);
});
