import { openClinic, seen } from '../../support/doctor.js';

const { examine, again, mend } = openClinic('row-security-without-policy');

test('a table that shows nobody anything is found, and its SQL mends it', async () => {
  const findings = await examine(`
    create table notes (id int primary key);
    alter table notes enable row level security;
    create table plain (id int primary key)`);
  const message = 'app.notes has row level security, but no policy lets anybody see a row.';
  expect(seen(findings)).toEqual([{ severity: 'info', object: 'app.notes', message }]);
  await mend(findings);
  expect(await again()).toEqual([]);
});
