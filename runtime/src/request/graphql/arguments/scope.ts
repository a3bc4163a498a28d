import {
  GraphQLError,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';
import { ServerError } from '../../../errors.js';
import type { Registry } from '../../../descriptor/registry.js';
import type { Settings } from '../../../settings/settings.js';
import { customPart, type CustomPart } from '../../../schema/custom/part.js';
import { revised } from './graphql-error.js';
import { refusedLimit } from './refusal.js';
import { givenDefault, givenLiteral, type ArgumentValue, type Variables } from './argument-value.js';

/** What building the intent of one operation needs to know, for one shape of its variables. */
export interface Scope {
  readonly schema: GraphQLSchema;
  readonly registry: Registry;
  readonly settings: Settings;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variables: Variables;
  readonly budget: Budget;
  /**
   * Set when a field is met that no descriptor stands behind: graphql-js answers the document then.
   */
  readonly custom: {
    found: boolean;
    /** Set if the user's code decides whether a generated root field is read or written at all. */
    around?: boolean;
  };
}

/**
 * The rows a document may ask for at most, were every list full: decision 008, "estimated
 * rows".
 */
export interface Budget {
  /** Throws ServerError `limitExceeded` when the document asks for more than it may. */
  readonly spend: (rows: number) => void;
  readonly spent: () => number;
}

export function createBudget(most: number): Budget {
  let spent = 0;
  return {
    spent: () => spent,
    spend: (rows) => {
      spent += rows;
      if (spent > most) {
        throw refusedLimit(
          `This document may ask for more than ${String(most)} rows.`,
          'app.graphql.max-estimated-rows',
        );
      }
    },
  };
}

/** A field of the response: the nodes that were merged into it. Never empty. */
export interface Selected {
  /** The response key: the alias, or the name. */
  readonly as: string;
  readonly name: string;
  readonly nodes: readonly [FieldNode, ...FieldNode[]];
}

/** An argument of a field, or undefined when it is not given and has no default. */
export function argumentOf(
  scope: Scope,
  field: GraphQLField<unknown, unknown>,
  selected: Selected,
  name: string,
): ArgumentValue | undefined {
  const definition = field.args.find((argument) => argument.name === name);
  if (definition === undefined) return undefined;
  const node = selected.nodes[0].arguments?.find((argument) => argument.name.value === name);
  const given = node === undefined ? undefined : givenLiteral(node.value, definition.type, scope.variables);
  if (given !== undefined || definition.defaultValue === undefined) return given;
  return givenDefault(definition.defaultValue, definition.type);
}

/** An argument where null says the same as nothing: pages and whole filters. */
export function presentArgument(
  scope: Scope,
  field: GraphQLField<unknown, unknown>,
  selected: Selected,
  name: string,
): ArgumentValue | undefined {
  const given = argumentOf(scope, field, selected, name);
  return given?.isNull === true ? undefined : given;
}

/** The definition of a field that validation has let through. */
export function fieldOfType(type: GraphQLObjectType, name: string): GraphQLField<unknown, unknown> {
  const field = type.getFields()[name];
  if (field === undefined) throw new TypeError(`${type.name} has no field ${name}; validation lets none through.`);
  return field;
}

/** The way in which the user's code takes part in a selected field. */
export const customPartOf = (type: GraphQLObjectType, { name }: Selected): CustomPart | undefined =>
  name === '__typename' ? undefined : customPart(fieldOfType(type, name));

/**
 * The result of `build`; its errors name the field.
 * Source: https://spec.graphql.org/October2021/#sec-Errors
 */
export function located<T>(selected: Selected, build: () => T): T {
  try {
    return build();
  } catch (error) {
    if (error instanceof GraphQLError && error.originalError !== undefined) {
      throw revised(error, { path: [selected.as, ...(error.path ?? [])] });
    }
    if (!(error instanceof ServerError)) throw error;
    throw new GraphQLError(error.message, { nodes: selected.nodes, path: [selected.as], originalError: error });
  }
}
