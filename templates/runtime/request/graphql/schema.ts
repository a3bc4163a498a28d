import {
  GraphQLEnumType,
  GraphQLObjectType,
  Kind,
  isEnumType,
  isObjectType,
  type GraphQLSchema,
  type ValueNode,
} from 'graphql';
import { fieldOf, type Registry, type Table } from '../../registry.js';

/**
 * Makes the schema that TypeGraphQL built ready to be served, in place and once, at start.
 * Enums take quoted members too, and directions take other spellings (decisions 3); the text of the schema stays the same. Generated fields
 * lose their resolvers: what they answer is in the statement's data, under the response key.
 */
export function prepareSchema(schema: GraphQLSchema, registry: Registry): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    if (isEnumType(type)) acceptSpellings(type, type.name === 'OrderDirection' ? directionOf : exactly);
    else if (isObjectType(type)) releaseFields(type, registry);
  }
  return schema;
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

function releaseFields(type: GraphQLObjectType, registry: Registry): void {
  const table = registry.tableByType.get(type.name);
  const names = table === undefined ? undefined : generatedFields(table);
  if (names === undefined && !isGeneratedType(type.name, registry)) return;
  for (const field of Object.values(type.getFields())) {
    if (names === undefined || names.has(field.name)) delete field.resolve;
  }
}

/** The fields of a table's object type that the database answers. Every other field is somebody's own. */
export function generatedFields(table: Table): ReadonlySet<string> {
  const relations = table.relations ?? [];
  return new Set([
    ...table.columns.map(fieldOf),
    ...(table.computed ?? []).map(({ name }) => name),
    ...relations.map(({ name }) => name),
    ...relations.filter(({ cardinality }) => cardinality === 'many').map(({ name }) => `${name}Aggregate`),
  ]);
}

/** Object types other than a table's own: composites, ranges, and what connections and aggregates are made of. */
function isGeneratedType(name: string, registry: Registry): boolean {
  if (registry.composites.has(name) || name === 'PageInfo' || name.endsWith('Range')) return true;
  const owner = /^(.+?)(?:Connection|Edge|Aggregate[A-Za-z]*)$/.exec(name)?.[1];
  return owner !== undefined && registry.tableByType.has(owner);
}
