import { openClinic, seen } from '../../support/doctor.js';

const { examine, again, mend } = openClinic('policies-not-enabled');

test('a table with policies that are not switched on is found, and its SQL mends it', async () => {
  const findings = await examine(`
    create table notes (id int primary key);
    create policy p on notes using (true)`);
  const message = 'app.notes has a policy, but row level security is off.';
  expect(seen(findings)).toEqual([{ severity: 'error', object: 'app.notes', message }]);
  await mend(findings);
  expect(await again()).toEqual([]);
});

test('tables without policies, and with policies that are on, are fine', async () => {
  const findings = await examine(`
    create table plain (id int primary key);
    create table notes (id int primary key);
    create policy p on notes using (true);
    alter table notes enable row level security`);
  expect(findings).toEqual([]);
});
