import { nestingOf } from '../../../runtime/src/descriptor/nesting.js';
import { argument, catalog, column, foreignKey, primaryKey, routine, table, typeRef } from '../../support/catalog.js';
import { describeCatalog } from '../../support/describe-database.js';
import { tableOf } from '../../support/registry.js';

const rowOf = (name: string) => typeRef(name, { kind: 'composite' });
const answering = {
  kind: 'function',
  arguments: [argument('of', rowOf('s.as'))],
  returns: rowOf('s.bs'),
  volatility: 'stable',
} as const;

const { registry } = describeCatalog(
  catalog({
    tables: [
      table('s.as', [column('id', 'int4')], { primaryKey: primaryKey('id') }),
      table('s.bs', [column('id', 'int4'), column('a_id', 'int4', { nullable: true })], {
        primaryKey: primaryKey('id'),
        foreignKeys: [foreignKey('b_a', ['a_id'], 's.as', ['id'])],
      }),
    ],
    routines: [routine('s.several', { ...answering, returnsSet: true }), routine('s.single', answering)],
  }),
);

test('rows are written through a foreign key, and not through a relation that a function answers', () => {
  const parent = tableOf(registry, 'sAs');
  const relations = parent.relations ?? [];
  expect(relations.map(({ name, cardinality }) => [name, cardinality])).toEqual([
    ['sBs', 'many'],
    ['several', 'many'],
    ['single', 'one'],
  ]);
  const nestings = relations.map((each) => nestingOf(parent, each, (field) => registry.table.get(field)));
  expect(nestings).toEqual([
    expect.objectContaining({ connect: true, disconnect: true, delete: true }),
    undefined,
    undefined,
  ]);
});
