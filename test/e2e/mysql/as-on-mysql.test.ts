import { createConnection } from 'mysql2/promise';
import { describeMariadb } from '../../support/mysql.js';
import { until } from '../../support/until.js';
import { asOnMysql } from './features.js';
import { serveMysql, type ServedMysql } from './served.js';

const json = { 'content-type': 'application/json' };

describeMariadb('a server that treats its MariaDB as MySQL has to be treated', () => {
  let served: ServedMysql;

  beforeAll(async () => {
    served = await serveMysql(
      { ...asOnMysql, APP_DATASOURCE_WRITE_TIMEOUT_MS: '5000', APP_DRIFT_PROBE_MS: '100' },
      `create table uuids (id char(36) default uuid() primary key, body varchar(10));
       create table flags (id int not null default 7 primary key, body varchar(10));
       create table moved (id int primary key, body varchar(10));
       create table hashes (id binary(4) primary key, body varchar(10));
       create table amounts (id decimal(20, 4) primary key, body varchar(10));
       create table counters (id bigint unsigned primary key, body varchar(10));
       create table moods (id enum('good', 'it''s, bad') primary key, body varchar(10));
       create table moments (id datetime(6) primary key, body varchar(10));
       create table stamps (id timestamp(3) primary key, body varchar(10));
       create table days (id date primary key, body varchar(10));
       create table words (id char(10) character set latin1 primary key, body varchar(10));
       create table pairs (name varchar(20) collate utf8mb4_bin, number int auto_increment, body varchar(10), primary key (name, number), key (number));
       create trigger moving before insert on moved for each row set new.id = new.id + 100;`,
    );
  });

  afterAll(() => served.stop());

  const post = (path: string, body: unknown, prefer = 'return=representation') =>
    served.rest(path, { method: 'POST', headers: { ...json, prefer }, body: JSON.stringify(body) });

  test('a write that takes too long is stopped at the database, and the next one is done', async () => {
    const other = await createConnection(served.url);
    try {
      await other.query('start transaction');
      await other.query("select * from projects where code = 'web' for update");
      const late = await served.rest('projects?code=eq.web', {
        method: 'PATCH',
        headers: { ...json, prefer: 'return=representation' },
        body: JSON.stringify({ title: 'late' }),
      });
      expect([late.status, late.body]).toMatchObject([504, { code: '57014' }]);
      const [rows] = await other.query(
        "select count(*) as n from information_schema.processlist where info like '%for update%' and id <> connection_id()",
      );
      expect(rows).toEqual([{ n: 0 }]);
    } finally {
      await other.query('rollback');
      await other.end();
    }
    const done = await served.rest('projects?code=eq.web&select=code', {
      method: 'PATCH',
      headers: { ...json, prefer: 'return=representation' },
      body: JSON.stringify({ owner_id: null }),
    });
    expect([done.status, done.body]).toEqual([200, [{ code: 'web' }]]);
  });

  test.each([
    ['uuids', { body: 'x' }],
    ['flags', { body: 'x' }],
    ['moved', { id: 1, body: 'x' }],
  ])('a new key that nobody knows is refused, and nothing is kept: %s', async (table, row) => {
    expect((await post(table, row)).body).toMatchObject({ code: 'TW017' });
    expect((await served.rest(table)).body).toMatchObject({ data: [] });
    expect((await post(table, row, 'return=minimal')).status).toBe(204);
    expect((await served.rest(`${table}?select=body`)).body).toMatchObject({ data: [{ body: 'x' }] });
  });

  test.each([
    ['hashes', '\\xff010000', '\\xff010000'],
    ['amounts', 1234567890.5, 1234567890.5],
    ['counters', 9007199254740991, 9007199254740991],
    ['moods', `it's, bad`, `it's, bad`],
    ['moments', '2024-02-29T12:00:00.1234Z', '2024-02-29T12:00:00.1234'],
    ['stamps', '2024-02-29T14:00:00.5+02:00', '2024-02-29T12:00:00.5+00:00'],
    ['days', '2024-02-29', '2024-02-29'],
    ['words', 'Grün', 'Grün'],
  ])('a new row is found again by its key: %s', async (table, id, answered) => {
    expect((await post(table, [{ id, body: 'x' }])).body).toEqual([{ id: expect.anything() as unknown, body: 'x' }]);
    const { text } = await served.rest(`${table}?select=id`);
    expect(JSON.parse(text)).toMatchObject({ data: [{ id: answered }] });
    const merged = await post(table, [{ id, body: 'y' }], 'return=representation,resolution=merge-duplicates');
    expect([merged.status, merged.body]).toMatchObject([200, [{ body: 'y' }]]);
  });

  test('a key of two columns of which the database makes one', async () => {
    const rows = [
      { name: 'a', body: 'x' },
      { name: 'A', body: 'y' },
      { name: 'a', number: 70, body: 'z' },
    ];
    expect((await post('pairs', rows)).body).toEqual([
      { name: 'a', number: 1, body: 'x' },
      { name: 'A', number: 2, body: 'y' },
      { name: 'a', number: 70, body: 'z' },
    ]);
  });

  test('a changed database is followed', async () => {
    await served.load('alter table uuids add more int default 3');
    await until(async () => (await served.rest('uuids?select=more')).status === 200);
    expect((await served.rest('uuids?select=more')).body).toMatchObject({ data: [{ more: 3 }] });
  });
});
