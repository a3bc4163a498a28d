import {
  GraphQLError,
  Kind,
  parse,
  validate,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLInputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type ValidationRule,
} from 'graphql';
import { CountedCache, type CacheListener } from '../../../observe/metrics/cache-counts.js';
import { boundsOf } from '../../../descriptor/cache-bounds.js';
import type { Registry } from '../../../descriptor/registry.js';
import { graphqlOperator } from '../../../plan/operators.js';
import type { Settings } from '../../../settings/settings.js';
import { createCoercion, type CoerceVariables } from './coerce.js';
import { revised } from '../arguments/graphql-error.js';
import { checkLimits, checkNesting } from './limits.js';
import { rulesOf } from './rules.js';
import { withoutSuggestions } from './suggestions.js';
import { createShape, coercionNeedsOf, variableTypesOf, type CoercionNeeds, type ShapeOf } from './variables.js';

/** An operation of a document that has been parsed and validated. */
export interface Operation {
  /** Unique in the process: where its plans are kept. */
  readonly id: string;
  readonly document: DocumentNode;
  readonly node: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variableTypes: ReadonlyMap<string, GraphQLInputType>;
  readonly coerce: CoerceVariables;
  readonly shapeOf: ShapeOf;
  readonly coercionNeeds: CoercionNeeds;
}

/** The result of parsing a document: its errors, or its operations. */
export type Checked =
  { readonly errors: readonly GraphQLError[] } | { readonly errors?: never; readonly operations: readonly Operation[] };

/** Parses and validates texts; each result is cached, valid or not, as long as there is room. */
export type CheckDocument = (text: string) => Checked;

/** Of a database of few tables; a document has so many characters on average. */
const maxDocuments = 1000;
const documentSize = 8 * 1024;

export function createDocuments(
  schema: GraphQLSchema,
  registry: Registry,
  settings: Settings,
  caches?: CacheListener,
): CheckDocument {
  const kept = new CountedCache<Checked>({
    ...boundsOf(registry, maxDocuments, documentSize),
    sizeCalculation: (_, text) => text.length + 1,
  });
  caches?.('graphql_documents', kept);
  const rules = rulesOf(settings);
  let count = 0;
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    count += 1;
    const checked = check(text, String(count), { schema, registry, settings, rules });
    kept.set(text, checked);
    return checked;
  };
}

interface CheckContext {
  readonly schema: GraphQLSchema;
  readonly registry: Registry;
  readonly settings: Settings;
  readonly rules: readonly ValidationRule[];
}

function check(text: string, id: string, { schema, registry, settings, rules }: CheckContext): Checked {
  let document: DocumentNode;
  try {
    checkNesting(text);
    document = parse(text, { maxTokens: settings['app.graphql.max-tokens'] });
    checkLimits(document, settings);
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [withCode(error, 'GRAPHQL_PARSE_FAILED')] };
    if (!(error instanceof Error)) throw error;
    return { errors: [new GraphQLError(error.message, { originalError: error })] };
  }
  const errors = validateDocument(schema, document, rules);
  if (errors.length > 0) {
    const shown = merged(withoutSuggestions(errors, settings));
    return { errors: shown.map((error) => withCode(error, 'GRAPHQL_VALIDATION_FAILED')) };
  }
  return { operations: operationsOf(document, id, schema, registry) };
}

/**
 * Looking for names that are like one takes 20 ms among those of a thousand tables, so that is done
 * for a few errors only.
 */
const maxSuggestions = 3;

function validateDocument(
  schema: GraphQLSchema,
  document: DocumentNode,
  rules: readonly ValidationRule[],
): readonly GraphQLError[] {
  const errors = validate(schema, document, rules, { maxErrors: 20, hideSuggestions: true });
  return errors.length === 0 || errors.length > maxSuggestions ? errors : validate(schema, document, rules);
}

function operationsOf(
  document: DocumentNode,
  id: string,
  schema: GraphQLSchema,
  registry: Registry,
): readonly Operation[] {
  const fragments = new Map<string, FragmentDefinitionNode>();
  const nodes: OperationDefinitionNode[] = [];
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
    if (definition.kind === Kind.OPERATION_DEFINITION) nodes.push(definition);
  }
  return nodes.map((node, at) => {
    const variableTypes = variableTypesOf(schema, node);
    return {
      id: `${id}.${String(at)}`,
      document,
      node,
      fragments,
      variableTypes,
      coerce: createCoercion(node, variableTypes),
      shapeOf: createShape(registry, document, variableTypes),
      coercionNeeds: coercionNeedsOf(variableTypes),
    };
  });
}

const withCode = (error: GraphQLError, code: string): GraphQLError =>
  revised(error, { extensions: { ...error.extensions, code, ...searchHint(error) } });

/** A text that is not searchable has no operators of full-text search. */
function searchHint({ message }: GraphQLError): { readonly hint?: string } {
  const name = /^Field "(\w+)" is not defined by type "StringFilterInput"/.exec(message)?.[1];
  if (name === undefined || graphqlOperator(name, 'searchable') === undefined) return {};
  return { hint: 'It takes a tsvector of PostgreSQL, or a column with a FULLTEXT index of its own on MariaDB.' };
}

/**
 * The same mistake in several places is one error with all their locations, so that the answer does
 * not repeat it.
 */
function merged(errors: readonly GraphQLError[]): readonly GraphQLError[] {
  const byMessage = new Map<string, GraphQLError>();
  for (const error of errors) {
    const first = byMessage.get(error.message);
    const nodes = [...(first?.nodes ?? []), ...(error.nodes ?? [])];
    byMessage.set(error.message, first === undefined ? error : revised(first, { nodes, positions: null }));
  }
  return [...byMessage.values()];
}
