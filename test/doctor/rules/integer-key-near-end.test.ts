import { openClinic, seen } from '../../support/doctor.js';
import { loadSql } from '../../support/postgres.js';

const { examine, again, mend, url } = openClinic('integer-key-near-end');

test('a key that no sequence fills is found by what ANALYZE saw; its SQL mends it', async () => {
  await examine(`
    create table notes (id int primary key);
    insert into notes select 1900000000 + n from generate_series(1, 500) n;
    create table young (id int primary key);
    insert into young select n from generate_series(1, 500) n;
    create table counted (id serial primary key);
    insert into counted select 1900000000 + n from generate_series(1, 500) n;
    analyze notes; analyze young; analyze counted`);
  const findings = await again();
  expect(seen(findings)).toEqual([
    {
      severity: 'warning',
      object: 'app.notes.id',
      message: 'app.notes.id has reached 1900000500, 88 % of the range of integer.',
    },
  ]);
  await mend(findings);
  await loadSql(url(), 'analyze app.notes');
  expect(await again()).toEqual([]);
});
