import { openClinic, seen, sqlOf } from '../../support/doctor.js';
import { loadSql } from '../../support/postgres.js';

const { examine, again, mend, role, url } = openClinic('role-too-powerful');

test('CREATEROLE, REPLICATION and membership in roles that may do everything are found; the SQL mends them', async () => {
  const findings = await examine('alter role ROLE createrole replication; grant pg_read_all_data to ROLE');
  expect(seen(findings)).toEqual([
    {
      severity: 'warning',
      object: role,
      message: `${role} has CREATEROLE: it may create roles and grant them rights.`,
    },
    { severity: 'warning', object: role, message: `${role} has REPLICATION: it may copy the whole database.` },
    {
      severity: 'warning',
      object: role,
      message: `${role} is a member of pg_read_all_data, whose rights go beyond any table's.`,
    },
  ]);
  await mend(findings);
  expect(await again()).toEqual([]);
});

test('the owner of served tables is found', async () => {
  const findings = await examine(`
    create table a (id int primary key); create table b (id int primary key); create table c (id int primary key);
    alter table a owner to ROLE; alter table b owner to ROLE`);
  expect(seen(findings)).toEqual([
    {
      severity: 'warning',
      object: role,
      message: `${role} has the rights of the owner of 2 served tables: app.a and app.b.`,
    },
  ]);
  expect(sqlOf(findings)[0]).toBe(
    'create role "tablewright_server" login nosuperuser nobypassrls nocreaterole nocreatedb;',
  );
  await loadSql(url(), 'alter table app.a owner to postgres; alter table app.b owner to postgres');
  expect(await again()).toEqual([]);
});
