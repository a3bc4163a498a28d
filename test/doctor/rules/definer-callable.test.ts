import { openClinic, seen, sqlOf } from '../../support/doctor.js';

const { examine, mend, again } = openClinic('definer-callable');

const serving = { callsAllFunctions: true };

const sql = `
  create function f(a int) returns int language sql security definer as 'select 1';
  create function g() returns int language sql as 'select 1';
  create function nameless(int) returns int language sql security definer as 'select 1';
  create procedure p() language sql security definer as 'select 1';
  create function t() returns trigger language plpgsql security definer as 'begin return new; end'`;

test('functions that run as their owner are named where clients call every function', async () => {
  const findings = await examine(sql, { serving });
  expect(seen(findings)).toEqual([
    { severity: 'info', object: 'app.f', message: 'Clients call app.f(a integer) with the rights of its owner.' },
  ]);
  expect(sqlOf(findings)).toEqual(['revoke execute on function "app"."f"(a integer) from public;']);
  await mend(findings);
});

test('none is named where the configuration names the functions, or the mount is off', async () => {
  expect(await examine(sql)).toEqual([]);
  expect(await again({ serving: { callsAllFunctions: false } })).toEqual([]);
});
