import type { Dialect } from '../../../runtime/src/dialect/dialect.js';
import { mysql } from '../../../runtime/src/dialect/mysql/dialect.js';
import { inNamesOfApi } from '../../../runtime/src/dialect/postgres/catalog/in-names-of-api.js';
import { postgres } from '../../../runtime/src/dialect/postgres/dialect.js';
import { sameNames, schemaNamesOf, withNames } from '../../../runtime/src/dialect/schema-names.js';
import { createPrepare } from '../../../runtime/src/server/prepare.js';
import { describeCase } from '../../support/describe-database.js';
import { settingsWith } from '../../support/settings.js';
import { restForm } from '../../../runtime/src/plan/intent-form.js';

const settings = settingsWith();

describe.each([
  ['board', postgres],
  ['relations', postgres],
  ['mysql', mysql],
] as const)('statements of the case %s', (name, dialect) => {
  const { registry } = describeCase(name);
  const forTenants: Dialect = { ...dialect, ...dialect.tenants?.compilers() };
  const schemas = new Set(registry.tables.map(({ schema }) => schema));
  const quote = dialect === mysql ? '`' : '"';
  const quoted = (schema: string): string => `${quote}${schema.replaceAll(quote, quote + quote)}${quote}.`;
  const texts = (of: Dialect): readonly string[] =>
    registry.tables.map(
      (table) =>
        createPrepare({ registry, settings, dialect: of })({
          kind: 'rows',
          read: {
            table,
            select: table.columns.map((column) => ({ kind: 'column', as: column.name, column: column.name })),
            limit: { read: () => 1, form: 'json', constant: 1, most: 1 },
            form: restForm,
          },
          count: 'planned',
          format: 'json',
        }).text,
    );

  test('for tenants are those of a server without tenants, but for the marks', () => {
    const marked = texts(forTenants);
    expect(marked.length).toBeGreaterThan(0);
    expect(marked.every((text) => text.includes('\0'))).toBe(true);
    expect(marked.map((text) => withNames(text, sameNames))).toEqual(texts(dialect));
  });

  test('name the schemas of a tenant, and none of the server', () => {
    const names = schemaNamesOf(
      [...schemas].map((schema, at) => [schema, `of "a" \`tenant\` ${String(at)}`] as const),
      [],
      undefined,
    );
    for (const text of texts(forTenants).map((each) => withNames(each, names))) {
      expect(text).not.toContain('\0');
      expect(text).toContain(dialect === mysql ? 'of "a" ``tenant``' : 'of ""a"" `tenant`');
      for (const schema of schemas) expect(text).not.toContain(quoted(schema));
    }
  });
});

test('a name that ends a quotation is no SQL', () => {
  const names = schemaNamesOf([['sh"op', 'a".b; --']], [], undefined);
  expect(withNames('select 1 from "\0sh""op"."t"', names)).toBe('select 1 from "a"".b; --"."t"');
});

test.each(['\0', '\0"a"', 'select "\0', 'select "\0a""', "select '\0shop'"])(
  'a mark without quotations stays: %j',
  (text) => {
    expect(withNames(text, schemaNamesOf([['shop', 'acme']], [], undefined))).toBe(text);
  },
);

test('a schema that is elsewhere for a tenant is of no schema of the API', () => {
  const { of, schemaOf } = schemaNamesOf([['shop', 'acme']], [], undefined);
  expect([of('shop'), of('common'), schemaOf('acme'), schemaOf('common')]).toEqual([
    'acme',
    'common',
    'shop',
    'common',
  ]);
  expect(['shop', 'acme', 'common']).not.toContain(schemaOf('shop'));
});

test('a catalogue in the names of the API: types as they are printed, and the order', () => {
  const names = schemaNamesOf(
    [
      ['order', 'a.b'],
      ['zoo', 'acme'],
    ],
    [],
    undefined,
  );
  const quoted = new Map([
    ['order', '"order"'],
    ['zoo', 'zoo'],
  ]);
  const catalog = (first: string, second: string, ...types: readonly string[]): string =>
    JSON.stringify({
      dialect: 'postgres',
      enums: [
        { schema: first, name: 'b', labels: ['a.b.c'] },
        { schema: second, name: 'a', labels: [] },
      ],
      routines: [{ schema: first, name: 'f', signature: `x ${types[0] ?? ''}, "y.z" ${types[1] ?? ''}[]` }],
      extensions: [],
      schemas: [
        { name: first, comment: 'a.b' },
        { name: second, comment: null },
      ],
    });
  expect(JSON.parse(inNamesOfApi(catalog('acme', 'a.b', 'acme.state', '"a.b".state'), names, quoted))).toEqual({
    ...(JSON.parse(catalog('zoo', 'order', 'zoo.state', '"order".state')) as object),
    enums: [
      { schema: 'order', name: 'a', labels: [] },
      { schema: 'zoo', name: 'b', labels: ['a.b.c'] },
    ],
    schemas: [
      { name: 'order', comment: null },
      { name: 'zoo', comment: 'a.b' },
    ],
  });
});
