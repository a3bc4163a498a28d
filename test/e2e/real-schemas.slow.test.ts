import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describeWhere } from '../support/describe-where.js';
import {
  graphqlFailures,
  listFields,
  restFailures,
  serveDatabase,
  type ServedDatabase,
} from '../support/served-database.js';

/** The folder of unpacked Debian packages; installed packages are at the root. */
const debian = process.env['TABLEWRIGHT_DEBIAN_ROOT'] ?? '/';

const schemas = [
  {
    name: 'Zabbix 6.0',
    package: 'zabbix-server-pgsql',
    files: ['schema', 'images', 'data'].map((name) => `usr/share/zabbix-server-pgsql/${name}.sql.gz`),
  },
  { name: 'Icinga DB 1.1', package: 'icingadb', files: ['usr/share/icingadb/schema/pgsql/schema.sql'] },
];

for (const schema of schemas) {
  const available = schema.files.every((file) => existsSync(join(debian, file)));
  describeWhere(available, `the Debian package ${schema.package}`)(`${schema.name}, a schema of others`, () => {
    let served: ServedDatabase;

    beforeAll(async () => {
      served = await serveDatabase(
        'real',
        await Promise.all(schema.files.map(async (file) => readSql(join(debian, file)))),
      );
    });

    afterAll(async () => {
      await served.stop();
    });

    test('has tables', () => {
      expect(served.tables.length).toBeGreaterThan(50);
    });

    test('every table answers over REST', async () => {
      expect(await restFailures(served)).toEqual([]);
    });

    test('every table answers over GraphQL, with all its columns', async () => {
      const fields = await listFields(served.server);
      expect(fields.length).toBeGreaterThanOrEqual(served.tables.length);
      expect(await graphqlFailures(served.server, fields, ({ columns }) => columns.join(' '))).toEqual([]);
    });
  });
}

async function readSql(path: string): Promise<string> {
  const content = await readFile(path);
  return (path.endsWith('.gz') ? gunzipSync(content) : content).toString('utf8');
}
