import { loadSql } from '../../support/postgres.js';
import { openClinic, seen, sqlOf } from '../../support/doctor.js';

const { examine, again, mend, role, url } = openClinic('role-bypasses-policies');
const table = 'create table notes (id int primary key); alter table notes enable row level security;';

test('a role with BYPASSRLS is found, and its SQL mends it', async () => {
  const findings = await examine(`${table} alter role ROLE bypassrls`);
  const message = `Requests run as ${role}, which has BYPASSRLS.`;
  expect(seen(findings)).toEqual([{ severity: 'error', object: role, message }]);
  await mend(findings);
  expect(await again()).toEqual([]);
});

test('a superuser is an error where policies or tokens are meant to decide, else a warning', async () => {
  const superuser = { serving: { connecting: undefined } };
  const findings = await examine(table, superuser);
  expect(findings).toMatchObject([{ severity: 'error', object: 'postgres', remedy: { run: 'review' } }]);
  expect(sqlOf(findings)).toContain('grant usage on schema "app" to "tablewright_server";');
  const open = await examine('create table notes (id int primary key)', superuser);
  expect(open).toMatchObject([{ severity: 'warning' }]);
  expect(await again({ ...superuser, verification: true })).toMatchObject([{ severity: 'error' }]);
  const accepted = { connecting: undefined, allowSuperuser: true };
  expect(await again({ serving: accepted, verification: true })).toMatchObject([{ severity: 'warning' }]);
});

test('a superuser that switches every request to a plain role is fine, and so is a plain role', async () => {
  const serving = { connecting: undefined, switched: [role], alwaysSwitches: true };
  expect(await examine(table, { serving, verification: true })).toEqual([]);
  expect(await again({ verification: true })).toEqual([]);
});

test('the role that is proposed can be made', async () => {
  const findings = await examine(table, { serving: { connecting: undefined } });
  await loadSql(url(), `begin; ${sqlOf(findings).join('\n').replaceAll('tablewright_server', `${role}_new`)} rollback`);
});
