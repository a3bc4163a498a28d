import type { RelationDescriptor, TableDescriptor } from '../../../runtime/src/descriptor/descriptor.js';
import { nestingOf } from '../../../runtime/src/descriptor/nesting.js';
import { int4 } from '../../../runtime/src/dialect/postgres/types.js';

const relation: RelationDescriptor = {
  name: 'sBs',
  cardinality: 'many',
  direction: 'reverse',
  table: 'sBs',
  constraint: 'b_a',
  columns: ['id'],
  references: ['a_id'],
};

const tableOf = (field: string): TableDescriptor => ({
  field,
  type: field,
  schema: 's',
  name: field,
  kind: 'table',
  columns: [
    { name: 'id', type: int4 },
    { name: 'a_id', type: int4, nullable: true },
  ],
  primaryKey: { name: 'pk', columns: ['id'] },
  relations: [relation],
  insertable: true,
  updatable: true,
  deletable: true,
});

test('rows are written through a foreign key, and not through a relation that a function answers', () => {
  expect(nestingOf(tableOf('sAs'), relation, tableOf)).toMatchObject({ connect: true, disconnect: true, delete: true });
  const computed = { ...relation, columns: [], references: [], function: { schema: 's', name: 'bs' } };
  expect(nestingOf(tableOf('sAs'), computed, tableOf)).toBeUndefined();
  expect(nestingOf(tableOf('sAs'), { ...computed, direction: 'forward', cardinality: 'one' }, tableOf)).toBeUndefined();
});
