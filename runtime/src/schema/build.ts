import { GraphQLObjectType, isObjectType } from 'graphql';
import type { TableDescriptor } from '../descriptor/descriptor.js';
import { hasChanges } from './changes-shape.js';
import type { FieldInfo, RootAnswers } from './common-types.js';
import { CompleteTypes } from './complete-types.js';
import { declareTypes, shownTables, type TypeNames } from './declare.js';
import type { QueryDefinition } from './definitions/definition.js';
import { defineFunctions } from './definitions/functions.js';
import type { SchemaSource } from './definitions/source.js';
import { queries } from './definitions/table.js';
import { callMutation, mutations } from './definitions/writes.js';
import { addNodeFields } from './nodes.js';
import { RootField, type Defines } from './root-field.js';

/** The roots of a schema, and its types by name. */
export interface SchemaTypes {
  readonly query: GraphQLObjectType;
  readonly mutation: GraphQLObjectType;
  /** Has no fields if there is neither a change feed nor a subscription of the user's code. */
  readonly subscription: GraphQLObjectType;
  readonly types: CompleteTypes;
  /** All tables, including those whose rows have a global identifier. */
  readonly tables: readonly TableDescriptor[];
  /** Builds the same once more. */
  readonly again: () => Generator<undefined, SchemaTypes>;
}

/**
 * The GraphQL types of a database, equal to the generator's schema.graphql: at start, and when the
 * database has changed. A type is made on first use. Yields often.
 * @param isFed whether there is a change feed, and so subscriptions
 * @param names the names of the types, if they are already known
 */
export function* buildTypes(
  source: SchemaSource,
  isFed = false,
  names?: TypeNames | 'asked',
): Generator<undefined, SchemaTypes> {
  const { tables, enums } = source;
  const shown = shownTables(source);
  const types = new CompleteTypes(yield* declareTypes(source, isFed ? shown.filter(hasChanges) : [], names));
  const functions = defineFunctions(source);
  const writes = [...source.procedures.map(callMutation), ...functions.mutations];
  const [query, mutation] = [emptyRoot('Query'), emptyRoot('Mutation')];
  const reads = [...shown.map((table) => () => queries(table)), ...functions.queries.map(alone)];
  const changes = [...shown.map((table) => () => mutations(table)), ...writes.map(alone)];
  yield* fillRoot(query, reads, types, (context, info) => context.read(info));
  yield* fillRoot(mutation, changes, types, (context, info) => context.write(info));
  addNodeFields(query, types, { tables, enums });
  const subscription = types.find('Subscription');
  return {
    query,
    mutation,
    subscription: isObjectType(subscription) ? subscription : emptyRoot('Subscription'),
    types,
    tables,
    again: () => buildTypes(source, isFed, names),
  };
}

const alone =
  (definition: QueryDefinition): Defines =>
  () => [definition];

type Answer = (context: RootAnswers, info: FieldInfo) => Promise<unknown>;

function* fillRoot(
  root: GraphQLObjectType,
  definitions: readonly Defines[],
  types: CompleteTypes,
  answer: Answer,
): Generator<undefined, void> {
  const resolve = (_source: unknown, _arguments: unknown, context: unknown, info: FieldInfo) =>
    answer(context as RootAnswers, info);
  const fields = root.getFields();
  for (const defines of definitions) {
    for (const { name } of defines()) fields[name] = new RootField(name, defines, types, resolve);
    yield;
  }
}

/** Whether there is a schema: GraphQL requires a query. */
export const hasQueries = ({ query }: SchemaTypes): boolean => Object.keys(query.getFields()).length > 0;

export const emptyRoot = (name: string): GraphQLObjectType => new GraphQLObjectType({ name, fields: {} });
