import type { Routine, RoutineArgument, TypeRef } from '../../../runtime/src/catalog/catalog.js';
import type { GivenProcedure } from '../../../runtime/src/descriptor/options.js';
import { buildModel } from '../../../runtime/src/generator.js';
import { catalog, column, table } from '../../support/catalog.js';
import { refusalOf } from '../../support/refusal.js';

const int: TypeRef = { schema: 'mysql', name: 'int', array: false, kind: 'base', modifier: null, formatted: 'int' };
const state: TypeRef = { ...int, schema: 's', name: 'orders.state', kind: 'enum', formatted: "enum('open')" };

const procedure = (name: string, modes: readonly RoutineArgument['mode'][]): Routine => ({
  schema: 's',
  name,
  kind: 'procedure',
  signature: '',
  arguments: modes.map((mode, at) => ({ name: `a${String(at)}`, mode, type: int, hasDefault: false })),
  returns: null,
  returnsSet: false,
  volatility: 'volatile',
  strict: false,
  securityDefiner: true,
  executable: true,
  comment: null,
});

const facts = {
  dialect: 'mysql',
  enums: [{ schema: 's', name: 'orders.state', labels: ['open'], comment: null }],
  tables: [table('s.orders', [column('id', int), column('state', state)])],
  routines: [procedure('report', ['in']), procedure('both', ['in', 'out', 'inout'])],
} as const;

const model = (procedures: Readonly<Record<string, GivenProcedure>>, exclude: readonly string[] = []) =>
  buildModel(catalog(facts), { procedures, exclude });

test('rows of a table', () => {
  const { functions, procedures, warnings } = model({ 's.report': { returns: 's.orders' } });
  expect(functions.map(({ descriptor }) => descriptor)).toMatchObject([
    { field: 'callSReport', operation: 'mutation', returnsSet: true, table: 'sOrders', resultSet: ['in'] },
  ]);
  expect(procedures.map(({ descriptor }) => descriptor.field)).toEqual(['callSBoth']);
  expect(warnings).toEqual([]);
});

test('columns with types, of which one is that of a column', () => {
  const returns = {
    n: 'INT unsigned',
    price: 'decimal( 12, 2 )',
    state: 's.orders.state',
    doc: 'json',
    at: 'datetime(3)',
  };
  const { functions, composites, enums } = model({ 's.report': { returns } });
  expect(functions[0]?.descriptor.returns).toMatchObject({ kind: 'composite', composite: 'CallSReportResult' });
  expect(composites[0]?.descriptor.attributes.map(({ name, type }) => [name, type.kind, type.sql.name])).toEqual([
    ['n', 'bigint', 'int unsigned'],
    ['price', 'numeric', 'decimal'],
    ['state', 'enum', 'enum'],
    ['doc', 'json', 'json'],
    ['at', 'timestamp', 'datetime'],
  ]);
  expect(enums.map(({ descriptor }) => descriptor.type)).toEqual(['SOrdersState']);
});

test('several result sets are JSON', () => {
  const { functions, composites } = model({
    's.report': { returns: ['s.orders', { n: 'int', state: 's.orders.state' }] },
  });
  expect(functions.map(({ descriptor }) => descriptor)).toMatchObject([
    {
      field: 'callSReport',
      operation: 'mutation',
      returns: { kind: 'json' },
      resultSet: ['in'],
      sets: [{ table: 'sOrders' }, { columns: [{ name: 'n' }, { name: 'state', type: { kind: 'enum' } }] }],
    },
  ]);
  expect(functions[0]?.descriptor).not.toHaveProperty('returnsSet');
  expect(composites).toEqual([]);
});

test('OUT parameters are no arguments, and a warning says that they are not answered', () => {
  const { functions, warnings } = model({ 's.both': { returns: 's.orders' } });
  expect(functions[0]?.descriptor).toMatchObject({
    arguments: [
      { name: 'a0', mode: 'in' },
      { name: 'a2', mode: 'in' },
    ],
    resultSet: ['in', 'out', 'inout'],
  });
  expect(warnings.map(({ message }) => message)).toEqual([
    'The OUT parameters of s.both are not part of its answer, which is its result set.',
  ]);
});

test.each<readonly [Readonly<Record<string, GivenProcedure>>, string]>([
  [{ 's.gone': { returns: 's.orders' } }, 'procedures["s.gone"]: no such procedure is served.'],
  [{ 's.report': { returns: 's.gone' } }, 'procedures["s.report"]: returns: no table or view s.gone is served.'],
  [{ 's.report': { returns: { n: 'nonsense' } } }, 'procedures["s.report"]: returns.n: there is no type nonsense.'],
  [{ 's.report': { returns: { n: "enum('a')" } } }, `procedures["s.report"]: returns.n: there is no type enum('a').`],
  [
    { 's.report': { returns: { n: 's.orders.gone' } } },
    'procedures["s.report"]: returns.n: there is no type s.orders.gone.',
  ],
  [{ 's.report': { returns: {} } }, 'procedures["s.report"]: returns: there are no columns.'],
  [{ 's.report': { returns: ['s.orders', {}] } }, 'procedures["s.report"]: returns[1]: there are no columns.'],
  [{ 's.report': { returns: ['s.gone'] } }, 'procedures["s.report"]: returns[0]: no table or view s.gone is served.'],
])('%j is refused', (procedures, message) => {
  expect(refusalOf(() => model(procedures))).toMatchObject({ code: 'CONFIG_INVALID', message });
});

test('an excluded procedure or table is not there', () => {
  expect(refusalOf(() => model({ 's.report': { returns: 's.orders' } }, ['s.report']))).toMatchObject({
    message: 'procedures["s.report"]: no such procedure is served.',
  });
  expect(refusalOf(() => model({ 's.report': { returns: 's.orders' } }, ['s.orders']))).toMatchObject({
    message: 'procedures["s.report"]: returns: no table or view s.orders is served.',
  });
});

test('PostgreSQL has functions for that', () => {
  const postgres = catalog({ ...facts, dialect: 'postgres' });
  expect(refusalOf(() => buildModel(postgres, { procedures: { 's.report': { returns: 's.orders' } } }))).toMatchObject({
    message: 'procedures["s.report"]: procedures of PostgreSQL have no result sets.',
    hint: expect.stringContaining('SETOF') as unknown,
  });
});
