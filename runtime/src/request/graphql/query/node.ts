import type { GraphQLField, GraphQLObjectType } from 'graphql';
import { keyInNodeId, nodeColumns, readNodeId, type NodeKey } from '../../../descriptor/node-id.js';
import { rootFields } from '../../../descriptor/names.js';
import type { Filter, ReadIntent, RootField } from '../../../plan/intent.js';
import { itemKey, maxNodes, nodeArguments } from '../../../schema/node-shape.js';
import type { ArgumentValue } from '../arguments/argument-value.js';
import { all } from '../arguments/filter.js';
import { unsupported } from '../../../plan/refuse.js';
import { argumentOf, customPartOf, type Scope, type Selected } from '../arguments/scope.js';
import { oneRead } from './selection.js';

type Definition = GraphQLField<unknown, unknown>;

/**
 * `node`: the row that an identifier names, read as `<f>ByPk` reads it. What is no identifier of a
 * served row is null.
 */
export function nodeOf(
  scope: Scope,
  query: GraphQLObjectType,
  definition: Definition,
  selected: Selected,
): readonly RootField[] {
  const given = argumentOf(scope, definition, selected, nodeArguments.one);
  return [oneNode(selected.as, readOf(scope, query, selected, given))].flat();
}

/**
 * `nodes`: the rows in the order of their identifiers, null for an identifier without a row. If the
 * user's code takes part, each row is a separate field, for which that code asks.
 */
export function nodesOf(
  scope: Scope,
  query: GraphQLObjectType,
  definition: Definition,
  selected: Selected,
): readonly RootField[] {
  const { as } = selected;
  const given = argumentOf(scope, definition, selected, nodeArguments.many)?.items() ?? [];
  if (given.length > maxNodes)
    throw unsupported(
      `${selected.name} takes ${String(maxNodes)} identifiers at most.`,
      'Ask for the others in another document, or for a list with `where`.',
    );
  const reads = given.map((each) => readOf(scope, query, selected, each));
  if (scope.custom.found) return reads.flatMap((read, at) => oneNode(itemKey(as, at), read));
  return [{ kind: 'nodes', as, reads: reads.map((read) => (typeof read === 'string' ? undefined : read)) }];
}

/** The statement reads nothing of rows that the user's code answers. */
function oneNode(as: string, read: ReadIntent | Absent): readonly RootField[] {
  if (read === 'own') return [];
  return [read === 'nothing' ? { kind: 'nothing', as } : { kind: 'one', as, read }];
}

/** `own`: the user's code answers the row. */
type Absent = 'nothing' | 'own';

function readOf(
  scope: Scope,
  query: GraphQLObjectType,
  selected: Selected,
  given: ArgumentValue | undefined,
): ReadIntent | Absent {
  const node = readNodeId(scope.registry, given?.current());
  const byKey = node === undefined ? undefined : query.getFields()[rootFields(node.table).byPk];
  if (given === undefined || node === undefined || byKey === undefined) return 'nothing';
  // A guard of `<f>ByPk` guards the same row here.
  const part = customPartOf(query, { ...selected, name: byKey.name });
  if (part !== undefined) scope.custom.found = true;
  if (part === 'instead') return 'own';
  if (part === 'around') scope.custom.around = true;
  return { ...oneRead(scope, node.table, byKey, selected, 1), where: all(keyFilters(node, given)) };
}

function keyFilters({ table }: NodeKey, given: ArgumentValue): readonly Filter[] {
  const { read } = given.value();
  return nodeColumns(table).map(({ name }, at) => ({
    kind: 'compare',
    column: name,
    operator: 'eq',
    values: [{ read: (inputs) => keyInNodeId(read(inputs), at), form: 'text' }],
  }));
}

/** Everything about an identifier that decides the statement: the type, where it is one. */
export const nodeShape = (registry: Scope['registry'], id: unknown): string =>
  readNodeId(registry, id)?.table.type ?? '-';
