import {
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isWrappingType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
} from 'graphql';

/** The lists of `__Type`, and `args` of their items. */
export type ListName = 'fields' | 'inputFields' | 'enumValues' | 'interfaces' | 'possibleTypes';
export type Counts = Readonly<Record<ListName, number>>;
type Totals = Record<ListName | 'args', number>;

/** The size of a schema for introspection, from which the cost of documents is computed. */
export interface SchemaSize {
  readonly types: number;
  /** The items of all types' lists. */
  readonly all: Readonly<Totals>;
  /** The items of the longest list that some field, argument or list of types leads to. */
  readonly most: Readonly<Totals>;
  /**
   * How many types of fields, of arguments and of input fields are wrapped once, twice and so on in
   * non-null or list.
   */
  readonly wrapped: Readonly<Record<'fields' | 'args' | 'inputFields', readonly number[]>>;
  /** Characters of all descriptions. */
  readonly text: number;
}

/** A field, an argument or an input field. */
interface Described {
  readonly type: GraphQLType;
  readonly description?: string | null | undefined;
}

/** Measures a schema of these types. Yields often. */
export function* measureSchema(
  schema: GraphQLSchema,
  types: readonly GraphQLNamedType[],
): Generator<undefined, SchemaSize> {
  const all: Totals = { ...nothing, args: 0 };
  const most: Totals = { ...nothing, args: 0 };
  const wrapped: Record<keyof SchemaSize['wrapped'], number[]> = { fields: [], args: [], inputFields: [] };
  const led = new Set<GraphQLNamedType>();
  let text = 0;
  const measure = (each: Described, depths: number[]): void => {
    led.add(getNamedType(each.type));
    countWrappers(each.type, depths);
    text += each.description?.length ?? 0;
  };
  for (const type of types) {
    add(all, countsOf(schema, type));
    text += type.description?.length ?? 0;
    for (const field of fieldsOf(type)) {
      measure(field, wrapped.fields);
      all.args += field.args.length;
      most.args = Math.max(most.args, field.args.length);
      for (const argument of field.args) measure(argument, wrapped.args);
      yield;
    }
    if (isInputObjectType(type))
      for (const field of Object.values(type.getFields())) measure(field, wrapped.inputFields);
    if (isEnumType(type)) for (const value of type.getValues()) text += value.description?.length ?? 0;
    for (const other of typesOf(schema, type)) led.add(other);
    yield;
  }
  for (const type of led) raise(most, countsOf(schema, type));
  return { types: types.length, all, most, wrapped, text };
}

const nothing: Counts = { fields: 0, inputFields: 0, enumValues: 0, interfaces: 0, possibleTypes: 0 };

/** The lengths of a type's lists. */
export function countsOf(schema: GraphQLSchema, type: GraphQLNamedType): Counts {
  if (isEnumType(type)) return { ...nothing, enumValues: type.getValues().length };
  if (isInputObjectType(type)) return { ...nothing, inputFields: Object.keys(type.getFields()).length };
  const composite = isObjectType(type) || isInterfaceType(type);
  return {
    ...nothing,
    fields: composite ? Object.keys(type.getFields()).length : 0,
    interfaces: composite ? type.getInterfaces().length : 0,
    possibleTypes: isAbstractType(type) ? schema.getPossibleTypes(type).length : 0,
  };
}

const fieldsOf = (type: GraphQLNamedType): readonly GraphQLField<unknown, unknown>[] =>
  isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];

/** The types that `interfaces` and `possibleTypes` list. */
const typesOf = (schema: GraphQLSchema, type: GraphQLNamedType): readonly GraphQLNamedType[] => [
  ...(isObjectType(type) || isInterfaceType(type) ? type.getInterfaces() : []),
  ...(isAbstractType(type) ? schema.getPossibleTypes(type) : []),
];

function countWrappers(type: GraphQLType, depths: number[]): void {
  for (let inner = type, depth = 0; isWrappingType(inner); inner = inner.ofType as GraphQLType, depth += 1)
    depths[depth] = (depths[depth] ?? 0) + 1;
}

const names = Object.keys(nothing) as readonly ListName[];

function add(total: Record<ListName, number>, counts: Counts): void {
  for (const name of names) total[name] += counts[name];
}

function raise(most: Record<ListName, number>, counts: Counts): void {
  for (const name of names) most[name] = Math.max(most[name], counts[name]);
}
