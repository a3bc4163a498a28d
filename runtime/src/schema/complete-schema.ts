import {
  GraphQLSchema,
  isEnumType,
  isObjectType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
} from 'graphql';
import { getMetadataStorage } from 'type-graphql';
import type { TableDescriptor } from '../descriptor/descriptor.js';
import { rootFields } from '../descriptor/names.js';
import { rememberBuilt } from './built-types.js';
import { changeTypes, subscriptionType } from './changes-shape.js';
import { CompleteTypes } from './complete-types.js';
import { registered, declared, declaredArguments, declaredEnums, declaredTypes, withShapes } from './declare.js';
import { describeInputs } from './describe-inputs.js';
import { listLazily } from './list-types.js';
import { giveMiddleware, hasMiddlewareOnly } from './own-part.js';
import { nodeInterface } from './node-shape.js';
import { addNodeFields, implementNode, isNodeField, listNodes, refuseOwnNode, type NodeDescriptors } from './nodes.js';
import { rootText, type RootField } from './descriptions.js';
import { acceptSpellings } from './spellings.js';

/**
 * Adds the declared types and the arguments of fields, which follow from descriptors, to the schema
 * that TypeGraphQL built. A declared type is made when graphql-js first asks for it; the list of
 * all types makes all of them.
 * @param known names of the declared types that TypeGraphQL has built in full
 * @param changed the tables with subscriptions
 * @param nodes the descriptors, among them tables whose rows have a global identifier
 * @throws ServerError `misconfigured` where a type of the user's has the name of their interface
 */
export function completeSchema(
  built: GraphQLSchema,
  known: ReadonlySet<string>,
  changed: readonly TableDescriptor[] = [],
  nodes: NodeDescriptors = { tables: [] },
): void {
  const own = Object.values(built.getTypeMap());
  refuseOwnNode(own, nodes.tables);
  rememberBuilt(built, own);
  // A type of the user's code with the name of a declared type stays separate, so that graphql-js
  // reports the duplicate.
  const isApart = ({ name }: GraphQLNamedType): boolean =>
    !registered.has(name) && !known.has(name) && (declaredTypes.has(name) || declaredEnums.has(name));
  const types = new CompleteTypes(
    own.filter((type) => !isApart(type)),
    withShapes(declared, [...changeTypes(changed), ...nodeInterface(nodes.tables)]),
  );
  for (const type of own) if (isEnumType(type) && !type.name.startsWith('__')) acceptSpellings(type);
  describeInputs(own, (name) => built.getType(name));
  for (const name of registered) {
    const [type, shape] = [built.getType(name), declaredTypes.get(name)];
    if (shape !== undefined && isObjectType(type)) types.fill(type, shape);
  }
  addArguments(built, types);
  if (changed.length > 0) addSubscriptions(built, types, changed);
  const first = own.filter((type) => isObjectType(type) && type.getInterfaces().length > 0);
  const query = built.getQueryType();
  if (query) addNodeFields(query, types, nodes);
  implementNode(built, types, nodes.tables);
  listWhenAsked(built, types, {
    query,
    mutation: built.getMutationType(),
    subscription: built.getSubscriptionType(),
    first,
  });
  listNodes(built, types, nodes.tables);
  if (own.some(isApart)) built.getTypeMap();
}

/** The first types of a schema's list of all types. */
interface Start {
  readonly query: GraphQLObjectType | null | undefined;
  readonly mutation: GraphQLObjectType | null | undefined;
  readonly subscription: GraphQLObjectType | null | undefined;
  /** Types that only an interface leads to. */
  readonly first: readonly GraphQLNamedType[];
}

/**
 * Makes the schema find single types by name; only a request for the list of all types makes all of
 * them.
 */
export function listWhenAsked(schema: GraphQLSchema, types: CompleteTypes, start: Start): void {
  const { query, mutation, subscription, first } = start;
  const { description, directives, extensions } = schema.toConfig();
  const config = {
    description,
    directives,
    subscription,
    extensions,
    query,
    mutation,
    types: first,
    assumeValid: true,
  };
  let whole: GraphQLSchema | undefined;
  schema.getTypeMap = () => (whole ??= new GraphQLSchema(config)).getTypeMap();
  const roots = [query, mutation, subscription];
  schema.getType = (name) =>
    whole === undefined ? (roots.find((root) => root?.name === name) ?? types.find(name)) : whole.getType(name);
  listLazily(schema, { first, names: () => types.names() });
}

function addSubscriptions(schema: GraphQLSchema, types: CompleteTypes, changed: readonly TableDescriptor[]): void {
  const subscription = types.find('Subscription');
  if (!isObjectType(subscription)) return;
  // The user's code may define subscriptions.
  if (schema.getSubscriptionType()) types.fill(subscription, subscriptionType(changed));
  schema.getSubscriptionType = () => subscription;
  const middleware = middlewareOf(schema, changed);
  if (middleware !== undefined) addMiddleware(subscription, middleware);
}

/**
 * The resolver of a generated root field that runs the global middleware; undefined if there is
 * none.
 */
function middlewareOf(schema: GraphQLSchema, tables: readonly TableDescriptor[]): Resolve | undefined {
  const fields = schema.getQueryType()?.getFields() ?? {};
  const names = tables.flatMap((table) => Object.values(rootFields(table)));
  const found = names.map((name) => fields[name]).find((field) => field !== undefined && hasMiddlewareOnly(field));
  return found?.resolve;
}

type Resolve = NonNullable<GraphQLField<unknown, unknown>['resolve']>;

/**
 * Adds the global middleware to the root fields of a type, except the fields with the user's code.
 */
export function addMiddleware(type: GraphQLObjectType, middleware: Resolve, known?: ReadonlySet<string>): void {
  for (const field of Object.values(type.getFields())) {
    if (known?.has(field.name) === true || field.subscribe !== undefined || isNodeField(field)) continue;
    Object.assign(field, { resolve: middleware });
    giveMiddleware(field);
  }
}

function addArguments(schema: GraphQLSchema, types: CompleteTypes): void {
  const roots = [schema.getQueryType(), schema.getMutationType()];
  const { objectTypes } = getMetadataStorage();
  const names = new Map<object, string>(objectTypes.map(({ target, name }) => [target, name]));
  for (const [target, properties] of declaredArguments) {
    const name = names.get(target);
    const owners = name === undefined ? roots : [schema.getType(name)];
    for (const owner of owners) {
      if (!isObjectType(owner)) continue;
      const fields = owner.getFields();
      for (const [property, declared] of properties) {
        const field = fields[property];
        if (field === undefined) continue;
        types.addArguments(field, declared.arguments());
        if (name === undefined) field.description ??= textOf(declared.root, declared.table(), schema);
      }
    }
  }
}

/** A table's comment is the description of its object type. */
const textOf = (root: RootField, table: TableDescriptor, schema: GraphQLSchema): string =>
  rootText(root, table, schema.getType(table.type)?.description ?? '');
