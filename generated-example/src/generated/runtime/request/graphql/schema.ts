import {
  Kind,
  getNamedType,
  isEnumType,
  isObjectType,
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  type ValueNode,
} from 'graphql';
import { fieldOf, type Registry, type Table } from '../../registry.js';
import { mutationOperations } from './mutation.js';
import { rootOperations } from './root.js';

/**
 * Makes the schema that TypeGraphQL built ready to be served, in place and once, at start.
 * Enums take quoted members too, and directions take other spellings (decisions 3); the text of the schema stays the
 * same. Generated fields lose their resolvers: what they answer is in the statement's data, under the response key.
 */
export function prepareSchema(schema: GraphQLSchema, registry: Registry): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isEnumType(type) && !type.name.startsWith('__')) {
      acceptSpellings(type, type.name === 'OrderDirection' ? directionOf : exactly);
    }
  }
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
 * long chains.
 */
function releaseBelow(fields: readonly GraphQLField<unknown, unknown>[], registry: Registry): void {
  const found = new Set<GraphQLObjectType>();
  const find = (field: GraphQLField<unknown, unknown>): void => {
    const type = getNamedType(field.type);
    if (isObjectType(type)) found.add(type);
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

const exactly = (spelling: string): string => spelling;

/** `asc`, `AscNullsFirst`, `asc_nulls_first` → `ASC_NULLS_FIRST`. */
function directionOf(spelling: string): string {
  return spelling.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();
}

function acceptSpellings(type: GraphQLEnumType, canonical: (spelling: string) => string): void {
  const parseLiteral: (node: ValueNode, variables: Record<string, unknown> | null | undefined) => unknown =
    type.parseLiteral.bind(type);
  const parseValue: (value: unknown) => unknown = type.parseValue.bind(type);
  type.parseLiteral = (node: ValueNode, variables: Record<string, unknown> | null | undefined) => {
    if (node.kind !== Kind.ENUM && node.kind !== Kind.STRING) return parseLiteral(node, variables);
    const meant = { ...node, kind: Kind.ENUM, value: canonical(node.value) } as const;
    return type.getValue(meant.value) === undefined
      ? parseLiteral({ ...meant, value: node.value }, variables)
      : parseLiteral(meant, variables);
  };
  type.parseValue = (value: unknown) => {
    if (typeof value !== 'string') return parseValue(value);
    const meant = canonical(value);
    return parseValue(type.getValue(meant) === undefined ? value : meant);
  };
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
