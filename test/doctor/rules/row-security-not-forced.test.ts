import { openClinic, seen } from '../../support/doctor.js';

const { examine, again, mend, role } = openClinic('row-security-not-forced');
const table = `create table notes (id int primary key);
  create policy p on notes using (id > 1);
  alter table notes enable row level security;`;

test('a table whose owner serves is found, and its SQL mends it', async () => {
  const findings = await examine(`${table} alter table notes owner to ROLE`);
  const message = `The policies of app.notes do not apply to ${role}, which has the rights of its owner.`;
  expect(seen(findings)).toEqual([{ severity: 'error', object: 'app.notes', message }]);
  await mend(findings);
  expect(await again()).toEqual([]);
});

test('another owner is fine', async () => {
  expect(await examine(table)).toEqual([]);
});
