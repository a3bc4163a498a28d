import { GraphQLSchema, isInputObjectType, isObjectType } from 'graphql';
import { hasNodes, nodeFields } from '../descriptor/node-id.js';
import { aggregateField, functionFields, rootFields } from '../descriptor/names.js';
import type { Registry, Table } from '../descriptor/registry.js';

/**
 * The GraphQL schema without the tables, procedures and functions that are not served:
 * `app.schemas` may name fewer schemas at run time than were generated. Types that only those used
 * disappear from introspection, too.
 * @param all everything that was generated
 * @param served the part that is served
 */
export function narrowSchema(schema: GraphQLSchema, all: Registry, served: Registry): GraphQLSchema {
  const isWhole =
    served.tables.length === all.tables.length &&
    served.procedures.size === all.procedures.size &&
    served.functions.size === all.functions.size;
  if (isWhole) return schema;
  const unserved = all.tables.filter(({ field }) => !served.table.has(field));
  const procedures = [...all.procedures.keys()].filter((field) => !served.procedures.has(field));
  const functions = [...all.functions.values()].filter(({ field }) => !served.functions.has(field));
  const nodes = hasNodes(served) ? [] : Object.values(nodeFields);
  for (const name of [...unserved.flatMap(rootsOf), ...procedures, ...functions.flatMap(functionFields), ...nodes]) {
    for (const root of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
      if (root !== undefined && root !== null) Reflect.deleteProperty(root.getFields(), name);
    }
  }
  const gone = new Set(unserved.map(({ field }) => field));
  for (const table of served.tables) removeRelations(schema, table, gone);
  const { query, mutation, subscription, directives, description } = schema.toConfig();
  const filled = (type: typeof query): typeof query =>
    type !== null && type !== undefined && Object.keys(type.getFields()).length > 0 ? type : null;
  // Without `types`, the schema keeps only types that the roots lead to.
  return new GraphQLSchema({
    query: filled(query) ?? null,
    mutation: filled(mutation) ?? null,
    subscription: filled(subscription) ?? null,
    directives,
    description,
    assumeValid: true,
  });
}

/** Every root field of a table in Query, Mutation and Subscription: decision 001. */
const rootsOf = (table: Table): readonly string[] => Object.values(rootFields(table));

/**
 * Removes the relations from a served table to unserved tables: the fields, and the filters, orders
 * and inputs.
 */
function removeRelations(schema: GraphQLSchema, table: Table, gone: ReadonlySet<string>): void {
  const names = (table.relations ?? [])
    .filter((relation) => gone.has(relation.table) || (relation.through && gone.has(relation.through.table)))
    .flatMap(({ name }) => [name, aggregateField(name)]);
  if (names.length === 0) return;
  for (const suffix of ['', 'WhereInput', 'OrderByInput', 'CreateInput', 'UpdateInput']) {
    const type = schema.getType(`${table.type}${suffix}`);
    if (!isObjectType(type) && !isInputObjectType(type)) continue;
    for (const name of names) Reflect.deleteProperty(type.getFields(), name);
  }
}
