import {
  GraphQLError,
  OperationTypeNode,
  getVariableValues,
  isInputType,
  typeFromAST,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import type { DocumentIntent } from '../../plan/intent.js';
import type { Registry } from '../../registry.js';
import type { Settings } from '../../settings.js';
import { collectFields } from './collect.js';
import { createDocuments, type Operation } from './documents.js';
import { revised } from './graphql-error.js';
import type { Variables } from './given.js';
import { documentOf, rootOperations, type RootOperation } from './root.js';
import { createBudget, type Scope } from './scope.js';
import { inGivenOrder, plainNumbers } from './variables.js';

/** A GraphQL request: https://graphql.github.io/graphql-over-http/draft/#sec-Request-Parameters */
export interface GraphqlRequest {
  readonly query: string;
  readonly operationName?: string | undefined;
  /** As parsed from the request, numbers that JavaScript cannot hold as ExactNumber. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
}

/** A request that may run. `shape` is equal for requests whose intent is equal: what is made of the intent can be kept under it. */
export interface CompiledRequest {
  readonly operation: Operation;
  readonly shape: string;
  readonly inputs: Variables;
  /** Builds the intent. Throws GraphQLError with the ServerError it stands for as `originalError`. */
  readonly build: () => BuiltRequest;
}

export interface BuiltRequest {
  /** The generated part; undefined when there is none: introspection, or fields of the user's own. */
  readonly intent: DocumentIntent | undefined;
  /** Whether the statement's JSON is the whole answer. Otherwise graphql-js answers, over the statement's data. */
  readonly whole: boolean;
}

/** What is wrong with a request that may not run. */
export interface Refusal {
  readonly errors: readonly GraphQLError[];
}

/** Document, operation name and variables → shape, intent and inputs. Documents are kept by their text, good or bad. */
export type CompileDocument = (request: GraphqlRequest) => CompiledRequest | Refusal;

export function createCompiler(schema: GraphQLSchema, registry: Registry, settings: Settings): CompileDocument {
  const checkDocument = createDocuments(schema, registry, settings);
  const operations = rootOperations(registry);
  return (request) => {
    const checked = checkDocument(request.query);
    if (checked.errors !== undefined) return { errors: checked.errors };
    const operation = chooseOperation(checked.operations, request.operationName);
    if (operation instanceof GraphQLError) return { errors: [operation] };
    const coerced = coerce(schema, operation.node, request.variables ?? {});
    if (coerced.errors !== undefined) return { errors: coerced.errors };
    const inputs = coerced.variables;
    return {
      operation,
      inputs,
      shape: `${operation.id} ${operation.shapeOf(inputs)}`,
      build: () => build({ schema, registry, settings }, operations, operation, inputs),
    };
  };
}

function build(
  context: Pick<Scope, 'schema' | 'registry' | 'settings'>,
  operations: ReadonlyMap<string, RootOperation>,
  operation: Operation,
  variables: Variables,
): BuiltRequest {
  const query = context.schema.getQueryType();
  if (operation.node.operation !== OperationTypeNode.QUERY || !query) return { intent: undefined, whole: false };
  const scope: Scope = {
    ...context,
    fragments: operation.fragments,
    variables,
    budget: createBudget(context.settings['app.graphql.max-estimated-rows']),
    custom: { found: false },
  };
  const fields = collectFields(scope, query, [operation.node.selectionSet]);
  const intent = documentOf(scope, operations, query, fields);
  return { intent, whole: !scope.custom.found && fields.length > 0 };
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
  { readonly errors: readonly GraphQLError[] } | { readonly errors?: never; readonly variables: Variables };

const none: Variables = {};

/** https://spec.graphql.org/October2021/#CoerceVariableValues() */
function coerce(schema: GraphQLSchema, node: OperationDefinitionNode, given: Variables): Coerced {
  const definitions = node.variableDefinitions ?? [];
  if (definitions.length === 0) return { variables: none };
  const types = new Map(
    definitions.map((definition) => [definition.variable.name.value, typeFromAST(schema, definition.type)]),
  );
  const plain = mapVariables(given, (value, name) => {
    const type = types.get(name);
    return isInputType(type) ? plainNumbers(value, type) : value;
  });
  const { errors, coerced } = getVariableValues(schema, definitions, plain, { maxErrors: 20 });
  if (errors !== undefined) return { errors: errors.map(asUserInput) };
  const variables = mapVariables(coerced, (value, name) => {
    const type = types.get(name);
    return isInputType(type) ? inGivenOrder(value, given[name], type) : value;
  });
  return { variables };
}

const mapVariables = (variables: Variables, map: (value: unknown, name: string) => unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, map(value, name)]));

const asUserInput = (error: GraphQLError): GraphQLError => revised(error, { extensions: { code: 'BAD_USER_INPUT' } });
