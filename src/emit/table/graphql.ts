import type { TableModel } from '../../model/model.js';
import { descriptorName } from '../context.js';
import { classOf } from '../graphql/classes.js';
import type { Scope } from '../graphql/modules.js';
import { writeExports } from '../graphql/mutations.js';
import type { TableDefinitions } from '../graphql/table.js';
import { hardline, hug, indent, width, type Doc } from '../source/doc.js';
import { callWithObject, string, type Entry } from '../source/typescript.js';
import { resolverDoc } from './resolver.js';

/** The table in GraphQL: its types, and the resolver of its root fields. They use the descriptor, which has to stand before them. */
export function graphqlDocs(scope: Scope, table: TableModel, definitions: TableDefinitions): readonly Doc[] {
  return [
    ...definitions.classes.map((definition) => classOf(scope, definition)),
    reads(scope, table, definitions),
    aggregates(scope, table, definitions),
    ...writes(scope, table, definitions),
    resolverDoc(scope, table, definitions),
  ];
}

/** The types of pages, conditions and order. */
function reads(scope: Scope, table: TableModel, { filters }: TableDefinitions): Doc {
  const { type } = table.descriptor;
  const helper = scope.imports.value('readTypes', scope.pathTo('runtime/schema/index'));
  const names = ['Connection', 'WhereInput', ...(table.orderable ? ['OrderByInput'] : [])].map(
    (end) => `${end}: ${type}${end}`,
  );
  const own = Object.entries(filters).map(([field, name]): Entry => [field, string(name)]);
  return exported(names, helper, descriptorName(table), own);
}

function aggregates(scope: Scope, table: TableModel, definitions: TableDefinitions): Doc {
  const { type } = table.descriptor;
  const helper = scope.imports.value('aggregateTypes', scope.pathTo('runtime/schema/index'));
  const names = [
    `Aggregate: ${type}Aggregate`,
    ...(definitions.groupable.length > 0 ? [`Having: ${type}HavingInput`, `Column: ${type}Column`] : []),
  ];
  return exported(names, helper, descriptorName(table));
}

/** The types of the mutations' arguments. */
function writes(scope: Scope, table: TableModel, { writes: { nested } }: TableDefinitions): readonly Doc[] {
  const relations = Object.entries(nested).map(([name, type]): Entry => [name, string(type)]);
  return writeExports(table.descriptor).map(({ by, types }) => {
    const helper = scope.imports.value(by, scope.pathTo('runtime/schema/index'));
    const names = types.map((end) => `${end}: ${table.descriptor.type}${end}`);
    const told = by === 'createTypes' ? relations : [];
    return exported(names, helper, descriptorName(table), told);
  });
}

/** `export const { Aggregate: KanbanIssuesAggregate } = aggregateTypes(kanbanIssues);` */
function exported(names: readonly string[], callee: string, argument: string, last: readonly Entry[] = []): Doc {
  const value = [callWithObject(callee, [argument], last), ';'];
  const start = `export const { ${names.join(', ')} } =`;
  const tall = (): Doc => [
    'export const {',
    indent(names.map((name) => [hardline, name, ','])),
    hardline,
    '} = ',
    value,
  ];
  // Prettier breaks a pattern of more than two names before it breaks anything else, and a smaller one last.
  if (names.length > 2) return hug([start, ' ', value], tall, tall);
  if (last.length > 0 && `${start} ${callee}(`.length <= width) return [start, ' ', value];
  return hug([start, ' ', value], () => [start, indent([hardline, value])], tall);
}
