import { GraphQLScalarType, buildSchema, isEnumType, isObjectType, type GraphQLSchema } from 'graphql';
import type { TableDescriptor, ValueType } from '../../runtime/src/descriptor/descriptor.js';
import type { Context } from '../../runtime/src/schema/common-types.js';
import { aggregateFunctions, aggregateType } from '../../runtime/src/plan/aggregates.js';
import { graphqlOperators } from '../../runtime/src/plan/operators.js';
import type { Operator } from '../../runtime/src/plan/operator.js';
import { fieldOf, type Registry } from '../../runtime/src/descriptor/registry.js';
import * as scalars from '../../runtime/src/schema/scalars.js';
import { acceptSpellings } from '../../runtime/src/schema/spellings.js';

/**
 * A schema of the generator's shape (decisions 1, 3, 4), made from descriptors alone, so that tests
 * of the runtime need no generated project. `extra` is custom SDL, resolved by `resolvers`
 * (`Type.field`).
 */
export const schemaOf = (registry: Registry, extra = '', resolvers: Resolvers = {}): GraphQLSchema =>
  servedSchema([...sdlOf(registry), extra].join('\n'), resolvers);

type Resolvers = Readonly<Record<string, (source: never, args: never, context: Context) => unknown>>;

/** The schema of SDL text, with resolvers like those of generated classes. */
export function servedSchema(sdl: string, resolvers: Resolvers = {}): GraphQLSchema {
  const schema = buildSchema(sdl);
  for (const scalar of Object.values(scalars)) {
    const declared = schema.getType(scalar.name);
    if (declared instanceof GraphQLScalarType) Object.assign(declared, scalar);
  }
  for (const type of Object.values(schema.getTypeMap())) {
    if (isEnumType(type) && !type.name.startsWith('__')) acceptSpellings(type);
  }
  const query = schema.getQueryType();
  for (const field of Object.values(query?.getFields() ?? {})) {
    field.resolve = (_source, _args, context: Context, info) => context.read(info);
  }
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    field.resolve = (_source, _args, context: Context, info) => context.write(info);
  }
  for (const [path, resolve] of Object.entries(resolvers)) {
    const [typeName = '', fieldName = ''] = path.split('.');
    const type = schema.getType(typeName);
    const field = isObjectType(type) ? type.getFields()[fieldName] : undefined;
    if (field === undefined) throw new Error(`no field ${path}`);
    field.resolve = (source, args, context) => resolve(source as never, args as never, context as Context);
  }
  return schema;
}

const shared = [
  ...['BigInt', 'Numeric', 'UUID', 'Date', 'Time', 'DateTime', 'Interval', 'JSON', 'Bytes'].map(
    (name) => `scalar ${name}`,
  ),
  ...['Tsvector', 'Vector', 'TextSearch'].map((name) => `scalar ${name}`),
  'enum OrderDirection { ASC DESC ASC_NULLS_FIRST ASC_NULLS_LAST DESC_NULLS_FIRST DESC_NULLS_LAST }',
  'type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }',
  'input CountOrderByInput { _count: OrderDirection }',
  'input VectorInput { column: String! near: [Float!]! distance: String limit: Int }',
];

function sdlOf(registry: Registry): readonly string[] {
  const filters = new Map<string, string>();
  const roots = registry.tables.flatMap((table) => rootFields(table, registry));
  const types = registry.tables.flatMap((table) => tableTypes(table, registry, filters));
  const enums = [...registry.enums.values()].map(
    ({ type, values }) => `enum ${type} { ${values.map(({ label, name }) => name ?? label).join(' ')} }`,
  );
  const composites = [...registry.composites.values()].flatMap(({ type, attributes }) => [
    `type ${type} { ${attributes.map((each) => `${fieldOf(each)}: ${output(each.type)}`).join(' ')} }`,
    `input ${type}Input { ${attributes.map((each) => `${fieldOf(each)}: ${input(each.type)}`).join(' ')} }`,
  ]);
  const ranges = rangeNames(registry).flatMap(([name, bound]) => [
    `type ${name} { lower: ${bound} upper: ${bound} lowerInclusive: Boolean! upperInclusive: Boolean! empty: Boolean! }`,
    `input ${name}Input { lower: ${bound} upper: ${bound} lowerInclusive: Boolean upperInclusive: Boolean empty: Boolean }`,
  ]);
  filterOf({ kind: 'int' }, filters);
  return [
    ...shared,
    ...enums,
    ...composites,
    ...ranges,
    ...types,
    ...filters.values(),
    `type Query { ${roots.join('\n')} }`,
  ];
}

/** Each used range type, with the type of its bounds. */
function rangeNames(registry: Registry): readonly (readonly [string, string])[] {
  const types = registry.tables.flatMap(({ columns }) =>
    columns.map(({ type }) => (type.kind === 'array' ? type.element : type)),
  );
  return [
    ...new Map(
      types.flatMap((type) =>
        type?.kind === 'range' && type.element !== undefined ? [[output(type), output(type.element)] as const] : [],
      ),
    ),
  ];
}

const listArguments = (table: TableDescriptor): string =>
  [
    `where: ${table.type}WhereInput, or: [${table.type}WhereInput!], orderBy: [${table.type}OrderByInput!]`,
    `limit: Int, offset: Int, distinctOn: [${table.type}Column!]`,
    ...(table.columns.some(({ type }) => type.kind === 'vector') ? ['vector: VectorInput'] : []),
  ].join(', ');

const aggregateArguments = ({ type }: TableDescriptor): string =>
  `where: ${type}WhereInput, groupBy: [${type}Column!], having: ${type}HavingInput`;

function rootFields(table: TableDescriptor, registry: Registry): readonly string[] {
  const { field, type, primaryKey } = table;
  const keys = (primaryKey?.columns ?? []).map((name) => {
    const column = registry.table.get(field)?.byName.get(name);
    if (column === undefined) throw new Error(`no column ${name}`);
    return `${fieldOf(column)}: ${input(column.type)}!`;
  });
  return [
    `${field}(${listArguments(table)}): [${type}!]!`,
    ...(keys.length === 0 ? [] : [`${field}ByPk(${keys.join(', ')}): ${type}`]),
    `${field}Connection(first: Int, after: String, last: Int, before: String, where: ${type}WhereInput, orderBy: [${type}OrderByInput!]): ${type}Connection!`,
    `${field}Aggregate(${aggregateArguments(table)}): ${type}Aggregate!`,
  ];
}

function tableTypes(table: TableDescriptor, registry: Registry, filters: Map<string, string>): readonly string[] {
  const { type, columns, relations = [], computed = [] } = table;
  const related = relations.map((relation) => {
    const target = registry.table.get(relation.table);
    if (target === undefined) throw new Error(`no table ${relation.table}`);
    return { ...relation, target };
  });
  const fields = [
    ...columns.map((column) => `${fieldOf(column)}: ${output(column.type)}${column.nullable === true ? '' : '!'}`),
    ...computed.map((each) => `${each.name}: ${output(each.type)}`),
    ...related.flatMap(({ name, cardinality, target }) =>
      cardinality === 'one'
        ? [`${name}: ${target.type}`]
        : [
            `${name}(${listArguments(target)}): [${target.type}!]!`,
            `${name}Aggregate(${aggregateArguments(target)}): ${target.type}Aggregate!`,
          ],
    ),
  ];
  const where = [
    ...columns.map(
      (column) => `${fieldOf(column)}: ${filterOf(column.type, filters, `${type}${pascal(fieldOf(column))}`)}`,
    ),
    ...related.map(({ name, cardinality, target }) =>
      cardinality === 'one' ? `${name}: ${target.type}WhereInput` : `${name}: ${target.type}RelationFilterInput`,
    ),
    `and: [${type}WhereInput!] or: [${type}WhereInput!] not: ${type}WhereInput`,
  ];
  const order = [
    ...columns.map((column) => `${fieldOf(column)}: OrderDirection`),
    ...computed.map(({ name }) => `${name}: OrderDirection`),
    ...related.map(({ name, cardinality, target }) =>
      cardinality === 'one' ? `${name}: ${target.type}OrderByInput` : `${name}: CountOrderByInput`,
    ),
  ];
  return [
    `type ${type} { ${fields.join('\n')} }`,
    `input ${type}WhereInput { ${where.join('\n')} }`,
    `input ${type}RelationFilterInput { some: ${type}WhereInput every: ${type}WhereInput none: ${type}WhereInput }`,
    `input ${type}OrderByInput { ${order.join('\n')} }`,
    `enum ${type}Column { ${columns.map(fieldOf).join(' ')} }`,
    `type ${type}Edge { node: ${type}! cursor: String! }`,
    `type ${type}Connection { edges: [${type}Edge!]! nodes: [${type}!]! pageInfo: PageInfo! totalCount: Int! }`,
    ...aggregateTypes(table, filters),
  ];
}

function aggregateTypes(table: TableDescriptor, filters: Map<string, string>): readonly string[] {
  const { type, columns } = table;
  const functions = aggregateFunctions.flatMap((name) => {
    const fields = columns.flatMap((column) => {
      const result = aggregateType(name, column.type);
      return result === undefined ? [] : [{ field: fieldOf(column), result }];
    });
    return fields.length === 0 ? [] : [{ name, suffix: pascal(name), fields }];
  });
  const uses = functions.map(({ name, suffix }) => `${name}: ${type}Aggregate${suffix}`);
  const having = functions.map(({ name, suffix }) => `${name}: ${type}Having${suffix}Input`);
  const int = filterOf({ kind: 'int' }, filters);
  return [
    `type ${type}Aggregate { count: Int! ${uses.join(' ')} groups: [${type}AggregateGroup!]! }`,
    `type ${type}AggregateGroup { key: ${type}AggregateKey! count: Int! ${uses.join(' ')} }`,
    `type ${type}AggregateKey { ${columns.map((column) => `${fieldOf(column)}: ${output(column.type)}`).join(' ')} }`,
    `input ${type}HavingInput { count: ${int} ${having.join(' ')} and: [${type}HavingInput!] or: [${type}HavingInput!] not: ${type}HavingInput }`,
    ...functions.flatMap(({ suffix, fields }) => [
      `type ${type}Aggregate${suffix} { ${fields.map(({ field, result }) => `${field}: ${output(result)}`).join(' ')} }`,
      `input ${type}Having${suffix}Input { ${fields
        .map(({ field, result }) => `${field}: ${filterOf(result, filters, `${type}${pascal(field)}`)}`)
        .join(' ')} }`,
    ]),
  ];
}

/** Adds the filter input of a type, and returns its name. */
function filterOf(type: ValueType, filters: Map<string, string>, owner = ''): string {
  const name = type.kind === 'enum' ? `${owner}FilterInput` : `${filterBase(type)}FilterInput`;
  if (!filters.has(name)) {
    const fields = graphqlOperators(type.kind).map((each) => `${each.graphql ?? ''}: ${operandOf(each, type)}`);
    filters.set(name, `input ${name} { ${fields.join('\n')} }`);
  }
  return name;
}

function operandOf({ operand }: Operator, type: ValueType): string {
  const own = input(type);
  const element = type.element === undefined ? own : input(type.element);
  switch (operand) {
    case 'none':
      return 'Boolean';
    case 'column':
      return own;
    case 'list':
    case 'pair':
      return `[${own}!]`;
    case 'element':
      return element;
    case 'elements':
      return `[${element}!]`;
    case 'texts':
      return '[String!]';
    case 'json':
      return 'JSON';
    case 'tsquery':
      return 'TextSearch';
    case 'int':
      return 'IntFilterInput';
    default:
      return 'String';
  }
}

const scalarNames: Readonly<Partial<Record<ValueType['kind'], string>>> = {
  int: 'Int',
  bigint: 'BigInt',
  numeric: 'Numeric',
  money: 'Numeric',
  float: 'Float',
  boolean: 'Boolean',
  uuid: 'UUID',
  date: 'Date',
  time: 'Time',
  timestamp: 'DateTime',
  interval: 'Interval',
  json: 'JSON',
  jsonb: 'JSON',
  bytes: 'Bytes',
  tsvector: 'Tsvector',
  vector: 'Vector',
};

function output(type: ValueType): string {
  if (type.kind === 'array' && type.element !== undefined) return `[${output(type.element)}]`;
  if (type.kind === 'range' && type.element !== undefined) return `${output(type.element)}Range`;
  return type.enum ?? type.composite ?? scalarNames[type.kind] ?? 'String';
}

function input(type: ValueType): string {
  if (type.kind === 'array' && type.element !== undefined) return `[${input(type.element)}]`;
  return type.kind === 'composite' || type.kind === 'range' ? `${output(type)}Input` : output(type);
}

function filterBase(type: ValueType): string {
  if (type.kind === 'array' && type.element !== undefined) return `${filterBase(type.element)}Array`;
  if (type.kind === 'json' || type.kind === 'jsonb') return 'Json';
  return type.kind === 'other' ? 'Other' : output(type);
}

function pascal(name: string): string {
  return name
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
