import { getNamedType, isObjectType, type GraphQLField, type GraphQLObjectType, type GraphQLSchema } from 'graphql';
import { fieldOf, type Registry, type Table } from '../../registry.js';
import { isWaiting } from '../../schema/fill-when-asked.js';
import { mutationOperations } from './mutation.js';
import { rootOperations } from './root.js';

/**
 * Makes the schema that TypeGraphQL built ready to be served, in place and once, at start: generated fields lose their resolvers, since what
 * they answer is in the statement's data, under the response key.
 */
export function prepareSchema(schema: GraphQLSchema, registry: Registry): GraphQLSchema {
  const roots = rootOperations(registry);
  const writes = mutationOperations(registry);
  const queries = Object.values(schema.getQueryType()?.getFields() ?? {});
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
  const generated = [
    ...queries.filter(({ name }) => roots.has(name)),
    ...mutations.filter(({ name }) => writes.has(name)),
  ];
  releaseBelow(generated, registry);
  return schema;
}

/**
 * Takes the resolvers from the generated fields of every type below these fields. A loop, since tables may be linked in
 * long chains. A type whose fields follow from a descriptor has no resolvers, and leads to no type that a table's own root fields don't.
 */
function releaseBelow(fields: readonly GraphQLField<unknown, unknown>[], registry: Registry): void {
  const found = new Set<GraphQLObjectType>();
  const find = (field: GraphQLField<unknown, unknown>): void => {
    const type = getNamedType(field.type);
    if (isObjectType(type) && !isWaiting(type)) found.add(type);
  };
  fields.forEach(find);
  // A set also gives what is added to it while it is gone through.
  for (const type of found) {
    const names = generatedFields(type.name, registry);
    for (const field of Object.values(type.getFields())) {
      if (names !== undefined && !names.has(field.name)) continue;
      // Not deleted: that would turn every field into a slow, large dictionary.
      Object.assign(field, { resolve: undefined });
      find(field);
    }
  }
}

/**
 * The fields of an object type that the database answers; undefined: all of them. Every other field is somebody's own.
 */
function generatedFields(type: string, registry: Registry): ReadonlySet<string> | undefined {
  const composite = registry.composites.get(type);
  if (composite !== undefined) return new Set(composite.attributes.map(fieldOf));
  const table = registry.tableByType.get(type);
  return table === undefined ? undefined : tableFields(table);
}

function tableFields(table: Table): ReadonlySet<string> {
  const relations = table.relations ?? [];
  return new Set([
    ...table.columns.map(fieldOf),
    ...(table.computed ?? []).map(({ name }) => name),
    ...relations.map(({ name }) => name),
    ...relations.filter(({ cardinality }) => cardinality === 'many').map(({ name }) => `${name}Aggregate`),
  ]);
}
