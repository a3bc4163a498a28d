import {
  type Catalog,
  isCallable,
  Patterns,
  type Policy,
  type QualifiedName,
  type Routine,
  type Table,
} from '@tablewright/runtime/model';
import type { Facts, RelationFacts, RoleFacts } from './facts.js';
import { pathOf } from './quote.js';
import type { Serving } from './serving.js';

/** The facts that the rules of PostgreSQL examine. */
export interface Subject {
  readonly catalog: Catalog;
  readonly facts: Facts;
  readonly serving: Serving;
  /** The roles that exist and that requests are served in. */
  readonly servingRoles: readonly RoleFacts[];
  /**
   * The tables, without those that the configuration excludes and those that no serving role may
   * touch.
   */
  readonly served: readonly Table[];
  /** The functions that PostgREST's form calls, where the configuration names none. */
  readonly callable: readonly Routine[];
  readonly tableOf: (name: QualifiedName) => Table | undefined;
  readonly relationOf: (name: QualifiedName) => RelationFacts | undefined;
}

export function createSubject(
  catalog: Catalog,
  facts: Facts,
  serving: Serving,
  exclude: readonly string[] = [],
): Subject {
  const excluded = new Patterns(exclude);
  const tables = new Map(catalog.tables.map((table) => [pathOf(table), table]));
  const relations = new Map(facts.relations.map((relation) => [pathOf(relation), relation]));
  const servingRoles = facts.roles.filter(
    (role) => role.exists && (!serving.alwaysSwitches || serving.switched.includes(role.name)),
  );
  return {
    catalog,
    facts,
    serving,
    servingRoles,
    served: catalog.tables.filter(
      (table) =>
        !excluded.matches(table.schema, table.name) && (relations.get(pathOf(table))?.accessibleTo.length ?? 0) > 0,
    ),
    callable:
      serving.callsAllFunctions === true
        ? catalog.routines.filter((each) => isCallable(each) && !excluded.matches(each.schema, each.name))
        : [],
    tableOf: (name) => tables.get(pathOf(name)),
    relationOf: (name) => relations.get(pathOf(name)),
  };
}

export const isTable = (table: Table): boolean => table.kind === 'table' || table.kind === 'partitionedTable';

/** Row level security is on, or the table has policies. */
export const isMeantProtected = ({ rowSecurity }: Table): boolean =>
  rowSecurity.enabled || rowSecurity.policies.length > 0;

/** Every policy, with its table. */
export const policiesOf = ({ catalog }: Subject): readonly { readonly table: Table; readonly policy: Policy }[] =>
  catalog.tables.flatMap((table) => table.rowSecurity.policies.map((policy) => ({ table, policy })));
