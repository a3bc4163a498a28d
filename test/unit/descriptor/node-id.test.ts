import { keyInNodeId, nodeIdOfRow, readNodeId, writeNodeId } from '../../../runtime/src/descriptor/node-id.js';
import { catalog, column, primaryKey, table } from '../../support/catalog.js';
import { describeCatalog } from '../../support/describe-database.js';

const columns = [column('id', 'int4'), column('the_name'), column('day', 'date')];

const { registry } = describeCatalog(
  catalog({
    tables: [
      table('app.pairs', columns, { primaryKey: primaryKey('the_name', 'id') }),
      table('app.days', columns, { primaryKey: primaryKey('day') }),
      table('app.others', columns),
    ],
  }),
  { relay: {}, names: { schemaPrefix: 'never', columns: 'camel' } },
);
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
