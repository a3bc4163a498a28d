import {
  GraphQLObjectType,
  GraphQLSchema,
  isObjectType,
  type GraphQLFieldConfig,
  type GraphQLNamedType,
} from 'graphql';
import type { TableDescriptor } from '../../descriptor/descriptor.js';
import type { Model } from '../../model/model.js';
import type { Context } from '../common-types.js';
import { changeTypes, hasChanges } from '../changes-shape.js';
import { listWhenAsked } from '../complete-schema.js';
import { withShapes } from '../declare.js';
import { CompleteTypes } from '../complete-types.js';
import type { QueryDefinition } from '../definitions/definition.js';
import { defineFunctions } from '../definitions/functions.js';
import { queries } from '../definitions/table.js';
import { callMutation, mutations } from '../definitions/writes.js';
import { declareModel, type TypeNames } from './declarations.js';
import { addNodeFields, listNodes } from '../nodes.js';
import { markReady } from './ready.js';
import { RootField } from './root-field.js';

/** The roots of a schema that is built from a model alone, and its types by name. */
export interface LiveTypes {
  readonly query: GraphQLObjectType;
  readonly mutation: GraphQLObjectType;
  /** Has no fields if there is neither a change feed nor a subscription of the user's code. */
  readonly subscription: GraphQLObjectType;
  readonly types: CompleteTypes;
  /** All tables, including those whose rows have a global identifier. */
  readonly tables: readonly TableDescriptor[];
}

/**
 * The GraphQL types of a model, equal to the generator's schema.graphql; undefined if GraphQL has
 * nothing to show. A type is made on first use. Yields often.
 * @param isFed whether there is a change feed, and so subscriptions
 * @param names the names of the types, if they are already known
 */
export function* buildLiveTypes(
  model: Model,
  isFed = false,
  names?: TypeNames,
): Generator<undefined, LiveTypes | undefined> {
  const shown = model.tables.filter(({ graphql }) => graphql);
  const changed = isFed ? shown.map(({ descriptor }) => descriptor).filter(hasChanges) : [];
  const types = new CompleteTypes([], withShapes(yield* declareModel(model, names), changeTypes(changed)));
  const functions = defineFunctions(model);
  const reads = [...shown.flatMap(queries), ...functions.queries];
  if (reads.length === 0) return undefined;
  const [query, mutation] = [emptyRoot('Query'), emptyRoot('Mutation')];
  const writes = [...shown.flatMap(mutations), ...model.procedures.map(callMutation), ...functions.mutations];
  yield* fillRoot(query, reads, types, (context, info) => context.read(info));
  yield* fillRoot(mutation, writes, types, (context, info) => context.write(info));
  const tables = model.tables.map(({ descriptor }) => descriptor);
  addNodeFields(query, types, { tables, enums: model.enums.map(({ descriptor }) => descriptor) });
  const subscription = types.find('Subscription');
  return {
    query,
    mutation,
    subscription: isObjectType(subscription) ? subscription : emptyRoot('Subscription'),
    types,
    tables,
  };
}

/**
 * A schema that makes its types when a document first asks for them. It can be served at once: no
 * generated field has a resolver that would hide the statement's data.
 * @param first types of the user's code that only an interface leads to
 */
export function lazySchema(
  { query, mutation, subscription, types, tables }: LiveTypes,
  first: readonly GraphQLNamedType[] = [],
): GraphQLSchema {
  // The constructor visits all fields, and so would make all types: it gets an empty root.
  const schema = new GraphQLSchema({ query: emptyRoot('Query'), types: first, assumeValid: true });
  const present = (type: GraphQLObjectType): GraphQLObjectType | undefined => (isEmpty(type) ? undefined : type);
  const roots = { query, mutation: present(mutation), subscription: present(subscription) };
  schema.getQueryType = () => roots.query;
  schema.getMutationType = () => roots.mutation;
  schema.getSubscriptionType = () => roots.subscription;
  schema.getRootType = (operation) => roots[operation];
  listWhenAsked(schema, types, { ...roots, first });
  listNodes(schema, types, tables);
  markReady(schema);
  return schema;
}

const isEmpty = (type: GraphQLObjectType): boolean => Object.keys(type.getFields()).length === 0;

type Answer = (context: Context, info: Parameters<Context['read']>[0]) => Promise<unknown>;

function* fillRoot(
  root: GraphQLObjectType,
  definitions: readonly QueryDefinition[],
  types: CompleteTypes,
  answer: Answer,
): Generator<undefined, void> {
  const resolve = (_source: unknown, _arguments: unknown, context: unknown, info: Parameters<Answer>[1]) =>
    answer(context as Context, info);
  const fields = root.getFields();
  for (const definition of definitions) {
    fields[definition.name] = new RootField(definition, types, resolve);
    yield;
  }
}

/** Adds a field to an existing object type. */
export function addField(
  fields: ReturnType<GraphQLObjectType['getFields']>,
  name: string,
  config: GraphQLFieldConfig<unknown, unknown>,
): void {
  const holder = new GraphQLObjectType({ name: 'Holder', fields: { [name]: config } });
  Object.assign(fields, holder.getFields());
}

const emptyRoot = (name: string): GraphQLObjectType => new GraphQLObjectType({ name, fields: {} });
