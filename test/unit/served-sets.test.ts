import type { FunctionDescriptor } from '../../runtime/src/descriptor/descriptor.js';
import { createRegistry } from '../../runtime/src/descriptor/registry.js';
import { descriptorsForRole } from '../../runtime/src/model/role/descriptors-for-role.js';
import { servedRegistry } from '../../runtime/src/server/api.js';
import { settingsWith } from '../support/intents.js';

const table = (schema: string) => ({
  ...{ field: `${schema}Items`, type: `${schema}Items`, schema, name: 'items', kind: 'table' as const },
  columns: [{ name: 'id', type: { kind: 'int' as const, sql: { name: 'int' } } }],
});
const report: FunctionDescriptor = {
  ...{ field: 'callReport', operation: 'mutation', schema: 'a', name: 'report', arguments: [], resultSet: [] },
  sets: [{ table: 'aItems' }, { table: 'bItems' }],
};
const descriptors = { tables: [table('a'), table('b')], functions: [report] };

test('a procedure that answers rows of a table that is not served, or not the role’s, is not served', () => {
  const served = (...schemas: readonly string[]) =>
    servedRegistry(settingsWith({ 'app.schemas': schemas }), { registry: createRegistry(descriptors), descriptors });
  expect([...served('a', 'b').functions.keys()]).toEqual(['callReport']);
  expect([...served('a').functions.keys()]).toEqual([]);
  const ofRole = (read: boolean) =>
    descriptorsForRole(descriptors, { role: 'r', rights: undefined, rules: { 'b.items': { read, write: read } } });
  expect(ofRole(true).functions).toEqual([report]);
  expect(ofRole(false).functions).toEqual([]);
});
