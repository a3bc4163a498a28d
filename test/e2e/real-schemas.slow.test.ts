import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { connect, readCatalog } from '../../runtime/src/generator.js';
import { describeWhere } from '../support/describe-where.js';
import { expectFixedPoint } from '../support/fixed-point.js';
import { debianRoot } from '../support/machine/needs.js';
import {
  graphqlFailures,
  listFields,
  restFailures,
  serveDatabase,
  type ServedDatabase,
} from '../support/served-database.js';

const schemas = [
  {
    name: 'Zabbix 6.0',
    need: 'zabbix',
    files: ['schema', 'images', 'data'].map((name) => `usr/share/zabbix-server-pgsql/${name}.sql.gz`),
  },
  { name: 'Icinga DB 1.1', need: 'icinga', files: ['usr/share/icingadb/schema/pgsql/schema.sql'] },
] as const;

for (const schema of schemas) {
  describeWhere(schema.need)(`${schema.name}, a schema of others`, () => {
    let served: ServedDatabase;

    beforeAll(async () => {
      served = await serveDatabase(
        'real',
        await Promise.all(schema.files.map(async (file) => readSql(join(debianRoot, file)))),
      );
    });

    afterAll(async () => {
      await served.stop();
    });

    test('has tables', () => {
      expect(served.tables.length).toBeGreaterThan(50);
    });

    test('has a catalogue that is a fixed point', async () => {
      const connection = await connect(served.url);
      try {
        expectFixedPoint(await readCatalog(connection));
      } finally {
        await connection.close();
      }
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
