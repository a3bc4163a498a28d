import { objectsOf, openClinic, sqlOf } from '../../support/doctor.js';

const { examine, again, mend } = openClinic('volatile-row-function');

test('a volatile function of a row is found, and its SQL mends it', async () => {
  const findings = await examine(`
    create table notes (id int primary key);
    create function notes_title(note notes) returns text language sql as $$ select 'x' $$`);
  expect(findings).toMatchObject([
    {
      severity: 'info',
      object: 'app.notes_title',
      message: 'app.notes_title(note app.notes) is VOLATILE, so it is no field of app.notes.',
      remedy: { run: 'review' },
    },
  ]);
  expect(sqlOf(findings)).toEqual(['alter function "app"."notes_title"(note app.notes) stable;']);
  await mend(findings);
  expect(await again()).toEqual([]);
});

test('stable functions, and volatile ones of something else, are fine', async () => {
  const findings = await examine(`
    create table notes (id int primary key);
    create function a(note notes) returns text language sql stable as $$ select 'x' $$;
    create function b(id int) returns text language sql as $$ select 'x' $$;
    create function c(note notes, x int) returns text language sql as $$ select 'x' $$;
    create function d(note notes) returns setof text language sql as $$ select 'x' $$;
    create function e(note notes) returns void language sql as $$ select 1 $$;
    create function f(notes[]) returns text language sql as $$ select 'x' $$`);
  expect(objectsOf(findings)).toEqual([]);
});
