import { type FilterModel, type TableDefinitions, type TableModel, writeTypeEnds } from '@tablewright/runtime/model';
import { descriptorName } from '../context.js';
import { classOf } from '../graphql/classes.js';
import { resolverDoc } from '../graphql/method.js';
import type { Scope } from '../graphql/modules.js';
import { filterDoc } from '../shared/filters.js';
import { hardline, indent, join, type Doc } from '../source/doc.js';
import { call } from '../source/typescript.js';

/**
 * The GraphQL code of a table: names of its types, and a class with its root fields. It uses the
 * descriptor, which has to come before it.
 * @param filters of single columns
 */
export function graphqlDocs(
  scope: Scope,
  table: TableModel,
  definitions: TableDefinitions,
  filters: readonly FilterModel[],
): readonly Doc[] {
  const own = filters.map((filter) => filterDoc(scope, filter));
  return [
    classOf(scope, definitions.row),
    ...(own.length === 0 ? [] : [join(hardline, own)]),
    typesDoc(scope, table, definitions),
    resolverDoc(scope, `${table.descriptor.type}Resolver`, [
      ...definitions.queries.map((definition) => ({ kind: 'Query' as const, definition })),
      ...definitions.writes.mutations.map((definition) => ({ kind: 'Mutation' as const, definition })),
    ]),
  ];
}

/**
 * The types that follow from the descriptor: `export const { Connection: KanbanIssuesConnection, …
 * } = tw.tableTypes(kanbanIssues);`
 */
function typesDoc(scope: Scope, table: TableModel, { groupable }: TableDefinitions): Doc {
  const { type } = table.descriptor;
  const ends = [
    'Connection',
    'WhereInput',
    ...(table.orderable ? ['OrderByInput'] : []),
    'Aggregate',
    ...(groupable.length > 0 ? ['HavingInput', 'Column'] : []),
    ...writeTypeEnds(table.descriptor),
  ];
  // Prettier breaks a pattern of more than two names, and this pattern always has more.
  return [
    'export const {',
    indent(ends.map((end) => [hardline, `${end}: ${type}${end},`])),
    hardline,
    '} = ',
    call(scope.imports.runtime('tableTypes'), [descriptorName(table)]),
    ';',
  ];
}
