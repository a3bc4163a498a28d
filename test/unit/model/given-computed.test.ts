import type { Routine, TypeRef } from '../../../runtime/src/catalog/catalog.js';
import type { GivenComputed } from '../../../runtime/src/descriptor/options.js';
import { buildModel } from '../../../runtime/src/generator.js';
import { catalog, column, table } from '../../support/catalog.js';
import { refusalOf } from '../../support/refusal.js';

const type = (name: string, formatted = name): TypeRef => ({
  schema: 'mysql',
  name,
  array: false,
  kind: 'base',
  modifier: null,
  formatted,
});

const named = (schema: string, name: string): TypeRef => ({
  ...type('enum', `enum of ${name}`),
  schema,
  name,
  kind: 'enum',
});

const routine = (name: string, types: readonly TypeRef[], facts: Partial<Routine> = {}): Routine => ({
  schema: 's',
  name,
  kind: 'function',
  signature: '',
  arguments: types.map((each, at) => ({ name: `a${String(at)}`, mode: 'in', type: each, hasDefault: false })),
  returns: type('varchar', 'varchar(40)'),
  returnsSet: false,
  volatility: 'stable',
  strict: false,
  securityDefiner: true,
  executable: true,
  comment: null,
  ...facts,
});

const enums = [
  { schema: 's', name: 'orders.state', labels: ['open', 'done'], comment: null },
  { schema: 's', name: 'of_state.a0', labels: ['open', 'done', 'gone'], comment: null },
  { schema: 's', name: 'of_less.a0', labels: ['open'], comment: null },
];

const facts = {
  dialect: 'mysql',
  enums,
  tables: [
    table('s.orders', [
      column('id', type('bigint')),
      column('small', type('smallint unsigned')),
      column('total', type('decimal', 'decimal(10,2)')),
      column('day', type('date')),
      column('state', named('s', 'orders.state')),
    ]),
  ],
  routines: [
    routine('of_int', [type('int')]),
    routine('of_decimal', [type('decimal', 'decimal(12,4)')]),
    routine('of_text', [type('varchar', 'varchar(80)')]),
    routine('of_time', [type('datetime')]),
    routine('of_bytes', [type('blob')]),
    routine('of_state', [named('s', 'of_state.a0')]),
    routine('of_less', [named('s', 'of_less.a0')]),
    routine('writes', [type('bigint')], { volatility: 'volatile' }),
    routine('with_more', [type('bigint'), type('int')]),
    routine('proc', [type('bigint')], { kind: 'procedure', returns: null }),
  ],
} as const;

const build = (field: GivenComputed, name = 'label', key = 's.orders') =>
  buildModel(catalog(facts), { computed: { [key]: { [name]: field } } });

const of = (called: string, ...columns: string[]): GivenComputed => ({ function: `s.${called}`, columns });

test.each([
  [of('of_int', 'small')],
  [of('of_decimal', 'id')],
  [of('of_decimal', 'total')],
  [of('of_text', 'state')],
  [of('of_text', 'day')],
  [of('of_time', 'day')],
  [of('of_state', 'state')],
])('%j is a field of its table', (field) => {
  const [orders] = build(field).tables;
  expect(orders?.descriptor.computed).toMatchObject([{ name: 'label', columns: field.columns }]);
});

test('arguments without a column are arguments of the field', () => {
  const [orders] = build(of('with_more', 'id')).tables;
  expect(orders?.descriptor.computed?.[0]?.arguments).toMatchObject([{ name: 'a1' }]);
});

test.each([
  [of('nothing', 'id'), 'the database has no function s.nothing.'],
  [of('proc', 'id'), 'the database has no function s.proc.'],
  [of('writes', 'id'), 's.writes is declared MODIFIES SQL DATA, and reading a field must not write.'],
  [of('of_int', 'gone'), 's.orders has no column gone.'],
  [of('of_int', 'id'), 'the column id is bigint, and the argument a0 of s.of_int is int.'],
  [of('of_int', 'total'), 'the column total is decimal(10,2), and the argument a0 of s.of_int is int.'],
  [of('of_bytes', 'day'), 'the column day is date, and the argument a0 of s.of_bytes is blob.'],
  [
    of('of_less', 'state'),
    'the column state is enum of orders.state, and the argument a0 of s.of_less is enum of of_less.a0.',
  ],
  [of('of_int', 'small', 'id'), 's.of_int has 1 arguments, not 2.'],
])('%j is refused', (field, message) => {
  expect(refusalOf(() => build(field))).toMatchObject({
    code: 'CONFIG_INVALID',
    message: `computed["s.orders"].label: ${message}`,
  });
});

test('a table that is not served, a name that a column has, and PostgreSQL are refused', () => {
  const field = of('with_more', 'id');
  expect(refusalOf(() => build(field, 'label', 's.gone')).message).toContain('no such table or view');
  expect(refusalOf(() => build(field, 'day')).message).toContain('a column of that name');
  const given = { computed: { 's.t': { label: field } } };
  const postgres = catalog({ tables: [table('s.t', [column('id', 'int4')])] });
  expect(refusalOf(() => buildModel(postgres, given)).hint).toContain('(row s.t)');
});
