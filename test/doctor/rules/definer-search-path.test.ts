import { openClinic, seen, sqlOf } from '../../support/doctor.js';

const { examine, again, mend } = openClinic('definer-search-path');

test('functions, procedures and trigger functions are found, and the SQL mends them', async () => {
  const findings = await examine(`
    create function f(a int, "B" text) returns int language sql security definer as 'select 1';
    create procedure p() language sql security definer as 'select 1';
    create function t() returns trigger language plpgsql security definer as 'begin return new; end'`);
  expect(seen(findings)).toEqual([
    {
      severity: 'warning',
      object: 'app.f',
      message: 'app.f(a integer, "B" text) is SECURITY DEFINER and sets no search_path.',
    },
    { severity: 'warning', object: 'app.p', message: 'app.p() is SECURITY DEFINER and sets no search_path.' },
    { severity: 'warning', object: 'app.t', message: 'app.t() is SECURITY DEFINER and sets no search_path.' },
  ]);
  expect(sqlOf(findings)[0]).toMatch(
    /^alter function "app"\."f"\(a integer, "B" text\) set search_path = "pg_catalog", "app"/,
  );
  await mend(findings);
  expect(await again()).toEqual([]);
});

test('`public` stays in the path only where not everybody may create something in it', async () => {
  const sql = "create function f() returns int language sql security definer as 'select 1'";
  const path = async (publicIsOpen: boolean): Promise<string> =>
    sqlOf(await examine(sql, { facts: { publicIsOpen } })).join('');
  expect(await path(false)).toContain('= "pg_catalog", "app", "public", "pg_temp";');
  expect(await path(true)).toContain('= "pg_catalog", "app", "pg_temp";');
});

test('functions of the caller, and definers with a path of their own, are fine', async () => {
  const findings = await examine(`
    create function f() returns int language sql as 'select 1';
    create function g() returns int language sql security definer set search_path = '' as 'select 1'`);
  expect(findings).toEqual([]);
});
