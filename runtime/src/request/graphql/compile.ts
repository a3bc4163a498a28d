import type { CacheListener } from '../../observe/metrics/cache-counts.js';
import { GraphQLError, OperationTypeNode, getVariableValues, type GraphQLInputType, type GraphQLSchema } from 'graphql';
import type { IntrospectedField } from './query/introspected-field.js';
import type { DocumentIntent } from '../../plan/intent.js';
import type { Registry, Table } from '../../descriptor/registry.js';
import type { Settings } from '../../settings/settings.js';
import { collectFields } from './query/collect.js';
import { createDocuments, type Operation } from './document/documents.js';
import { revised } from './arguments/graphql-error.js';
import type { Variables } from './arguments/argument-value.js';
import { introspectedFields, introspects } from './query/introspection.js';
import { mutationOf, mutationOperations, type MutationOperation, type MutationStep } from './mutation/mutation.js';
import { documentOf, rootOperations, type RootOperation } from './query/root.js';
import { createBudget, type Scope, type Selected } from './arguments/scope.js';
import { changesOperations, subscriptionOf, type SubscriptionStep } from './query/subscription.js';
import { withoutSuggestions } from './document/suggestions.js';
import {
  exactScalars,
  exactScalarsAndJson,
  inGivenOrder,
  plainNumbers,
  type CoercionNeeds,
} from './document/variables.js';

/** A GraphQL request: https://graphql.github.io/graphql-over-http/draft/#sec-Request-Parameters */
export interface GraphqlRequest {
  readonly query: string;
  readonly operationName?: string | undefined;
  readonly variables?: Variables | undefined;
  /**
   * The variables with numbers that JavaScript would round as ExactNumber. Asked for only where a
   * scalar keeps every digit.
   */
  readonly exactVariables?: (() => Variables) | undefined;
}

/**
 * A valid request. Requests with equal intents have an equal `shape`, which is the key of
 * everything that is cached for the intent.
 */
export interface CompiledRequest {
  readonly operation: Operation;
  readonly shape: string;
  readonly inputs: Variables;
  /** The variables before coercion: what graphql-js's `execute` takes. */
  readonly given: Variables;
  /**
   * Builds the intent. Throws GraphQLError with the ServerError it stands for as `originalError`.
   */
  readonly build: () => BuiltRequest;
  /** The root fields, in order. */
  readonly fields: () => readonly Selected[];
  /** The fields of a mutation, in order. Throws as `build` does. */
  readonly buildMutation: () => readonly MutationStep[];
  /** The one field of a subscription. Throws as `build` does. */
  readonly buildSubscription: () => SubscriptionStep;
  /**
   * The rows that it may ask for, as far as they can be counted: what exceeds a limit is refused
   * later.
   */
  readonly cost: () => number;
  /** What introspection is to answer, of these root fields. Throws GraphQLError. */
  readonly introspect: (fields: readonly Selected[]) => readonly IntrospectedField[];
}

export interface BuiltRequest {
  /**
   * The generated part; undefined if there is none: only introspection, or fields of the user's
   * code.
   */
  readonly intent: DocumentIntent | undefined;
  /**
   * Whether the statement's JSON is the whole answer. Otherwise graphql-js answers, over the
   * statement's data.
   */
  readonly whole: boolean;
  /** Whether the user's code decides if a generated root field is read at all. */
  readonly around: boolean;
  /** Response keys of the root fields whose JSON is the whole of their answer. */
  readonly wholeFields: ReadonlySet<string>;
  /** Every root field, in order. */
  readonly fields: readonly Selected[];
  /**
   * The root fields that introspection answers; with `__typename`, where there is nothing else. The
   * rest is answered without them.
   */
  readonly introspected: readonly Selected[];
}

/** The errors of a request that may not run. */
export interface RefusedRequest {
  readonly errors: readonly GraphQLError[];
}

/**
 * Document, operation name and variables → shape, intent and inputs. Documents are kept by their
 * text, good or bad.
 */
export type CompileDocument = (request: GraphqlRequest) => CompiledRequest | RefusedRequest;

export function createCompiler(
  schema: GraphQLSchema,
  registry: Registry,
  settings: Settings,
  caches?: CacheListener,
): CompileDocument {
  const checkDocument = createDocuments(schema, registry, settings, caches);
  const context = { schema, registry, settings };
  const operations = rootOperations(registry);
  const mutations = mutationOperations(registry);
  const subscriptions = changesOperations(registry);
  return (request) => {
    const checked = checkDocument(request.query);
    if (checked.errors !== undefined) return { errors: checked.errors };
    const operation = chooseOperation(checked.operations, request.operationName);
    if (operation instanceof GraphQLError) return { errors: [operation] };
    const coerced = coerce(schema, operation, request);
    if (coerced.errors !== undefined) return { errors: withoutSuggestions(coerced.errors, settings) };
    const { inputs, given } = coerced;
    return {
      operation,
      inputs,
      given,
      shape: `${operation.id} ${operation.shapeOf(inputs)}`,
      build: () => build(scopeOf(context, operation, inputs), operations, operation),
      fields: () => rootFields(scopeOf(context, operation, inputs), operation),
      buildMutation: () => buildMutation(scopeOf(context, operation, inputs), mutations, operation),
      buildSubscription: () => buildSubscription(scopeOf(context, operation, inputs), subscriptions, operation),
      cost: () => {
        const scope = scopeOf(context, operation, inputs);
        spendIn(scope, { operations, mutations, subscriptions }, operation);
        return scope.budget.spent();
      },
      introspect: (fields) => introspectedFields(scopeOf(context, operation, inputs), fields),
    };
  };
}

const scopeOf = (
  context: Pick<Scope, 'schema' | 'registry' | 'settings'>,
  { fragments }: Operation,
  variables: Variables,
): Scope => ({
  ...context,
  fragments,
  variables,
  budget: createBudget(context.settings['app.graphql.max-estimated-rows']),
  custom: { found: false },
});

interface ByField {
  readonly operations: ReadonlyMap<string, RootOperation>;
  readonly mutations: ReadonlyMap<string, MutationOperation>;
  readonly subscriptions: ReadonlyMap<string, Table>;
}

function spendIn(scope: Scope, { operations, mutations, subscriptions }: ByField, operation: Operation): void {
  try {
    switch (operation.node.operation) {
      case OperationTypeNode.QUERY:
        build(scope, operations, operation);
        break;
      case OperationTypeNode.MUTATION:
        buildMutation(scope, mutations, operation);
        break;
      case OperationTypeNode.SUBSCRIPTION:
        buildSubscription(scope, subscriptions, operation);
    }
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
  }
}

function build(
  scope: Scope,
  operations: ReadonlyMap<string, RootOperation>,
  { node: { operation, selectionSet } }: Operation,
): BuiltRequest {
  const query = scope.schema.getQueryType();
  if (operation !== OperationTypeNode.QUERY || !query)
    return { intent: undefined, whole: false, around: false, wholeFields: new Set(), fields: [], introspected: [] };
  const fields = collectFields(scope, query, [selectionSet]);
  const introspected = introspectedOf(fields);
  const others = fields.filter((field) => !introspected.includes(field));
  const { intent, wholeFields } = documentOf(scope, operations, query, others);
  const { found, around = false } = scope.custom;
  return { intent, whole: !found && others.length > 0, around, wholeFields, fields, introspected };
}

function rootFields(scope: Scope, { node: { operation, selectionSet } }: Operation): readonly Selected[] {
  const type = scope.schema.getRootType(operation);
  return type ? collectFields(scope, type, [selectionSet]) : [];
}

function introspectedOf(fields: readonly Selected[]): readonly Selected[] {
  const introspected = fields.filter(introspects);
  if (introspected.length === 0) return introspected;
  return fields.every((field) => introspects(field) || field.name === '__typename') ? fields : introspected;
}

function buildMutation(
  scope: Scope,
  operations: ReadonlyMap<string, MutationOperation>,
  { node: { selectionSet } }: Operation,
): readonly MutationStep[] {
  const mutation = scope.schema.getMutationType();
  if (!mutation) throw new TypeError('The schema has no mutations; validation lets none through.');
  return mutationOf(scope, operations, mutation, collectFields(scope, mutation, [selectionSet]));
}

function buildSubscription(
  scope: Scope,
  tables: ReadonlyMap<string, Table>,
  { node: { selectionSet } }: Operation,
): SubscriptionStep {
  const subscription = scope.schema.getSubscriptionType();
  if (!subscription) throw new TypeError('The schema has no subscriptions; validation lets none through.');
  return subscriptionOf(scope, tables, subscription, collectFields(scope, subscription, [selectionSet]));
}

/** https://spec.graphql.org/October2021/#GetOperation() */
function chooseOperation(operations: readonly Operation[], name: string | undefined): Operation | GraphQLError {
  const [only, ...more] = operations;
  if (name !== undefined) {
    const named = operations.find(({ node }) => node.name?.value === name);
    return named ?? requestError(`The document has no operation named ${JSON.stringify(name)}.`);
  }
  if (only === undefined) return requestError('The document has no operation.');
  return more.length === 0
    ? only
    : requestError('The document has several operations: operationName has to choose one.');
}

const requestError = (message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { code: 'BAD_REQUEST' } });

type Coerced =
  | { readonly errors: readonly GraphQLError[] }
  | { readonly errors?: never; readonly inputs: Variables; readonly given: Variables };

const none: Variables = {};

/** https://spec.graphql.org/October2021/#CoerceVariableValues() */
function coerce(schema: GraphQLSchema, operation: Operation, request: GraphqlRequest): Coerced {
  const definitions = operation.node.variableDefinitions ?? [];
  if (definitions.length === 0) return { inputs: none, given: none };
  const { variableTypes: types, coercionNeeds } = operation;
  const plain = request.variables ?? none;
  const ready = readyVariables(plain, types, coercionNeeds, request);
  if (ready instanceof GraphQLError) return { errors: [ready] };
  const inputs = operation.coerce(ready.exact);
  if (inputs !== undefined) return { given: ready.given, inputs };
  const { errors, coerced } = getVariableValues(schema, definitions, ready.exact, { maxErrors: 20 });
  if (errors !== undefined) return { errors: errors.map(asUserInput) };
  return {
    given: ready.given,
    inputs: mapVariables(coerced, types, (value, type, name) => inGivenOrder(value, plain[name], type)),
  };
}

interface ReadyVariables {
  /** For the database: JSON keeps the digits of its numbers too. */
  readonly exact: Variables;
  /** For graphql-js, and so for the user's own resolvers. */
  readonly given: Variables;
}

/** Mostly what JSON.parse made of them, without another look. */
function readyVariables(
  plain: Variables,
  types: ReadonlyMap<string, GraphQLInputType>,
  coercionNeeds: CoercionNeeds,
  request: GraphqlRequest,
): ReadyVariables | GraphQLError {
  const sent = coercionNeeds.exact ? (request.exactVariables?.() ?? plain) : plain;
  if (sent === plain && !coercionNeeds.inherited) return { exact: plain, given: plain };
  const ready = (scalars: ReadonlySet<string>): Variables =>
    mapVariables(sent, types, (value, type) => plainNumbers(value, type, scalars));
  try {
    return { exact: ready(exactScalarsAndJson), given: ready(exactScalars) };
  } catch (error) {
    if (error instanceof RangeError) return asUserInput(new GraphQLError('The variables are nested too deeply.'));
    throw error;
  }
}

function mapVariables(
  variables: Variables,
  types: ReadonlyMap<string, GraphQLInputType>,
  map: (value: unknown, type: GraphQLInputType, name: string) => unknown,
): Variables {
  const entries = Object.entries(variables).map(([name, value]) => {
    const type = types.get(name);
    return [name, type === undefined ? value : map(value, type, name)] as const;
  });
  return Object.fromEntries(entries);
}

const asUserInput = (error: GraphQLError): GraphQLError => revised(error, { extensions: { code: 'BAD_USER_INPUT' } });
