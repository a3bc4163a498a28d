import {
  GraphQLInputObjectType,
  GraphQLInterfaceType,
  GraphQLObjectType,
  GraphQLUnionType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNamedType,
  isNonNullType,
  isObjectType,
  isUnionType,
  type GraphQLArgument,
  type GraphQLArgumentConfig,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLType,
} from 'graphql';
import type { Registry } from '../../descriptor/registry.js';
import type { SchemaTypes } from '../build.js';
import { isNodeField } from '../nodes.js';
import type { FieldShape } from '../type-shape.js';
import { aroundGenerated } from './around-generated.js';
import { setCustomPart } from './part.js';
import type { CustomField, CustomParts, Field, Resolve } from './parts.js';
import { takenBy } from './taken-by.js';

/**
 * The error for code of the user's that the types of the database do not fit. Undefined: fields of
 * that code which need types that are not there are left out, because a role does not see them.
 */
export type Refuse = ((message: string) => Error) | undefined;

/** The member of a field's extensions with the shape of a generated field that a class inherits. */
export const generatedShape = 'tablewright';

/**
 * Adds the parts of the user's code to the types of a database, by name. The user's classes stay as
 * compiled.
 * @returns the types of the user's code
 * @throws the error of `refuse` if the user's code needs something that is gone, or uses a name
 * that is taken
 */
export function mergeCustomTypes(
  types: SchemaTypes,
  parts: CustomParts,
  registry: Registry,
  refuse: Refuse,
): readonly GraphQLNamedType[] {
  const own = new CustomTypes(types, parts.types, registry, refuse);
  for (const part of parts.fields) addPart(types, own, part, registry, refuse);
  addMiddleware(types, parts);
  checkGuards(types, parts, refuse);
  return own.all;
}

const refused = (refuse: Refuse, message: string): Error => refuse?.(message) ?? new TypeError(message);

/** The types of the user's code, rebuilt so that they refer to the types of the database. */
class CustomTypes {
  readonly all: readonly GraphQLNamedType[];
  private readonly names: ReadonlySet<string>;

  constructor(
    private readonly to: SchemaTypes,
    types: readonly GraphQLNamedType[],
    registry: Registry,
    private readonly refuse: Refuse,
  ) {
    this.names = new Set(types.map(({ name }) => name));
    for (const { name } of types) {
      if (to.types.find(name) === undefined) continue;
      throw refused(
        refuse,
        `The type ${name} of your code has the name that ${takenBy(name, undefined, registry)} takes now.`,
      );
    }
    this.all = types.map((type) => this.rebuild(type));
    for (const type of this.all) to.types.add(type);
    for (const type of this.all) this.check(type);
  }

  /** Whether every type that the field needs is there. Otherwise it is refused, or left out. */
  fits({ type, args = [] }: { readonly type: unknown; readonly args?: Field['args'] }): boolean {
    if (this.refuse !== undefined) return true;
    return [type, ...args.map((each) => each.type)].every((each) => this.has(shapeOf(each).type));
  }

  private has(name: string): boolean {
    return this.names.has(name) || this.to.types.find(name) !== undefined;
  }

  /** The same type of the database. Throws if it is gone. */
  type(type: unknown, user: string): GraphQLType {
    const shape = shapeOf(type);
    this.named(shape.type, user);
    return this.to.types.typeOf(shape);
  }

  field(field: Field, user: string): GraphQLFieldConfig<unknown, unknown> {
    const args: GraphQLFieldConfigArgumentMap = {};
    for (const argument of field.args) args[argument.name] = this.input(argument, user);
    const { description, resolve, subscribe, deprecationReason, astNode } = field;
    const { [generatedShape]: inherited, ...extensions } = field.extensions;
    const generated = inherited === undefined ? undefined : this.to.types.fieldOf(inherited as FieldShape);
    return {
      ...(generated ?? { type: this.type(field.type, user) as GraphQLOutputType, description }),
      ...{ args: { ...generated?.args, ...args }, deprecationReason, extensions, astNode },
      ...(resolve === undefined ? {} : { resolve }),
      ...(subscribe === undefined ? {} : { subscribe }),
    };
  }

  /** An argument, or a field of an input. */
  private input({ type, ...given }: GraphQLArgument | GraphQLInputField, user: string): GraphQLArgumentConfig {
    const { description, defaultValue, deprecationReason, extensions, astNode } = given;
    return {
      type: this.type(type, user) as GraphQLInputType,
      description,
      defaultValue,
      deprecationReason,
      extensions,
      astNode,
    };
  }

  private named(name: string, user: string): GraphQLNamedType {
    const found = this.to.types.find(name);
    if (found !== undefined) return found;
    throw refused(this.refuse, `${user} of your code needs the type ${name}, which is gone.`);
  }

  private rebuild(type: GraphQLNamedType): GraphQLNamedType {
    const { name } = type;
    if (isInputObjectType(type)) {
      const fields = () =>
        Object.fromEntries(
          Object.values(type.getFields())
            .filter((each) => this.fits(each))
            .map((each) => [each.name, this.input(each, `The field ${name}.${each.name}`)]),
        );
      return new GraphQLInputObjectType({ ...type.toConfig(), fields });
    }
    if (isUnionType(type)) {
      const types = () =>
        type
          .getTypes()
          .filter((each) => this.refuse !== undefined || this.has(each.name))
          .map((each) => this.named(each.name, `The union ${name}`) as GraphQLObjectType);
      return new GraphQLUnionType({ ...type.toConfig(), types });
    }
    if (!isObjectType(type) && !isInterfaceType(type)) return type;
    const fields = () =>
      Object.fromEntries(
        Object.values(type.getFields())
          .filter((each) => this.fits(each))
          .map((each) => [each.name, this.field(each, `The field ${name}.${each.name}`)]),
      );
    const interfaces = () =>
      type.getInterfaces().map((each) => this.named(each.name, `The type ${name}`) as GraphQLInterfaceType);
    return isObjectType(type)
      ? new GraphQLObjectType({ ...type.toConfig(), fields, interfaces })
      : new GraphQLInterfaceType({ ...type.toConfig(), fields, interfaces });
  }

  /**
   * Makes everything that is made on first use, so that a missing type is found now and not by a
   * client.
   */
  private check(type: GraphQLNamedType): void {
    if (isUnionType(type)) type.getTypes();
    if (isInputObjectType(type) || isObjectType(type) || isInterfaceType(type)) type.getFields();
    if (isObjectType(type) || isInterfaceType(type)) type.getInterfaces();
  }
}

const rootOf = ({ query, mutation, subscription }: SchemaTypes, name: string): GraphQLObjectType | undefined =>
  [query, mutation, subscription].find((root) => root.name === name);

function addPart(
  types: SchemaTypes,
  own: CustomTypes,
  { owner, field, part }: CustomField,
  registry: Registry,
  refuse: Refuse,
): void {
  const name = `${owner}.${field.name}`;
  const root = rootOf(types, owner);
  const type = root ?? types.types.find(owner);
  if (refuse === undefined && (!isObjectType(type) || !own.fits(field))) return;
  if (!isObjectType(type))
    throw refused(refuse, `The field ${name} of your code needs the type ${owner}, which is gone.`);
  const fields = type.getFields();
  const there = fields[field.name];
  if (part === 'own') {
    if (there !== undefined) {
      const taker = takenBy(owner, field.name, registry);
      throw refused(refuse, `The field ${name} of your code has the name that ${taker} takes now.`);
    }
    addField(fields, field.name, own.field(field, `The field ${name}`));
    return;
  }
  if (there === undefined && refuse === undefined) return;
  if (there === undefined) throw refused(refuse, `Your code has a part in the field ${name}, which is gone.`);
  if (part === 'instead') addField(fields, field.name, replaced(own.field(field, `The field ${name}`), there));
  else if (root !== undefined) Object.assign(there, { resolve: field.resolve });
  else if (field.resolve !== undefined) Object.assign(there, { resolve: aroundGenerated(field.resolve) });
  const added = fields[field.name];
  if (added !== undefined) setCustomPart(added, part);
}

/** A field of the user's in place of a generated one: it has the arguments of both. */
const replaced = (
  own: GraphQLFieldConfig<unknown, unknown>,
  generated: Field,
): GraphQLFieldConfig<unknown, unknown> => ({
  ...own,
  description: own.description ?? generated.description,
  args: { ...argumentConfigs(generated.args), ...own.args },
});

const argumentConfigs = (args: readonly GraphQLArgument[]): GraphQLFieldConfigArgumentMap =>
  Object.fromEntries(args.map(({ name, ...config }) => [name, config]));

/** Adds a field to an existing object type. */
function addField(
  fields: ReturnType<GraphQLObjectType['getFields']>,
  name: string,
  config: GraphQLFieldConfig<unknown, unknown>,
): void {
  const holder = new GraphQLObjectType({ name: 'Holder', fields: { [name]: config } });
  Object.assign(fields, holder.getFields());
}

/** Adds the global middleware to the root fields, except the fields with the user's code. */
function addMiddleware({ query, mutation, subscription }: SchemaTypes, { middleware, fields }: CustomParts): void {
  if (middleware === undefined) return;
  const addTo = (type: GraphQLObjectType, resolve: Resolve): void => {
    const known = new Set(fields.filter(({ owner }) => owner === type.name).map(({ field }) => field.name));
    for (const field of Object.values(type.getFields())) {
      if (known.has(field.name) || field.subscribe !== undefined || isNodeField(field)) continue;
      Object.assign(field, { resolve });
      setCustomPart(field, 'around');
    }
  };
  addTo(query, middleware.read);
  addTo(mutation, middleware.write);
  addTo(subscription, middleware.read);
}

/**
 * Throws for a new field beside guarded fields: a guard on a class covers only the fields that the
 * class had at generation, so the new field would be open to everybody.
 */
function checkGuards(types: SchemaTypes, { guarded, guardedRoots, fields }: CustomParts, refuse: Refuse): void {
  const isOwn = (owner: string, name: string): boolean =>
    fields.some(({ owner: type, field, part }) => part === 'own' && type === owner && field.name === name);
  const openIn = (type: GraphQLObjectType, known: ReadonlySet<string>): string | undefined =>
    Object.keys(type.getFields()).find((name) => !known.has(name) && !isOwn(type.name, name));
  for (const [name, known] of guarded) {
    const type = types.types.find(name);
    const open = isObjectType(type) ? openIn(type, known) : undefined;
    if (open === undefined) continue;
    throw refused(
      refuse,
      `Your code guards the whole type ${name}, but the guard does not cover its new field ${open}.`,
    );
  }
  if (guardedRoots === undefined) return;
  for (const type of [types.query, types.mutation]) {
    const open = openIn(type, guardedRoots);
    if (open === undefined) continue;
    throw refused(
      refuse,
      `Your code guards whole resolver classes, but the guards do not cover the new field ${type.name}.${open}.`,
    );
  }
}

/** The lists and nulls around a type. TypeGraphQL makes inner lists and items nullable together. */
function shapeOf(type: unknown): FieldShape {
  const nullable = !isNonNullType(type);
  let inner: unknown = isNonNullType(type) ? type.ofType : type;
  let depth = 0;
  let nullableItems = false;
  while (isListType(inner)) {
    const item: unknown = inner.ofType;
    nullableItems = !isNonNullType(item);
    inner = isNonNullType(item) ? item.ofType : item;
    depth += 1;
  }
  if (!isNamedType(inner)) throw new TypeError('A field of your code has no type of GraphQL.');
  return { name: '', type: inner.name, depth, nullable, nullableItems };
}
