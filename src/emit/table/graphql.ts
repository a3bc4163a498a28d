import {
  type ClassDefinition,
  type TableDefinitions,
  type TableModel,
  writeTypeEnds,
} from '@tablewright/runtime/model';
import { descriptorName } from '../context.js';
import { classOf } from '../graphql/classes.js';
import type { Scope } from '../graphql/modules.js';
import { hardline, indent, type Doc } from '../source/doc.js';
import { call, callWithObject, type Entry } from '../source/typescript.js';
import { resolverDoc } from './resolver.js';

/**
 * The GraphQL code of a table: its types, and the resolver of its root fields. It uses the
 * descriptor, which has to come before it.
 */
export function graphqlDocs(scope: Scope, table: TableModel, definitions: TableDefinitions): readonly Doc[] {
  return [
    ...definitions.classes.map((definition) => [argumentsDoc(scope, table, definition), classOf(scope, definition)]),
    typesDoc(scope, table, definitions),
    resolverDoc(scope, table, definitions),
  ];
}

/**
 * The types that follow from the descriptor: `export const { Connection: KanbanIssuesConnection, …
 * } = tw.tableTypes(kanbanIssues);`
 */
function typesDoc(scope: Scope, table: TableModel, { filters, groupable }: TableDefinitions): Doc {
  const { type } = table.descriptor;
  const ends = [
    'Connection',
    'WhereInput',
    ...(table.orderable ? ['OrderByInput'] : []),
    'Aggregate',
    ...(groupable.length > 0 ? ['HavingInput', 'Column'] : []),
    ...writeTypeEnds(table.descriptor),
  ];
  const own = Object.entries(filters).map(([field, name]): Entry => [field, scope.value(name)]);
  const value = callWithObject(scope.imports.runtime('tableTypes'), [descriptorName(table)], own);
  // Prettier breaks a pattern of more than two names, and this pattern always has more.
  return [
    'export const {',
    indent(ends.map((end) => [hardline, `${end}: ${type}${end},`])),
    hardline,
    '} = ',
    value,
    ';',
  ];
}

/**
 * `@tw.ComputedArguments(kanbanIssues)`, above a class of rows that has computed fields with
 * arguments.
 */
const argumentsDoc = ({ imports }: Scope, table: TableModel, { name }: ClassDefinition): Doc =>
  name === table.descriptor.type && table.computed.some((each) => each.arguments.length > 0)
    ? [call(`@${imports.runtime('ComputedArguments')}`, [descriptorName(table)]), hardline]
    : [];
