import { describeMysql } from '../../support/mysql.js';
import { bothWays } from './features.js';
import { serveMysql, type ServedMysql } from './served.js';

/** What the server writes as CSV, it reads back the same: each type with its awkward values. */
const values: Readonly<Record<string, readonly string[]>> = {
  'varchar(20)': ["'NULL'", "'null'", "''", "' '", '\'a,"b"\'', "'a\\nb\\r\\nc'", "'\"'", "'\\\\x'", "'1.50'", "'𝄞'"],
  text: ["'NULL'", "''"],
  tinyint: ['-128'],
  'bigint unsigned': ['18446744073709551615'],
  'decimal(30,10)': ['1.5', '-0.0000000001', '12345678901234567890.1234567890'],
  double: ['0.1', '1.7976931348623157e308', '-0.5'],
  'tinyint(1)': ['1', '0'],
  date: ["'2024-02-29'", "'1000-01-01'"],
  'datetime(6)': ["'2024-02-29 12:00:00.123456'"],
  'timestamp(3)': ["'2024-02-29 12:00:00.5'"],
  'time(2)': ["'-838:59:59'", "'12:00:00.25'"],
  year: ['2024'],
  json: [`'"1"'`, `'"NULL"'`, `'""'`, `'"a,b"'`, `'{"b":1,"a":null}'`, `'[1,"x",[],{}]'`, `'true'`, `'1.50'`],
  blob: ["''", "x'00ff22'"],
  "enum('NULL','so so','a,b')": ["'NULL'", "'so so'", "'a,b'"],
  "set('NULL','so so','a')": ["''", "'NULL'", "'so so,a'"],
  uuid: ["'00000000-0000-0000-0000-00000000000a'"],
  inet6: ["'::1'"],
};

const columns = Object.keys(values).map((type, at) => ({ type, name: `c${String(at)}` }));
const longest = Math.max(...Object.values(values).map(({ length }) => length));
const rowOf = (n: number): string => columns.map(({ type }) => values[type]?.[n] ?? 'null').join(', ');
const schema = `
  create table cells (id int primary key, ${columns.map(({ name, type }) => `${name} ${type} null`).join(', ')})
    character set utf8mb4;
  ${Array.from({ length: longest + 1 }, (_, n) => `insert into cells values (${String(n)}, ${rowOf(n)});`).join('\n')}
  create table copies like cells;
  create view different as select a.id from cells a join copies b using (id) where not (${columns
    .map(({ name }) => `binary a.${name} <=> binary b.${name}`)
    .join(' and ')});`;

describe.each(bothWays)('a server of a MariaDB database%s', (_, environment) => {
  describeMysql('', () => {
    let served: ServedMysql;
    beforeAll(async () => {
      served = await serveMysql({ ...environment, APP_REST_POSTGREST: '/rest/v1' }, '', schema);
    });
    afterAll(() => served.stop());

    test.each(['/api/v1', '/rest/v1'])('reads back what it wrote as CSV at %s', async (base) => {
      const accept = { accept: 'text/csv' };
      const written = await fetch(`${served.base}${base}/cells?order=id`, { headers: accept });
      expect(written.status).toBe(200);
      const csv = await written.text();
      const headers = { ...accept, 'content-type': 'text/csv', prefer: 'return=representation' };
      const read = await fetch(`${served.base}${base}/copies`, { method: 'POST', headers, body: csv });
      expect([read.status, await read.text()]).toEqual([201, csv]);
      const different = await fetch(`${served.base}/rest/v1/different`);
      expect(await different.json()).toEqual([]);
      const removal = await fetch(`${served.base}/rest/v1/copies?id=gte.0`, { method: 'DELETE' });
      expect(removal.status).toBe(204);
    });
  });
});
