import { buildModel, type Model, type ModelOptions } from '../../../runtime/src/generator.js';
import { catalog, column, primaryKey, table } from '../../support/catalog.js';
import { refusalOf } from '../../support/refusal.js';

const mysqlColumn = (name: string, formatted: string) => {
  const found = column(name, formatted.replace(/\(\d+\)/, ''));
  return { ...found, type: { ...found.type, schema: 'mysql', formatted } };
};

const columns = [
  mysqlColumn('id', 'int'),
  mysqlColumn('flag', 'tinyint(1)'),
  mysqlColumn('level', 'tinyint(1)'),
  mysqlColumn('wide', 'bigint'),
  mysqlColumn('bits', 'bit(1)'),
  mysqlColumn('body', 'longtext'),
  mysqlColumn('at', 'date'),
];
const tables = [
  table('s.t', columns, { primaryKey: primaryKey('id') }),
  table('s.u', columns, { primaryKey: primaryKey('id', 'flag') }),
];
const mysql = { ...catalog({ tables }), dialect: 'mysql' as const };

const modelWith = (types: NonNullable<ModelOptions['types']>): Model => buildModel(mysql, { types });
const kindsOf = ({ tables: all }: Model): readonly (readonly string[])[] =>
  all.map(({ descriptor }) => descriptor.columns.map(({ type }) => type.kind));

const plain = ['int', 'int', 'int', 'bigint', 'other', 'text', 'date'];

it('has the types of the database without it', () => {
  expect(kindsOf(modelWith({}))).toEqual([plain, plain]);
});

it('has an entry for one column before those with *, and those before types, in any order', () => {
  const given = {
    'tinyint(1)': 'boolean',
    '*.*.bo*': 'json',
    's.*.level': 'database',
    's.u.level': 'boolean',
    's.t.wide': 'boolean',
    'bit(1)': 'boolean',
  } as const;
  const expected = [
    ['int', 'boolean', 'int', 'boolean', 'boolean', 'json', 'date'],
    // A key keeps its type.
    ['int', 'int', 'boolean', 'bigint', 'boolean', 'json', 'date'],
  ];
  expect(kindsOf(modelWith(given))).toEqual(expected);
  const model = modelWith(Object.fromEntries(Object.entries(given).reverse()));
  expect(kindsOf(model)).toEqual(expected);
  expect(model.warnings).toEqual([]);
});

it('leaves alone what an entry with * does not fit', () => {
  expect(kindsOf(modelWith({ 's.t.*': 'boolean' }))[0]).toEqual([
    ...['int', 'boolean', 'boolean', 'bigint', 'boolean', 'text', 'date'],
  ]);
});

it('says which entry names nothing', () => {
  expect(modelWith({ 's.t.gone': 'boolean' }).warnings).toEqual([
    expect.objectContaining({ code: 'TYPE_UNMATCHED', message: expect.stringContaining('s.t.gone') as string }),
  ]);
});

it.each([
  [{ 's.t.body': 'boolean' }, 's.t.body is longtext, and can’t be boolean.'],
  [{ 's.t.at': 'boolean' }, 's.t.at is date, and can’t be boolean.'],
  [{ 's.t.wide': 'json' }, 's.t.wide is bigint, and can’t be json.'],
  [{ 's.u.flag': 'boolean' }, 's.u.flag identifies rows'],
] as const)('%j is refused', (types, message) => {
  expect(refusalOf(() => modelWith(types))).toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringContaining(message) as string,
  });
});

it('is refused for PostgreSQL, which has these types', () => {
  const refusal = refusalOf(() => buildModel(catalog({ tables: [] }), { types: { 's.t.flag': 'boolean' } }));
  expect(refusal).toMatchObject({ code: 'CONFIG_INVALID' });
});
