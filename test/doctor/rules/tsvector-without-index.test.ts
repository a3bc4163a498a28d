import { objectsOf, openClinic, sqlOf } from '../../support/doctor.js';

const { examine, again, mend } = openClinic('tsvector-without-index');

test('columns of tables and materialised views are found, and the SQL mends them', async () => {
  const findings = await examine(`
    create table notes (id int primary key, "Words" tsvector);
    create materialized view found as select * from notes`);
  expect(objectsOf(findings)).toEqual(['app.found.Words', 'app.notes.Words']);
  expect(sqlOf(findings)[1]).toBe('create index concurrently on "app"."notes" using gin ("Words");');
  await mend(findings);
  expect(await again()).toEqual([]);
});

test('GIN and GiST serve; a B-tree does not; a view has none', async () => {
  const findings = await examine(`
    create table notes (a tsvector, b tsvector, c tsvector, d text);
    create index on notes using gin (a);
    create index on notes using gist (b);
    create index on notes (c);
    create view same as select * from notes`);
  expect(objectsOf(findings)).toEqual(['app.notes.c']);
});
