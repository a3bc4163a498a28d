import { objectsOf, openClinic, seen, sqlOf } from '../../support/doctor.js';

const { examine, again, mend, role } = openClinic('view-bypasses-policies');
const table = `create table notes (id int primary key);
  create policy p on notes using (id > 1);
  alter table notes enable row level security;`;

test('a view of an owner whom policies do not stop is found, and its SQL mends it', async () => {
  const findings = await examine(`${table} create view recent as select * from notes`);
  expect(seen(findings)).toEqual([
    {
      severity: 'error',
      object: 'app.recent',
      message: 'app.recent reads app.notes as postgres, whom policies do not stop.',
    },
  ]);
  await mend(findings);
  expect(await again()).toEqual([]);
});

test('so is one below a served view, in whichever schema', async () => {
  const findings = await examine(`${table}
    create schema if not exists hidden;
    create view hidden.inner_view as select * from app.notes;
    create view outer_view with (security_invoker = true) as select * from hidden.inner_view`);
  expect(objectsOf(findings)).toEqual(['hidden.inner_view']);
});

test('an owner whom policies stop is an information: they apply as for that role', async () => {
  const findings = await examine(`${table} grant select on notes to ROLE; grant create on schema app to ROLE;
    create view recent as select * from notes; alter view recent owner to ROLE`);
  expect(findings).toMatchObject([
    { severity: 'info', message: `app.recent reads app.notes as ${role}, so policies apply as for that role.` },
  ]);
});

test('views with security_invoker, of unprotected tables, or not served, are fine', async () => {
  const findings = await examine(
    `${table}
     create table plain (id int primary key);
     create view a with (security_invoker = on) as select * from notes;
     create view b as select * from plain;
     create view c as select * from notes`,
    { exclude: ['app.c'] },
  );
  expect(findings).toEqual([]);
});

test('before PostgreSQL 15 the view is given to the role that serves', async () => {
  const findings = await examine(`${table} create view recent as select * from notes`, {
    facts: { serverVersion: 140_011 },
  });
  expect(sqlOf(findings)).toEqual([`alter view "app"."recent" owner to "${role}";`]);
  expect(findings[0]?.remedy).toMatchObject({
    run: 'review',
    note: expect.stringContaining('PostgreSQL 15') as string,
  });
});
