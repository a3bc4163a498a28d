import { getMetadataStorage } from 'type-graphql';
import type { TableDescriptor } from '../descriptor/descriptor.js';
import type { RootField } from './descriptions.js';
import { dictionary, type EnumShape, type FieldShape, type TypeShape } from './type-shape.js';

// What follows from descriptors is declared here while the generated modules load. Like TypeGraphQL's own store, this one belongs to the
// process. It is kept apart from that because a server of a thousand tables has two hundred thousand such fields, and TypeGraphQL takes
// several times as long over each as graphql-js does: complete-schema.ts adds them to what TypeGraphQL built.

export type Class = new () => object;
type Enum = Readonly<Record<string, string>>;
/** A field with arguments that follow from a table. */
export interface DeclaredField {
  readonly arguments: () => readonly FieldShape[];
  readonly table: () => TableDescriptor;
  /** Its operation, if it is a root field. */
  readonly root: RootField;
}

/** By GraphQL name. */
export const declaredTypes = new Map<string, TypeShape>();

/** By GraphQL name. */
export const declaredEnums = new Map<string, EnumShape>();

/** The filter inputs of single columns, which generated files spell out as classes. By GraphQL name. */
export const columnFilters = new Set<string>();

/** What gives fields their arguments and descriptions, by the class and the property that they are declared on. */
export const declaredArguments = new Map<object, Map<string, DeclaredField>>();

/** The declared types that TypeGraphQL has been told of, without their fields. */
export const registered = new Set<string>();

/** Types and enums that follow from descriptors, by GraphQL name. */
export interface Declarations {
  readonly type: (name: string) => TypeShape | undefined;
  readonly enum: (name: string) => EnumShape | undefined;
  /** The names of all of them. */
  readonly names: () => Iterable<string>;
}

const present = (type: TypeShape | undefined): TypeShape | undefined =>
  type?.isAbsent?.() === true ? undefined : type;

/** The types that generated files have declared. */
export const declared: Declarations = {
  type: (name) => present(declaredTypes.get(name)),
  enum: (name) => declaredEnums.get(name),
  names: () => [...[...declaredTypes.values()].flatMap((type) => present(type)?.name ?? []), ...declaredEnums.keys()],
};

/** The same with types of one schema alone, which stand before others of the same name. */
export function withShapes(declarations: Declarations, shapes: readonly (TypeShape | EnumShape)[]): Declarations {
  const byName = new Map(shapes.map((shape) => [shape.name, shape]));
  return {
    type: (name) => {
      const own = byName.get(name);
      return own === undefined ? declarations.type(name) : 'values' in own ? undefined : own;
    },
    enum: (name) => {
      const own = byName.get(name);
      return own === undefined ? declarations.enum(name) : 'values' in own ? own : undefined;
    },
    names: () => [...byName.keys(), ...declarations.names()],
  };
}

/** Whether a type of this name follows from descriptors alone: its fields are made when somebody first asks for them. */
export const isMadeLater = (name: string): boolean => declaredTypes.has(name) && !registered.has(name);

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
export function declareArguments(prototype: object, property: string | symbol, field: DeclaredField): void {
  let known = declaredArguments.get(prototype.constructor);
  if (known === undefined) declaredArguments.set(prototype.constructor, (known = new Map<string, DeclaredField>()));
  known.set(String(property), field);
}

/** The class that stands for a declared type. Throws TypeError when no such type is declared. */
export function classOf(name: string): Class {
  const known = classes.get(name);
  if (known !== undefined) return known;
  const shape = declaredTypes.get(name);
  if (shape === undefined) throw new TypeError(`No GraphQL type is called ${name}.`);
  // Its instances are a resolver's arguments: they have what the client gave, and nothing else.
  const target = class extends Object {};
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
  registered.add(name);
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
