import { objectsOf, openClinic, seen } from '../../support/doctor.js';

const { examine, again } = openClinic('table-without-rule');

test('a served table or view without a rule, where others have one; not where policies decide', async () => {
  const sql = `
    create table orders (id int primary key, owner text);
    create table items (id int primary key);
    create view totals as select count(*) from orders;
    create table notes (id int primary key);
    alter table notes enable row level security;`;
  expect(await examine(sql)).toEqual([]);
  const findings = await again({ serving: { ruled: new Set(['app.orders']) } });
  expect(seen(findings)).toEqual([
    {
      severity: 'warning',
      object: 'app.items',
      message: 'app.items has no rule in the configuration, though 1 of the others has.',
    },
    {
      severity: 'warning',
      object: 'app.totals',
      message: 'app.totals has no rule in the configuration, though 1 of the others has.',
    },
  ]);
  const ruled = new Set(['app.orders', 'app.items', 'app.totals']);
  expect(objectsOf(await again({ serving: { ruled } }))).toEqual([]);
});
