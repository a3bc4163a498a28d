import type { GraphQLObjectType } from 'graphql';
import { rootFields } from '../../../descriptor/names.js';
import type { Registry, Table } from '../../../descriptor/registry.js';
import {
  changedKeys,
  type ChangesIntent,
  type ChangesInputs,
  type Selection,
  type Value,
} from '../../../plan/intent.js';
import { graphqlForm } from '../../../plan/intent-form.js';
import { snapshotIntent, type SnapshotIntent } from '../../../plan/snapshot.js';
import { hasChanges } from '../../../schema/changes-shape.js';
import { subFields } from './collect.js';
import { objectType } from './object-type.js';
import { fieldOfType, located, customPartOf, presentArgument, type Scope, type Selected } from '../arguments/scope.js';
import { selectionsOf } from './selection.js';
import { whereOf } from '../arguments/where.js';

/**
 * A member of an event, by its name in the document: its content, and of `row` and `former` which
 * of the intent's rows.
 */
export interface ChangeMember {
  readonly as: string;
  readonly value:
    | { readonly kind: 'operation' | 'schema' | 'table' | 'timestamp' | 'key' | 'error' }
    | { readonly kind: 'typename'; readonly type: string }
    | { readonly kind: 'row' | 'former'; readonly at: number };
}

/** The one root field of a subscription. */
export type SubscriptionStep = ChangesStep | { readonly kind: 'custom'; readonly selected: Selected };

/** A subscription to the changes of a table. */
export interface ChangesStep {
  readonly kind: 'changes';
  readonly selected: Selected;
  /**
   * Whether the user's code takes part in an event: graphql-js then answers over the rows that were
   * read.
   */
  readonly custom: boolean;
  readonly table: Table;
  readonly members: readonly ChangeMember[];
  /** Undefined: all of them. */
  readonly operations: ReadonlySet<string> | undefined;
  readonly intent: ChangesIntent;
  /** Absent: the subscription does not begin with a snapshot. */
  readonly snapshot?: SnapshotIntent;
}

/** Every generated root field of Subscription, by its name. */
export const changesOperations = (registry: Registry): ReadonlyMap<string, Table> =>
  new Map(registry.tables.filter(hasChanges).map((table) => [rootFields(table).changes, table]));

/**
 * The root field of a subscription: of a table, or the user's own. Throws GraphQLError for what
 * asks too much.
 */
export function subscriptionOf(
  scope: Scope,
  tables: ReadonlyMap<string, Table>,
  type: GraphQLObjectType,
  fields: readonly Selected[],
): SubscriptionStep {
  const [field] = fields;
  if (field === undefined) throw new TypeError('A subscription has one field; validation lets no other through.');
  const table = tables.get(field.name);
  const isOwn = table === undefined || fieldOfType(type, field.name).subscribe !== undefined;
  return isOwn ? { kind: 'custom', selected: field } : located(field, () => stepOf(scope, table, type, field));
}

function stepOf(scope: Scope, table: Table, type: GraphQLObjectType, field: Selected): ChangesStep {
  const definition = fieldOfType(type, field.name);
  const changeType = objectType(definition);
  const rows: (readonly Selection[])[] = [];
  const formerRows: (readonly Selection[])[] = [];
  const members = subFields(scope, changeType, field).map((selected): ChangeMember => {
    const { as, name } = selected;
    switch (name) {
      case '__typename':
        return { as, value: { kind: 'typename', type: changeType.name } };
      case 'data':
        rows.push(located(selected, () => rowOf(scope, table, changeType, selected)));
        return { as, value: { kind: 'row', at: rows.length - 1 } };
      case 'old':
        formerRows.push(located(selected, () => rowOf(scope, table, changeType, selected)));
        return { as, value: { kind: 'former', at: formerRows.length - 1 } };
      case 'operation':
      case 'schema':
      case 'table':
      case 'timestamp':
      case 'key':
      case 'error':
        return { as, value: { kind: name } };
      default:
        throw new TypeError(`${changeType.name} has no field ${name}; validation lets none through.`);
    }
  });
  if (customPartOf(type, field) !== undefined) scope.custom.found = true;
  const where = whereOf(scope, table, definition, field);
  const isSnapshot = presentArgument(scope, definition, field, 'snapshot')?.current() === true;
  const operations = presentArgument(scope, definition, field, 'operations')?.current();
  return {
    kind: 'changes',
    selected: field,
    custom: scope.custom.found,
    table,
    members,
    operations: Array.isArray(operations) ? new Set(operations.map(String)) : undefined,
    intent: {
      kind: 'changes',
      table,
      keys: (table.primaryKey?.columns ?? []).map((_, at) => keyValues(at)),
      ...where,
      rows,
      formerRows,
      form: graphqlForm,
    },
    ...(isSnapshot && { snapshot: snapshotIntent(table, where) }),
  };
}

function rowOf(scope: Scope, table: Table, changeType: GraphQLObjectType, selected: Selected): readonly Selection[] {
  const type = objectType(fieldOfType(changeType, selected.name));
  scope.budget.spend(1);
  return selectionsOf(scope, table, type, subFields(scope, type, selected), 1);
}

const keyValues = (at: number): Value => ({
  read: (inputs) => (inputs as ChangesInputs)[changedKeys][at],
  form: 'text',
});
