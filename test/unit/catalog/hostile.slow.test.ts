import { readFile } from 'node:fs/promises';
import {
  connect,
  fingerprint,
  parseCatalog,
  pgliteConnection,
  portable,
  readCatalog,
  serializeCatalog,
  type Catalog,
  type Table,
} from '../../../runtime/src/generator.js';
import { createPglite } from '../../support/pglite-data.js';
import { createTestDatabase, loadSql, type TestServer } from '../../support/postgres.js';

const schemaFile = new URL('../../cases/hostile/schema.sql', import.meta.url);

async function readServer(server: TestServer): Promise<Catalog> {
  const database = await createTestDatabase('catalog_hostile', server);
  try {
    await loadSql(database.url, await readFile(schemaFile, 'utf8'));
    const connection = await connect(database.url);
    try {
      return await readCatalog(connection);
    } finally {
      await connection.close();
    }
  } finally {
    await database.drop();
  }
}

async function readPglite(): Promise<Catalog> {
  const database = await createPglite();
  await database.exec(await readFile(schemaFile, 'utf8'));
  const connection = await pgliteConnection(database, 'pglite:memory');
  try {
    return await readCatalog(connection);
  } finally {
    await connection.close();
  }
}

const quoted = 'quote" tick` ${x} */ \u2028 end';

describe.each([
  ['the server at hand', () => readServer('any')],
  ['PostgreSQL 18', () => readServer('embedded')],
  ['PGlite', readPglite],
])('readCatalog on the hostile schema (%s)', (_, read) => {
  let catalog: Catalog;

  beforeAll(async () => {
    catalog = await read();
  });

  const table = (schema: string, name: string): Table => {
    const found = catalog.tables.find((each) => each.schema === schema && each.name === name);
    if (found === undefined) throw new Error(`no table ${schema}.${name}`);
    return found;
  };
  const columns = (name: string): readonly string[] => table('public', name).columns.map((column) => column.name);

  it('keeps every name as it is', () => {
    const names = catalog.tables.filter((each) => each.schema === 'public').map((each) => each.name);
    expect(names).toEqual(
      expect.arrayContaining([
        ...[
          'quoted "name"',
          'Just A Name',
          'dotted.name',
          'جدول',
          '🚀',
          'casing',
          'Casing',
          'CASING',
          'foo_bar',
          'fooBar',
        ],
        ...[
          'é',
          'e\u0301',
          'select',
          'class',
          'constructor',
          '__proto__',
          'toString',
          'tick`${x}',
          'end */ of comment',
        ],
        ...[
          'line\u2028separator',
          'line\nbreak',
          'right\u202eto left',
          '../x',
          '.',
          '..',
          'a/b',
          'a\\b',
          'con',
          'nul',
          'aux ',
        ],
        ...['1st', "'", '?', 'no_columns', 'widest'],
      ]),
    );
    expect(catalog.schemas.map((schema) => schema.name)).toEqual([
      ...['../up', 'My Schema', 'Public', '__proto__', 'con', 'constructor', 'empty_schema', 'public', quoted],
      ...['schema_name_of_exactly_sixty_three_bytes_which_is_the_longest_1', 'weird.schema', 'مدرسة'],
    ]);
    expect(columns('casing')).toEqual(['id', 'note', 'Note', 'NOTE']);
    expect(columns('constructor')).toEqual(['constructor', 'prototype', 'then', 'toJSON', 'valueOf']);
    expect(columns('__proto__')).toEqual(['__proto__', '__defineGetter__', 'hasOwnProperty']);
    const longest = catalog.tables.filter((each) => Buffer.byteLength(each.name) === 63);
    expect(longest).toHaveLength(3);
  });

  it('orders by code point, columns as the table has them', () => {
    const bytes = catalog.tables.map((each) => Buffer.from(`${each.schema}\0${each.name}`));
    expect(bytes).toEqual([...bytes].sort((a, b) => Buffer.compare(a, b)));
    expect(columns('dropped_columns')).toEqual(['id', 'kept', 'last']);
    expect(columns('no_columns')).toEqual([]);
    const widest = columns('widest');
    expect([widest.length, widest[0], widest[1599]]).toEqual([1600, 'c0001', 'c1600']);
  });

  it('keeps comments, labels and defaults as they are', () => {
    const issues = table('public', 'issues');
    expect(issues.comment).toBe(
      '*/ ` ${x} " \u2028 \u2029 \u202e ../x con nul \\ </script> @deprecated {@link x} %s $1',
    );
    expect(issues.columns[0]?.comment).toBe('*/ ` ${x} "\n@name drop\r\n * starred\t\\');
    const labels = catalog.enums.find((type) => type.name === 'hostile_label')?.labels;
    expect(labels).toEqual(
      expect.arrayContaining([
        '',
        ' ',
        '1st',
        'constructor',
        '__proto__',
        'a',
        'A',
        '"',
        '`',
        '${x}',
        '*/',
        '\n',
        '\u2028',
        '\\',
      ]),
    );
    expect(labels?.slice(0, 3)).toEqual(['', ' ', 'two words']);
    const defaults = Object.fromEntries(
      table('public', 'defaults').columns.map((column) => [column.name, column.default]),
    );
    expect(defaults).toMatchObject({
      id: "nextval('public.defaults_id_seq'::regclass)",
      hostile: `'*/ \` \${x} " '' \u2028 ../x con nul \\ $1 ? :x'::text`,
      fixed: "'2024-02-29 10:00:00+00'::timestamp with time zone",
      label: "'*/'::public.hostile_label",
      domain: null,
      required: null,
    });
    expect(catalog.enums.find((type) => type.name === 'no_labels')?.labels).toEqual([]);
  });

  it('resolves foreign keys by identity, across schemas and same names', () => {
    const keys = (schema: string, name: string): unknown[] =>
      table(schema, name).foreignKeys.map(({ columns, references: to }) => [columns, to.schema, to.name, to.columns]);
    expect(keys('My Schema', 'issues')).toEqual([
      [['constructor'], 'public', 'constructor', ['constructor']],
      [['order'], 'public', 'select', ['from']],
      [['other issue'], 'public', 'issues', ['id']],
    ]);
    expect(keys('Public', 'issues')).toEqual([[['issue'], 'My Schema', 'issues', ['id']]]);
    expect(keys('__proto__', 'constructor')).toEqual([[['__proto__'], 'constructor', '__proto__', ['constructor']]]);
    expect(keys('public', 'tenant_rows')).toEqual([
      [['backup_id', 'tenant_id'], 'public', 'tenants', ['id', 'tenant_id']],
      [['tenant_id', 'code'], 'public', 'tenants', ['tenant_id', 'code']],
      [['tenant_id', 'owner_id'], 'public', 'tenants', ['tenant_id', 'id']],
    ]);
    expect(table('public', 'duplicate_keys').foreignKeys.map((key) => [key.name, key.onDelete])).toEqual([
      ['first', 'noAction'],
      ['second', 'setNull'],
    ]);
    expect(table('public', 'all_key').primaryKey?.columns).toEqual(['b', 'a']);
  });

  it('hides partitions, shows inheritance children', () => {
    const names = new Set(catalog.tables.map((each) => each.name));
    expect(
      ['events_2024', 'events_2025', 'events_2025_a', 'hashed_0', 'partition_elsewhere'].filter((n) => names.has(n)),
    ).toEqual([]);
    expect(['events', 'hashed', 'no_partitions'].map((name) => table('public', name).kind)).toEqual(
      Array(3).fill('partitionedTable'),
    );
    // A foreign key to a partitioned table counts once, and not again for each partition.
    expect(table('public', 'event_notes').foreignKeys).toHaveLength(1);
    expect(columns('grandchild')).toEqual(['id', 'name', 'second', 'extra', 'deep']);
  });

  it('tells what a type is made of', () => {
    const types = Object.fromEntries(table('public', 'user_types').columns.map(({ name, type }) => [name, type]));
    const brief = (name: string): unknown[] => [
      types[name]?.kind,
      types[name]?.schema,
      types[name]?.name,
      types[name]?.array,
    ];
    expect(brief('other')).toEqual(['enum', 'My Schema', 'mood', false]);
    expect(brief('labels')).toEqual(['enum', 'public', 'hostile_label', true]);
    expect(brief('a_texts')).toEqual(['domain', 'public', 'texts', false]);
    expect(brief('texts_array')).toEqual(['domain', 'public', 'texts', true]);
    expect(brief('a_row')).toEqual(['composite', 'public', 'all_key', false]);
    expect(brief('ranges')).toEqual(['range', 'pg_catalog', 'int4range', true]);
    expect(brief('hostile')).toEqual(['composite', 'public', 'composite `${x}` */ "', false]);
    const nullable = table('public', 'user_types').columns.filter((column) => !column.nullable);
    expect(nullable.map((column) => column.name)).toEqual(['id', 'a_very_positive']);
    expect(catalog.domains.find((type) => type.name === 'texts')?.base).toMatchObject({ name: 'text', array: true });
    expect(catalog.domains.find((type) => type.name === 'pairs_domain')?.base).toMatchObject({
      kind: 'composite',
      array: true,
    });
    // The domains that a view over information_schema uses.
    expect(catalog.domains.map((type) => `${type.schema}.${type.name}`)).toContain('information_schema.sql_identifier');
    expect(catalog.composites.map((type) => type.name)).not.toContain('all_key');
    expect(catalog.composites.find((type) => type.name === 'empty_composite')?.attributes).toEqual([]);
    expect(catalog.ranges.map((type) => type.name)).toEqual(
      expect.arrayContaining(['int4range', 'daterange', 'float_range', 'Range "of" text']),
    );
  });

  it('tells overloads apart and leaves out what cannot be called', () => {
    const named = (name: string): string[] =>
      catalog.routines
        .filter((routine) => routine.schema === 'public' && routine.name === name)
        .map((r) => r.signature);
    expect(named('overloaded')).toEqual(['', 'a integer, b integer', 'integer', 'text']);
    expect(named('counted')).toHaveLength(2);
    for (const left of ['first_of', 'touch', 'on_ddl', 'float_range', 'Range "of" text'])
      expect(named(left)).toEqual([]);
    const hostile = catalog.routines.find((routine) => routine.name === 'function " ` ${x} */ \u2028');
    expect(hostile?.arguments).toMatchObject([{ name: 'arg " ` ${x} */', mode: 'in', hasDefault: true }]);
  });

  it('tells what can be written', () => {
    const writes = (name: string): unknown => {
      const { insertable, updatable, deletable } = table('public', name);
      return [insertable, updatable, deletable];
    };
    expect(writes('simple_view')).toEqual([true, true, true]);
    expect(writes('view_on_view')).toEqual([true, true, true]);
    expect(writes('read_only_view')).toEqual([false, false, false]);
    expect(writes('triggered')).toEqual([true, false, false]);
    expect(writes('ruled')).toEqual([true, false, false]);
    expect(writes('materialized')).toEqual([false, false, false]);
    expect(table('public', 'partly_updatable').columns.map((column) => column.updatable)).toEqual([true, false, true]);
    expect(table('public', 'triggered').columns.map((column) => column.updatable)).toEqual([true, true]);
    expect(table('public', 'generated').columns.map((column) => column.updatable)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it('goes through catalog.json and back', () => {
    const text = serializeCatalog(catalog);
    expect(parseCatalog(text)).toEqual(portable(catalog));
    expect(serializeCatalog(parseCatalog(text))).toBe(text);
    expect(fingerprint(parseCatalog(text))).toBe(fingerprint(catalog));
    expect(text).not.toMatch(/[\u2028\u2029\u202e]/);
  });
});
