import { openClinic, seen } from '../../support/doctor.js';

const { examine, again, mend, role } = openClinic('materialized-view-bypasses-policies');

test('a materialised view of a protected table is found, and its SQL mends it', async () => {
  const findings = await examine(`
    create table notes (id int primary key);
    alter table notes enable row level security;
    create table plain (id int primary key);
    create materialized view sums as select count(*) from notes;
    create materialized view others as select count(*) from plain`);
  expect(seen(findings)).toEqual([
    {
      severity: 'warning',
      object: 'app.sums',
      message: 'app.sums holds rows of app.notes, and everyone sees all of them.',
    },
  ]);
  expect(findings[0]?.remedy.sql[0]).toMatch(new RegExp(`^revoke select on "app"."sums" from .*"${role}"`));
});

test('one that nobody may read is fine', async () => {
  const found = await again();
  await mend(
    found.map((each) => ({ ...each, remedy: { ...each.remedy, sql: [`revoke all on "app"."sums" from "${role}";`] } })),
  );
  expect(await again()).toEqual([]);
});
