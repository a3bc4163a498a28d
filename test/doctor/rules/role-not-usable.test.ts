import { loadSql } from '../../support/postgres.js';
import { openClinic, seen, sqlOf } from '../../support/doctor.js';

const { examine, again, mend, role, url } = openClinic('role-not-usable');
const missing = `${role}_missing`;
const reader = `${role}_reader`;
const serving = { switched: [missing, reader] };

afterAll(() => loadSql(url(), `drop role if exists ${missing}, ${reader}`).catch(() => undefined));

test('a role that is not there, and one that was not granted, are found; the SQL mends it', async () => {
  const findings = await examine(`create role ${reader}`, { serving });
  expect(seen(findings)).toEqual([
    { severity: 'error', object: missing, message: `There is no role ${missing}, which the settings name.` },
    { severity: 'error', object: reader, message: `The role ${role} may not switch to ${reader}.` },
  ]);
  expect(sqlOf(findings)).toEqual([
    `create role "${missing}" nologin;`,
    `grant "${missing}" to "${role}";`,
    `grant "${reader}" to "${role}";`,
  ]);
  await mend(findings);
  expect(await again({ serving })).toEqual([]);
  await loadSql(url(), `drop role ${missing}, ${reader}`);
});

test('without roles in the settings there is nothing to find', async () => {
  expect(await examine('create table t (id int primary key)')).toEqual([]);
});
