import { getMetadataStorage } from 'type-graphql';
import { dictionary, type EnumShape, type FieldShape, type TypeShape } from './type-shape.js';

// What follows from descriptors is declared here while the generated modules load. Like TypeGraphQL's own store, this one belongs to the
// process. It is kept apart from that because a server of a thousand tables has two hundred thousand such fields, and TypeGraphQL takes
// several times as long over each as graphql-js does: complete-schema.ts adds them to what TypeGraphQL built.

export type Class = new () => object;
type Enum = Readonly<Record<string, string>>;
type ArgumentsOf = () => readonly FieldShape[];

/** By GraphQL name. */
export const declaredTypes = new Map<string, TypeShape>();

/** By GraphQL name. */
export const declaredEnums = new Map<string, EnumShape>();

/** What gives the arguments of fields, by the class and the property that they are declared on. */
export const declaredArguments = new Map<object, Map<string, ArgumentsOf>>();

/** The declared types that TypeGraphQL has been told of, without their fields. */
export const announced = new Set<string>();

/** What stands for declared types where decorators name them: a class, and for an enum the object of its values. By GraphQL name. */
const classes = new Map<string, Class>();
const enums = new Map<string, Enum>();
const names = new Map<unknown, string>();

/** Declares types by name. Their fields may be of any type of the schema: it is looked up when the schema is built. */
export function declareTypes(types: readonly TypeShape[]): void {
  for (const type of types) declaredTypes.set(type.name, type);
}

export function declareEnums(all: readonly EnumShape[]): void {
  for (const each of all) declaredEnums.set(each.name, each);
}

/**
 * Gives a field of a class arguments. Methods of resolvers don't see them: what they answer is in the database's answer already.
 */
export function declareArguments(prototype: object, property: string | symbol, argumentsOf: ArgumentsOf): void {
  let known = declaredArguments.get(prototype.constructor);
  if (known === undefined) declaredArguments.set(prototype.constructor, (known = new Map<string, ArgumentsOf>()));
  known.set(String(property), argumentsOf);
}

/** The class that stands for a declared type. Throws TypeError when no such type is declared. */
export function classOf(name: string): Class {
  const known = classes.get(name);
  if (known !== undefined) return known;
  const shape = declaredTypes.get(name);
  if (shape === undefined) throw new TypeError(`No GraphQL type is called ${name}.`);
  const target = class {};
  classes.set(name, target);
  names.set(target, name);
  // Generated decorators name classes of objects only, and only for TypeGraphQL to have a type to put there.
  if (shape.kind === 'object') announceObject(shape, target);
  return target;
}

/** The values of a declared enum. Throws TypeError when no such enum is declared. */
export function enumOf(name: string): Enum {
  const known = enums.get(name);
  if (known !== undefined) return known;
  const shape = declaredEnums.get(name);
  if (shape === undefined) throw new TypeError(`No GraphQL enum is called ${name}.`);
  const values = dictionary(shape.values.map((value) => [value, value]));
  enums.set(name, values);
  names.set(values, name);
  return values;
}

/** The name of the declared type that a class or an object of values stands for. */
export function declaredName(standIn: unknown): string | undefined {
  return names.get(standIn);
}

/** Tells TypeGraphQL of an object type that has no fields yet. */
function announceObject({ name, description }: TypeShape, target: Class): void {
  announced.add(name);
  getMetadataStorage().collectObjectMetadata({
    name,
    target,
    ...(description === '' ? {} : { description }),
    fields: [],
    directives: [],
    extensions: {},
    interfaceClasses: undefined,
    simpleResolvers: true,
  });
}
