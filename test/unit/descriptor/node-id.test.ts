import { keyInNodeId, nodeIdOfRow, readNodeId, writeNodeId } from '../../../runtime/src/descriptor/node-id.js';
import { createRegistry } from '../../../runtime/src/descriptor/registry.js';
import type { TableDescriptor } from '../../../runtime/src/descriptor/descriptor.js';

const text = { kind: 'text', sql: { name: 'text' } } as const;
const int = { kind: 'int', sql: { name: 'int4' } } as const;
const day = { kind: 'date', sql: { name: 'date' } } as const;

const table = (type: string, key: readonly string[], nodeId?: string): TableDescriptor => ({
  field: type.toLowerCase(),
  type,
  schema: 'app',
  name: type.toLowerCase(),
  kind: 'table',
  columns: [
    { name: 'id', type: int },
    { name: 'the_name', field: 'theName', type: text },
    { name: 'day', type: day },
  ],
  primaryKey: { name: 'pk', columns: key },
  ...(nodeId === undefined ? {} : { nodeId }),
});

const registry = createRegistry({
  tables: [table('Pairs', ['the_name', 'id'], 'nodeId'), table('Days', ['day'], 'nodeId'), table('Others', ['id'])],
});
const pairs = registry.tableByType.get('Pairs');
const days = registry.tableByType.get('Days');
if (pairs === undefined || days === undefined) throw new Error('The registry has no tables.');

test('an identifier holds the type and the key, in the order of the key', () => {
  const id = writeNodeId(pairs, ['ü "/+', '7']);
  expect(id).toMatch(/^[\w-]+$/);
  expect(readNodeId(registry, id)).toEqual({ table: pairs, keys: ['ü "/+', '7'] });
  expect([keyInNodeId(id, 0), keyInNodeId(id, 1), keyInNodeId(id, 2)]).toEqual(['ü "/+', '7', undefined]);
});

test.each([
  undefined,
  null,
  7,
  '',
  'x',
  writeNodeId({ type: 'Others' }, ['1']),
  writeNodeId({ type: 'Unknown' }, ['1']),
  writeNodeId({ type: 'Pairs' }, ['a']),
  writeNodeId({ type: 'Pairs' }, ['a', 'b']),
  writeNodeId({ type: 'Pairs' }, ['a', '1', '2']),
  writeNodeId({ type: 'Pairs' }, ['a\0', '1']),
])('what is none: %s', (id) => {
  expect(readNodeId(registry, id)).toBeUndefined();
});

test('the identifier of a row of the user’s own is that of the database', () => {
  expect(nodeIdOfRow(pairs, { theName: 'a', id: 7 })).toBe(writeNodeId(pairs, ['a', '7']));
  expect(nodeIdOfRow(pairs, { id: 7 })).toBeUndefined();
  expect(nodeIdOfRow(days, { day: '2024-02-29' })).toBeUndefined();
});
