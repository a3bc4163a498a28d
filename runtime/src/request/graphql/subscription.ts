import type { GraphQLObjectType } from 'graphql';
import { rootFields } from '../../descriptor/names.js';
import type { Registry, Table } from '../../descriptor/registry.js';
import { changedKeys, type ChangesIntent, type ChangesInputs, type Selection, type Value } from '../../plan/intent.js';
import { hasChanges } from '../../schema/changes-shape.js';
import { subFields } from './collect.js';
import { objectType } from './object-type.js';
import { refusedDocument } from './refusal.js';
import { fieldOfType, located, presentArgument, type Scope, type Selected } from './scope.js';
import { selectionsOf } from './selection.js';
import { whereOf } from './where.js';

/** A member of an event, by its name in the document: what it tells, and of `row` which of the intent's rows. */
export interface ChangeMember {
  readonly as: string;
  readonly tells:
    | { readonly kind: 'operation' | 'schema' | 'table' | 'timestamp' | 'key' | 'error' }
    | { readonly kind: 'typename'; readonly type: string }
    | { readonly kind: 'row'; readonly at: number };
}

/** A subscription to the changes of a table. */
export interface ChangesStep {
  /** The response key of the root field. */
  readonly as: string;
  readonly table: Table;
  readonly members: readonly ChangeMember[];
  /** Undefined: all of them. */
  readonly operations: ReadonlySet<string> | undefined;
  readonly intent: ChangesIntent;
}

/** Every generated root field of Subscription, by its name. */
export const changesOperations = (registry: Registry): ReadonlyMap<string, Table> =>
  new Map(registry.tables.filter(hasChanges).map((table) => [rootFields(table).changes, table]));

/** The one root field of a subscription. Throws GraphQLError for what cannot be subscribed to. */
export function subscriptionOf(
  scope: Scope,
  tables: ReadonlyMap<string, Table>,
  type: GraphQLObjectType,
  fields: readonly Selected[],
): ChangesStep {
  const [field] = fields;
  if (field === undefined) throw new TypeError('A subscription has one field; validation lets no other through.');
  return located(field, () => {
    const table = tables.get(field.name);
    if (table === undefined)
      throw refusedDocument(
        `${field.name} cannot be subscribed to.`,
        'Only the generated <table>Changes fields are subscriptions here.',
      );
    return stepOf(scope, table, type, field);
  });
}

function stepOf(scope: Scope, table: Table, type: GraphQLObjectType, field: Selected): ChangesStep {
  const definition = fieldOfType(type, field.name);
  const changeType = objectType(definition);
  const rows: (readonly Selection[])[] = [];
  const members = subFields(scope, changeType, field).map((selected): ChangeMember => {
    const { as, name } = selected;
    switch (name) {
      case '__typename':
        return { as, tells: { kind: 'typename', type: changeType.name } };
      case 'data':
        rows.push(located(selected, () => rowOf(scope, table, changeType, selected)));
        return { as, tells: { kind: 'row', at: rows.length - 1 } };
      case 'operation':
      case 'schema':
      case 'table':
      case 'timestamp':
      case 'key':
      case 'error':
        return { as, tells: { kind: name } };
      default:
        throw new TypeError(`${changeType.name} has no field ${name}; validation lets none through.`);
    }
  });
  const operations = presentArgument(scope, definition, field, 'operations')?.current();
  return {
    as: field.as,
    table,
    members,
    operations: Array.isArray(operations) ? new Set(operations.map(String)) : undefined,
    intent: {
      kind: 'changes',
      table,
      keys: (table.primaryKey?.columns ?? []).map((_, at) => keyValues(at)),
      ...whereOf(scope, table, definition, field),
      rows,
      dialect: 'graphql',
    },
  };
}

/** What is wanted of the row. No code of the user's runs for an event: it is read once for all who see the same. */
function rowOf(scope: Scope, table: Table, changeType: GraphQLObjectType, selected: Selected): readonly Selection[] {
  const type = objectType(fieldOfType(changeType, selected.name));
  scope.budget.spend(1);
  const select = selectionsOf(scope, table, type, subFields(scope, type, selected), 1);
  if (!scope.custom.found) return select;
  throw refusedDocument(
    'A subscription selects fields of the database only, and none with resolvers or guards of your own.',
    'Select the key, and read the other fields with a query when an event comes.',
  );
}

const keyValues = (at: number): Value => ({
  read: (inputs) => (inputs as ChangesInputs)[changedKeys][at],
  form: 'text',
});
