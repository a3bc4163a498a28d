import type { GraphQLNamedType, GraphQLSchema } from 'graphql';
import type { IntrospectedField } from '../../../request/graphql/query/introspected-field.js';
import { countsOf, type Counts, type SchemaSize } from './size.js';

/**
 * What fields are asked of: so many objects of introspection, with so many items in their lists,
 * all together.
 */
interface Population {
  readonly count: number;
  readonly lists: Readonly<Record<string, number>>;
  /** Of types: how many are wrapped once, twice and so on. */
  readonly wrapped: readonly number[];
  /** Of fields and their like: how often their types are wrapped. */
  readonly wrappedTypes: readonly number[];
  /** Whether it is every type of the schema, each of them once, or a list of all those. */
  readonly isWhole: boolean;
}

/** A response key of so many characters counts as a value more. */
const KEY_SIZE = 32;

/**
 * Upper limit of the number of values in an introspection answer. Exact for the lists of `types`;
 * below them, each list counts with the length of the longest. Its time depends on the length of
 * the document, and not on the size of the schema.
 */
export function introspectionCost(
  schema: GraphQLSchema,
  size: SchemaSize,
  fields: readonly IntrospectedField[],
): number {
  const root: Population = { ...none, count: 1 };
  return costOf({ schema, size }, fields, root);
}

interface Reckoning {
  readonly schema: GraphQLSchema;
  readonly size: SchemaSize;
}

function costOf(context: Reckoning, fields: readonly IntrospectedField[], parents: Population): number {
  if (parents.count === 0) return 0;
  let cost = 0;
  for (const field of fields) {
    cost += parents.count * (1 + Math.floor(field.key.length / KEY_SIZE));
    if (field.fields === undefined) {
      if (field.isList) cost += parents.count * LOCATIONS;
      continue;
    }
    const below = populationOf(context, field, parents);
    cost += below.count + costOf(context, field.fields, below);
  }
  return cost;
}

/** The only list of plain values is that of a directive's locations. */
const LOCATIONS = 19;

const none: Population = { count: 0, lists: {}, wrapped: [], wrappedTypes: [], isWhole: false };

function populationOf({ schema, size }: Reckoning, field: IntrospectedField, parents: Population): Population {
  const { name } = field;
  switch (name) {
    case '__schema':
      return { ...none, count: 1 };
    case '__type':
      return oneType(schema, schema.getType(field.type ?? ''));
    case 'queryType':
      return oneType(schema, schema.getQueryType());
    case 'mutationType':
      return oneType(schema, schema.getMutationType());
    case 'subscriptionType':
      return oneType(schema, schema.getSubscriptionType());
    case 'types':
      return { ...none, count: size.types, lists: size.all, isWhole: true };
    case 'directives':
      return directives(schema);
    case 'type':
      return someTypes(size, parents.count, parents.wrappedTypes);
    case 'ofType':
      return someTypes(size, parents.wrapped[0] ?? 0, parents.wrapped.slice(1));
    case 'interfaces':
    case 'possibleTypes':
      return someTypes(size, parents.lists[name] ?? 0, []);
    default:
      return items(size, name, parents);
  }
}

function oneType(schema: GraphQLSchema, type: GraphQLNamedType | null | undefined): Population {
  return type === null || type === undefined ? none : { ...none, count: 1, lists: { ...countsOf(schema, type) } };
}

function directives(schema: GraphQLSchema): Population {
  const all = schema.getDirectives();
  return { ...none, count: all.length, lists: { args: all.reduce((sum, { args }) => sum + args.length, 0) } };
}

function someTypes({ most }: SchemaSize, count: number, wrapped: readonly number[]): Population {
  return { ...none, count, wrapped, lists: times(most, count) };
}

/** `fields`, `inputFields`, `enumValues` and `args`. */
function items(size: SchemaSize, name: string, parents: Population): Population {
  const count = parents.lists[name] ?? 0;
  const known = name === 'fields' || name === 'inputFields' || name === 'args' ? size.wrapped[name] : [];
  return {
    ...none,
    count,
    lists: { args: parents.isWhole ? size.all.args : count * size.most.args },
    wrappedTypes: parents.isWhole ? known : known.map(() => count),
    isWhole: parents.isWhole,
  };
}

const times = (counts: Counts, by: number): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, count * by]));
