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
  type GraphQLField,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLType,
} from 'graphql';
import { Refusal } from '../../drift/refusal.js';
import type { Registry } from '../../descriptor/registry.js';
import { addMiddleware as aroundAll } from '../complete-schema.js';
import { giveOwnPart } from '../own-part.js';
import { addField, type LiveTypes } from './build.js';
import { isLeaf, type CustomField, type CustomParts } from './custom-parts.js';
import { takenBy } from './taken-by.js';

type Field = GraphQLField<unknown, unknown>;

/**
 * Adds the parts of the user's code to the types of a changed database, by name. The user's classes
 * stay as compiled.
 * @returns types that only an interface leads to
 * @throws Refusal if the user's code needs something that is gone, or uses a name that is now taken
 */
export function graft(live: LiveTypes, parts: CustomParts, registry: Registry): readonly GraphQLNamedType[] {
  const own = new OwnTypes(live, parts.types, registry);
  const checkGuards = guardsOf(live, parts);
  for (const part of parts.fields) addPart(live, own, part, registry);
  addMiddleware(live, parts);
  checkGuards();
  return own.first;
}

const hint = 'The old API stays in use. Change the code, generate, build and start the server again.';

/**
 * The types of the user's code, rebuilt so that they refer to the types of the changed database.
 */
class OwnTypes {
  /** Object types with an interface. */
  readonly first: readonly GraphQLNamedType[];

  constructor(
    private readonly live: LiveTypes,
    types: readonly GraphQLNamedType[],
    registry: Registry,
  ) {
    for (const { name } of types) {
      if (live.types.find(name) === undefined) continue;
      throw new Refusal(
        `The type ${name} of your code has the name that ${takenBy(name, undefined, registry)} takes now.`,
        hint,
      );
    }
    const rebuilt = types.map((type) => this.rebuild(type));
    for (const type of rebuilt) live.types.add(type);
    for (const type of rebuilt) this.check(type);
    this.first = rebuilt.filter((type) => isObjectType(type) && type.getInterfaces().length > 0);
  }

  /** The same type in the changed schema. Throws Refusal if it is gone. */
  type(type: unknown, user: string): GraphQLType {
    const shape = shapeOf(type);
    this.named(shape.type, user);
    return this.live.types.typeOf(shape);
  }

  field(field: Field, user: string): GraphQLFieldConfig<unknown, unknown> {
    const args: GraphQLFieldConfigArgumentMap = {};
    for (const argument of field.args) args[argument.name] = this.input(argument, user);
    const { type, description, resolve, subscribe, deprecationReason, extensions } = field;
    const mapped = this.type(type, user) as GraphQLOutputType;
    return {
      ...{ type: mapped, description, args, deprecationReason, extensions },
      ...(resolve === undefined ? {} : { resolve }),
      ...(subscribe === undefined ? {} : { subscribe }),
    };
  }

  /** An argument, or a field of an input. */
  private input({ type, ...given }: GraphQLArgument | GraphQLInputField, user: string): GraphQLArgumentConfig {
    const { description, defaultValue, deprecationReason, extensions } = given;
    return {
      type: this.type(type, user) as GraphQLInputType,
      description,
      defaultValue,
      deprecationReason,
      extensions,
    };
  }

  private named(name: string, user: string): GraphQLNamedType {
    const found = this.live.types.find(name);
    if (found !== undefined) return found;
    throw new Refusal(`${user} of your code needs the type ${name}, which is gone.`, hint);
  }

  private rebuild(type: GraphQLNamedType): GraphQLNamedType {
    const { name } = type;
    if (isLeaf(type)) return type;
    if (isInputObjectType(type)) {
      const fields = () =>
        Object.fromEntries(
          Object.values(type.getFields()).map((each) => [
            each.name,
            this.input(each, `The field ${name}.${each.name}`),
          ]),
        );
      return new GraphQLInputObjectType({ ...type.toConfig(), fields });
    }
    if (isUnionType(type)) {
      const types = () =>
        type.getTypes().map((each) => this.named(each.name, `The union ${name}`) as GraphQLObjectType);
      return new GraphQLUnionType({ ...type.toConfig(), types });
    }
    if (!isObjectType(type) && !isInterfaceType(type)) return type;
    const fields = () =>
      Object.fromEntries(
        Object.values(type.getFields()).map((each) => [each.name, this.field(each, `The field ${name}.${each.name}`)]),
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

const rootOf = ({ query, mutation, subscription }: LiveTypes, name: string): GraphQLObjectType | undefined =>
  [query, mutation, subscription].find((root) => root.name === name);

function addPart(live: LiveTypes, own: OwnTypes, { owner, field, part }: CustomField, registry: Registry): void {
  const name = `${owner}.${field.name}`;
  const type = rootOf(live, owner) ?? live.types.find(owner);
  if (!isObjectType(type)) {
    throw new Refusal(`The field ${name} of your code needs the type ${owner}, which is gone.`, hint);
  }
  const fields = type.getFields();
  const there = fields[field.name];
  if (part === 'own') {
    if (there !== undefined) {
      const taker = takenBy(owner, field.name, registry);
      throw new Refusal(`The field ${name} of your code has the name that ${taker} takes now.`, hint);
    }
    addField(fields, field.name, own.field(field, `The field ${name}`));
    return;
  }
  if (there === undefined) {
    throw new Refusal(`Your code has a part in the field ${name}, which is gone.`, hint);
  }
  if (part === 'around') Object.assign(there, { resolve: field.resolve });
  else addField(fields, field.name, own.field(field, `The field ${name}`));
  const added = fields[field.name];
  if (added !== undefined) giveOwnPart(added, part);
}

/** The global middleware also covers new root fields. */
function addMiddleware(live: LiveTypes, { middleware, fields }: CustomParts): void {
  if (middleware === undefined) return;
  for (const type of [live.query, live.mutation, live.subscription]) {
    const known = new Set(fields.filter(({ owner }) => owner === type.name).map(({ field }) => field.name));
    aroundAll(type, middleware, known);
  }
}

/**
 * Throws for a new field beside guarded fields: a guard on a class covers only the fields that the
 * class had at generation, so the new field would be open to everybody.
 */
function guardsOf(live: LiveTypes, { guarded, guardedRoots }: CustomParts): () => void {
  return () => {
    for (const [name, known] of guarded) {
      const type = live.types.find(name);
      const open = isObjectType(type) ? Object.keys(type.getFields()).find((field) => !known.has(field)) : undefined;
      if (open !== undefined) {
        throw new Refusal(
          `Your code guards the whole type ${name}, but the guard does not cover its new field ${open}.`,
          hint,
        );
      }
    }
    if (guardedRoots === undefined) return;
    for (const type of [live.query, live.mutation]) {
      const open = Object.keys(type.getFields()).find((field) => !guardedRoots.has(field));
      if (open !== undefined) {
        throw new Refusal(
          `Your code guards whole resolver classes, but the guards do not cover the new field ${type.name}.${open}.`,
          hint,
        );
      }
    }
  };
}

type Shape = Parameters<LiveTypes['types']['typeOf']>[0];

/** The lists and nulls around a type. TypeGraphQL makes inner lists and items nullable together. */
function shapeOf(type: unknown): Shape {
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
