import { writesOneRow } from '../../../templates/runtime/plan/one-row.js';
import type { Filter } from '../../../templates/runtime/plan/intent.js';
import type { InsertIntent, UpdateIntent } from '../../../templates/runtime/plan/write-intent.js';
import { createRegistry, type Table } from '../../../templates/runtime/registry.js';
import { int4, text } from '../../../templates/runtime/types.js';
import { compare, json } from '../../support/intents.js';

const { tables } = createRegistry({
  tables: (['table', 'view'] as const).map((kind) => ({
    field: kind,
    type: kind,
    schema: 's',
    name: kind,
    kind,
    columns: ['a', 'b', 'code', 'c'].map((name) => ({ name, type: name === 'code' ? text : int4 })),
    primaryKey: { name: 'pk', columns: ['a', 'b'] },
    uniques: [{ name: 'u', columns: ['code'] }],
    relations: [],
  })),
  enums: [],
  composites: [],
  procedures: [],
});
const [table, view] = tables as [Table, Table];

const returning = { as: 'list', format: 'json' } as const;
const is = (column: string): Filter => compare(column, 'eq', json(1));
const and = (...filters: Filter[]): Filter => ({ kind: 'and', filters });
const or = (...filters: Filter[]): Filter => ({ kind: 'or', filters });

const update = (where?: Filter, of = table): UpdateIntent => ({
  kind: 'update',
  table: of,
  columns: [{ column: 'c', key: 'c' }],
  set: json({ c: 1 }),
  ...(where === undefined ? {} : { where }),
  returning,
  dialect: 'rest',
});

test.each<[string, Filter, boolean]>([
  ['the whole key', and(is('a'), is('b')), true],
  ['the whole key and more', and(is('c'), and(is('b'), is('a'))), true],
  ['another unique key', is('code'), true],
  ['a part of the key', is('a'), false],
  ['the key or something else', or(and(is('a'), is('b')), is('c')), false],
  ['all keys but one', { kind: 'not', filter: is('code') }, false],
  ['keys above one', compare('code', 'gt', json('x')), false],
  ['a list of keys', compare('code', 'in', json(['x', 'y'])), false],
  ['what a key has inside', { ...compare('code', 'eq', json('x')), path: [{ key: 'k' }] } as unknown as Filter, false],
  ['a measure of the key', { ...compare('code', 'eq', json(1)), of: 'length' } as Filter, false],
])('an update by %s: %#', (_, where, expected) => {
  expect(writesOneRow(update(where))).toBe(expected);
});

test('an update of everything is not of one row', () => {
  expect(writesOneRow(update())).toBe(false);
});

test('an insert is when its only row is there, value by value', () => {
  const insert = (rows: InsertIntent['rows'], of = table): InsertIntent => ({
    kind: 'insert',
    table: of,
    columns: [{ column: 'c', key: 'c' }],
    rows,
    returning,
    dialect: 'rest',
  });
  expect(writesOneRow(insert({ ...json({ c: 1 }), cells: [json(1)] }))).toBe(true);
  expect(writesOneRow(insert(json([{ c: 1 }])))).toBe(false);
  expect(writesOneRow(insert({ ...json({ c: 1 }), cells: [json(1)] }, view))).toBe(false);
});

test('nobody knows what a view does with it', () => {
  expect(writesOneRow(update(is('code'), view))).toBe(false);
});
