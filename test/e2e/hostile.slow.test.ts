import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  generate,
  graphqlFailures,
  listFields,
  restFailures,
  serveDatabase,
  type ListField,
  type ServedDatabase,
} from '../support/served-database.js';

const shortest = { schemaPrefix: 'never', columns: 'camel', relations: 'simple' };

/**
 * test/cases/hostile has every name, comment, label, key and type that has ever broken a generator.
 */
describe.each([
  ['the hostile schema, from the database to the answer', {}],
  ['the hostile schema by the shortest names', { names: shortest }],
])('%s', (_title, config) => {
  let served: ServedDatabase;
  let fields: readonly ListField[];

  beforeAll(async () => {
    const schema = await readFile(join(import.meta.dirname, '../cases/hostile/schema.sql'), 'utf8');
    served = await serveDatabase('hostile', [schema], config);
    fields = await listFields(served.server);
  });

  afterAll(async () => {
    await served.stop();
  });

  test('has tables', () => {
    expect(served.tables.length).toBeGreaterThan(100);
  });

  test('every table answers over REST', async () => {
    expect(await restFailures(served)).toEqual([]);
  });

  test('every table with columns is a GraphQL field', () => {
    const withoutColumns = served.tables.filter((table) => table.name === 'no_columns');
    expect(withoutColumns).toHaveLength(1);
    expect(fields).toHaveLength(served.tables.length - withoutColumns.length);
  });

  test('every table answers over GraphQL, with all its columns', async () => {
    expect(await graphqlFailures(served.server, fields, ({ columns }) => columns.join(' '))).toEqual([]);
  });

  test('every relation answers over GraphQL', async () => {
    const related = fields.filter((field) => field.relations.length > 0);
    expect(related.length).toBeGreaterThan(10);
    const selection = ({ relations }: ListField): string =>
      relations.map(({ name, column }) => `${name} { ${column} }`).join(' ');
    expect(await graphqlFailures(served.server, related, selection)).toEqual([]);
  });

  test('generating again changes no byte and touches no file', async () => {
    const before = await snapshot(served.folder);
    await generate(served.url, served.folder);
    expect(await snapshot(served.folder)).toEqual(before);
  });
});

/** Every generated file with its time of modification. */
async function snapshot(folder: string): Promise<ReadonlyMap<string, string>> {
  const root = join(folder, 'src');
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    await Promise.all(
      files
        .sort()
        .map(async (file) => [file, `${(await stat(file)).mtimeMs} ${await readFile(file, 'utf8')}`] as const),
    ),
  );
}
