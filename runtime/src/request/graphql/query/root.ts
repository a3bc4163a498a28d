import type { GraphQLField, GraphQLObjectType } from 'graphql';
import type { FunctionDescriptor } from '../../../descriptor/descriptor.js';
import type { DocumentIntent, Filter, ReadIntent, RootField } from '../../../plan/intent.js';
import { aggregateField, answersList, rootFields } from '../../../descriptor/names.js';
import { hasNodes, nodeFields } from '../../../descriptor/node-id.js';
import { fieldOf, type Registry, type Table } from '../../../descriptor/registry.js';
import { rowKeyOf } from '../../../descriptor/unique-keys.js';
import { aggregateOf } from './aggregate.js';
import { all } from '../arguments/filter.js';
import { connectionOf } from './connection.js';
import { answeredTable, callOf, valueOf } from './function.js';
import { argumentOf, fieldOfType, located, customPartOf, type Scope, type Selected } from '../arguments/scope.js';
import { nodeOf, nodesOf } from './node.js';
import { listRead, oneRead } from './selection.js';

/** The result of a generated root field of Query. */
export type RootOperation =
  | { readonly kind: 'list' | 'one' | 'connection' | 'aggregate'; readonly table: Table }
  | { readonly kind: 'function' | 'functionAggregate'; readonly function: FunctionDescriptor }
  | { readonly kind: 'node' }
  | { readonly kind: 'nodes' };

/**
 * Every generated root field of Query, by its name: decision 001. A table's own field wins over one
 * derived from another's.
 */
export function rootOperations(registry: Registry): ReadonlyMap<string, RootOperation> {
  const operations = new Map<string, RootOperation>();
  for (const table of registry.tables) {
    const { connection, aggregate, byPk } = rootFields(table);
    operations.set(connection, { kind: 'connection', table });
    operations.set(aggregate, { kind: 'aggregate', table });
    if (rowKeyOf(table) !== undefined) operations.set(byPk, { kind: 'one', table });
  }
  for (const called of registry.functions.values()) {
    if (called.operation !== 'query') continue;
    if (answersList(called))
      operations.set(aggregateField(called.field), { kind: 'functionAggregate', function: called });
    operations.set(called.field, { kind: 'function', function: called });
  }
  for (const table of registry.tables) operations.set(table.field, { kind: 'list', table });
  if (hasNodes(registry)) {
    operations.set(nodeFields.one, { kind: 'node' });
    operations.set(nodeFields.many, { kind: 'nodes' });
  }
  return operations;
}

/** The generated part of a query. */
export interface GeneratedPart {
  /** Undefined when there is none. */
  readonly intent: DocumentIntent | undefined;
  /**
   * Response keys of the root fields whose JSON is the whole of their answer: no field below them
   * is the user's own.
   */
  readonly wholeFields: ReadonlySet<string>;
}

export function documentOf(
  shared: Scope,
  operations: ReadonlyMap<string, RootOperation>,
  query: GraphQLObjectType,
  fields: readonly Selected[],
): GeneratedPart {
  const roots: RootField[] = [];
  const wholeFields = new Set<string>();
  for (const field of fields) {
    const scope: Scope = { ...shared, custom: { found: false } };
    const found = located(field, () => rootsOf(scope, operations, query, field));
    if (scope.custom.around === true) shared.custom.around = true;
    if (found.length === 0 || scope.custom.found) shared.custom.found = true;
    else wholeFields.add(field.as);
    roots.push(...found);
  }
  return { intent: roots.length === 0 ? undefined : { kind: 'document', fields: roots }, wholeFields };
}

/** The roots to read for a field: none if the user's code answers it. */
function rootsOf(
  scope: Scope,
  operations: ReadonlyMap<string, RootOperation>,
  query: GraphQLObjectType,
  selected: Selected,
): readonly RootField[] {
  const { as, name } = selected;
  if (name === '__typename') return [{ kind: 'typename', as, type: query.name }];
  const operation = operations.get(name);
  if (operation === undefined) return [];
  const definition = fieldOfType(query, name);
  const part = customPartOf(query, selected);
  if (part === 'instead') return [];
  if (part === 'around') scope.custom.found = scope.custom.around = true;
  if (operation.kind === 'node') return nodeOf(scope, query, definition, selected);
  if (operation.kind === 'nodes') return nodesOf(scope, query, definition, selected);
  return [
    'function' in operation
      ? functionRoot(scope, operation, definition, selected)
      : tableRoot(scope, operation, query, selected),
  ];
}

function tableRoot(
  scope: Scope,
  { kind, table }: Extract<RootOperation, { table: unknown }>,
  query: GraphQLObjectType,
  selected: Selected,
): RootField {
  const { as, name } = selected;
  const definition = fieldOfType(query, name);
  switch (kind) {
    case 'list':
      return { kind, as, read: listRead(scope, table, definition, selected, 1) };
    case 'one':
      return { kind, as, read: byKey(scope, table, query, selected) };
    case 'connection':
      return { kind, as, connection: connectionOf(scope, table, definition, selected) };
    case 'aggregate':
      scope.budget.spend(1);
      return { kind, as, aggregate: aggregateOf(scope, table, definition, selected) };
  }
}

function functionRoot(
  scope: Scope,
  { kind, function: called }: Extract<RootOperation, { function: unknown }>,
  definition: GraphQLField<unknown, unknown>,
  selected: Selected,
): RootField {
  const { as } = selected;
  const table = answeredTable(scope, called);
  if (table === undefined) {
    scope.budget.spend(called.returnsSet === true ? scope.settings['app.max-rows'] : 1);
    return { kind: 'value', ...valueOf(scope, called, definition, selected) };
  }
  const from = callOf(scope, called, definition, selected);
  if (kind === 'functionAggregate') {
    scope.budget.spend(1);
    return { kind: 'aggregate', as, aggregate: { ...aggregateOf(scope, table, definition, selected), from } };
  }
  if (called.returnsSet === true) {
    return { kind: 'list', as, read: { ...listRead(scope, table, definition, selected, 1), from } };
  }
  return { kind: 'one', as, read: { ...oneRead(scope, table, definition, selected, 1), from } };
}

/** `<f>ByPk`: an argument for each column of the key. */
function byKey(scope: Scope, table: Table, query: GraphQLObjectType, selected: Selected): ReadIntent {
  const definition = fieldOfType(query, selected.name);
  const columns = rowKeyOf(table) ?? [];
  const filters = columns.map((name): Filter => {
    const column = table.byName.get(name);
    const given = column === undefined ? undefined : argumentOf(scope, definition, selected, fieldOf(column));
    if (given === undefined) throw new TypeError(`${selected.name} has no argument for ${name}.`);
    return { kind: 'compare', column: name, operator: 'eq', values: [given.value()] };
  });
  return { ...oneRead(scope, table, definition, selected, 1), where: all(filters) };
}
