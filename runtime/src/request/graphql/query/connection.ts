import type { GraphQLField, GraphQLObjectType } from 'graphql';
import type { ConnectionIntent, ConnectionSelection, EdgeSelection, PageInfoSelection } from '../../../plan/intent.js';
import { graphqlForm } from '../../../plan/intent-form.js';
import type { Table } from '../../../descriptor/registry.js';
import { subFields } from './collect.js';
import { objectType } from './object-type.js';
import { ordersOf } from '../arguments/order.js';
import { fieldOfType, presentArgument, type Scope, type Selected } from '../arguments/scope.js';
import { countOf } from '../arguments/count.js';
import { literalCount, selectionsOf } from './selection.js';
import { whereOf } from '../arguments/where.js';

/**
 * `<f>Connection(first after last before where orderBy)`. Source: decision 004;
 * https://relay.dev/graphql/connections.htm
 */
export function connectionOf(
  scope: Scope,
  table: Table,
  definition: GraphQLField<unknown, unknown>,
  selected: Selected,
): ConnectionIntent {
  const argument = (name: string) => presentArgument(scope, definition, selected, name);
  const [first, last, after, before, orderBy] = [
    argument('first'),
    argument('last'),
    argument('after'),
    argument('before'),
    argument('orderBy'),
  ];
  const rows = Math.min(literalCount(first ?? last), scope.settings['app.max-rows']);
  scope.budget.spend(rows);
  return {
    table,
    form: graphqlForm,
    select: connectionFields(scope, table, objectType(definition), selected, rows),
    ...whereOf(scope, table, definition, selected),
    ...(orderBy === undefined ? {} : { orderBy: ordersOf(scope.registry, table, orderBy) }),
    ...(first === undefined ? {} : { first: countOf(first) }),
    ...(last === undefined ? {} : { last: countOf(last) }),
    ...(after === undefined ? {} : { after: after.value() }),
    ...(before === undefined ? {} : { before: before.value() }),
  };
}

function connectionFields(
  scope: Scope,
  table: Table,
  type: GraphQLObjectType,
  selected: Selected,
  rows: number,
): readonly ConnectionSelection[] {
  const selections: ConnectionSelection[] = [];
  for (const field of subFields(scope, type, selected)) {
    const { as, name } = field;
    if (name === '__typename') selections.push({ kind: 'typename', as, type: type.name });
    else if (name === 'totalCount') selections.push({ kind: 'totalCount', as });
    else if (name === 'edges')
      selections.push({ kind: 'edges', as, select: edgeFields(scope, table, type, field, rows) });
    else if (name === 'nodes')
      selections.push({ kind: 'nodes', as, select: nodeFields(scope, table, type, field, rows) });
    else if (name === 'pageInfo') selections.push({ kind: 'pageInfo', as, select: pageInfoFields(scope, type, field) });
    else scope.custom.found = true;
  }
  return selections;
}

function edgeFields(
  scope: Scope,
  table: Table,
  connection: GraphQLObjectType,
  selected: Selected,
  rows: number,
): readonly EdgeSelection[] {
  const type = objectType(fieldOfType(connection, selected.name));
  const selections: EdgeSelection[] = [];
  for (const field of subFields(scope, type, selected)) {
    const { as, name } = field;
    if (name === '__typename') selections.push({ kind: 'typename', as, type: type.name });
    else if (name === 'cursor') selections.push({ kind: 'cursor', as });
    else if (name === 'node')
      selections.push({ kind: 'node', as, select: nodeFields(scope, table, type, field, rows) });
    else scope.custom.found = true;
  }
  return selections;
}

function nodeFields(scope: Scope, table: Table, parent: GraphQLObjectType, selected: Selected, rows: number) {
  const type = objectType(fieldOfType(parent, selected.name));
  return selectionsOf(scope, table, type, subFields(scope, type, selected), rows);
}

function pageInfoFields(scope: Scope, connection: GraphQLObjectType, selected: Selected): readonly PageInfoSelection[] {
  const type = objectType(fieldOfType(connection, selected.name));
  const selections: PageInfoSelection[] = [];
  for (const { as, name } of subFields(scope, type, selected)) {
    switch (name) {
      case '__typename':
        selections.push({ kind: 'typename', as, type: type.name });
        break;
      case 'hasNextPage':
      case 'hasPreviousPage':
      case 'startCursor':
      case 'endCursor':
        selections.push({ kind: name, as });
        break;
      default:
        scope.custom.found = true;
    }
  }
  return selections;
}
