import { notifySql, walSql } from '../../../runtime/src/generator.js';
import { openClinic, seen } from '../../support/doctor.js';

const { examine } = openClinic('changes-not-reported');

const tables = `create table told (id int primary key);
  create table untold (id int primary key);
  create table keyless (line text);
  grant select on all tables in schema app to ROLE;`;
const told = [{ schema: 'app', name: 'told', key: ['id'] }];

test('nothing is said where nobody can subscribe', async () => {
  expect(await examine(tables)).toEqual([]);
});

test('tables without the triggers are found', async () => {
  const findings = await examine(`${tables}\n${notifySql(told)}`, { serving: { changes: 'notify' } });
  expect(seen(findings)).toEqual([
    { severity: 'warning', object: 'app.untold', message: 'app.untold has no triggers that notify its changes.' },
  ]);
  const all = [...told, { schema: 'app', name: 'untold', key: ['id'] }];
  expect(await examine(`${tables}\n${notifySql(all)}`, { serving: { changes: 'notify' } })).toEqual([]);
});

test('tables outside the publication are found, and all of them where the log has no changes', async () => {
  const facts = (logged: boolean, published = ['told']) => ({
    changes: ['told', 'untold'].map((name) => ({
      schema: 'app',
      name,
      logged,
      published: published.includes(name),
      triggered: false,
    })),
  });
  const found = async (...given: Parameters<typeof facts>): Promise<readonly string[]> =>
    (await examine(tables, { serving: { changes: 'wal' }, facts: facts(...given) })).map(({ object }) => object);
  expect(await found(true)).toEqual(['app.untold']);
  expect(await found(false)).toEqual(['app.told', 'app.untold']);
  expect(await found(true, ['told', 'untold'])).toEqual([]);
});

test('the printed publication is what is looked for', async () => {
  const sql = walSql(told).split('-- The server reads')[0] ?? '';
  const findings = await examine(`drop publication if exists tablewright; ${tables}\n${sql}`, {
    serving: { changes: 'wal' },
  });
  expect(findings.map(({ object }) => object)).toContain('app.untold');
});

test('the SQL that is printed mends what was found, for the log and for triggers', async () => {
  const fresh = `drop publication if exists tablewright; ${tables}`;
  for (const changes of ['wal', 'notify'] as const) {
    const findings = await examine(fresh, { serving: { changes } });
    const all = [...new Set(findings.flatMap(({ remedy }) => remedy.sql))];
    expect(all.join('\n')).toContain(changes === 'wal' ? 'login replication' : 'create trigger');
    // Settings and roles belong to the whole server, which other suites share.
    const sql = all.filter((each) => !/alter system|create role/.test(each));
    const mended = await examine(`${fresh}\n${sql.join('\n')}`, { serving: { changes } });
    // The tests' database server may have wal_level other than logical; the tables themselves are
    // mended.
    const left = mended.filter(({ remedy }) => remedy.sql.some((each) => !each.includes('alter system')));
    expect(left).toEqual([]);
  }
});
