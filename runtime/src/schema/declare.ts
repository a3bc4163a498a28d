import { getMetadataStorage } from 'type-graphql';
import type { TableDescriptor } from '../descriptor/descriptor.js';
import type { RootField } from './descriptions.js';
import { dictionary, type EnumShape, type FieldShape, type TypeShape } from './type-shape.js';

// Generated modules declare here, while they load, the types that follow from descriptors. Like
// TypeGraphQL's own store, this store belongs to the process. It is separate because a server of a
// thousand tables has 200,000 such fields, and TypeGraphQL takes several times as long for each as
// graphql-js: complete-schema.ts adds them to the schema that TypeGraphQL built.

export type Class = new () => object;
type Enum = Readonly<Record<string, string>>;
/** A field with arguments that follow from a table. */
export interface DeclaredField {
  readonly arguments: () => readonly FieldShape[];
  readonly table: () => TableDescriptor;
  /** The operation of a root field. */
  readonly root: RootField;
}

/** By GraphQL name. */
export const declaredTypes = new Map<string, TypeShape>();

/** By GraphQL name. */
export const declaredEnums = new Map<string, EnumShape>();

/** The filter inputs of single columns, for which generated files have classes. By GraphQL name. */
export const columnFilters = new Set<string>();

/** The source of the arguments and descriptions of fields, by their class and property. */
export const declaredArguments = new Map<object, Map<string, DeclaredField>>();

/** The declared types that are registered with TypeGraphQL, without their fields. */
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

/**
 * The same declarations with the types of one schema, which take precedence over others of the same
 * name.
 */
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

/** Whether a type of this name follows from descriptors alone: its fields are made on first use. */
export const isMadeLater = (name: string): boolean => declaredTypes.has(name) && !registered.has(name);

/**
 * Stand-ins by which decorators name declared types: a class, or for an enum the object of its
 * values. By GraphQL name.
 */
const classes = new Map<string, Class>();
const enums = new Map<string, Enum>();
const names = new Map<unknown, string>();

/** Declares types by name. The types of their fields are looked up when the schema is built. */
export function declareTypes(types: readonly TypeShape[]): void {
  for (const type of types) declaredTypes.set(type.name, type);
}

export function declareEnums(all: readonly EnumShape[]): void {
  for (const each of all) declaredEnums.set(each.name, each);
}

/**
 * Gives arguments to a field of a class. Methods of resolvers do not receive them: the statement
 * has already applied them.
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
  // Its instances are a resolver's arguments, and contain exactly what the client sent.
  const target = class extends Object {};
  classes.set(name, target);
  names.set(target, name);
  // TypeGraphQL requires a type for a field, so decorators of generated files name classes of
  // objects.
  if (shape.kind === 'object') registerObject(shape, target);
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

/** Registers an object type without fields with TypeGraphQL. */
function registerObject({ name, description }: TypeShape, target: Class): void {
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
