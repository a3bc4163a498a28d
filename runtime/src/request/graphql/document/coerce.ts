import {
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  valueFromAST,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  type OperationDefinitionNode,
} from 'graphql';
import type { Variables } from '../arguments/argument-value.js';

/**
 * Coerced variables; undefined if graphql-js has to report an error or to coerce.
 */
export type CoerceVariables = (given: Variables) => Variables | undefined;

/**
 * Coerces variables in one pass, and copies only values that change: a list of a thousand rows
 * usually stays the list that JSON.parse made. Keys keep the client's order, which matters in
 * `orderBy`; graphql-js would use the schema's order.
 * @param types of the operation's variables
 * Source: https://spec.graphql.org/October2021/#CoerceVariableValues()
 */
export function createCoercion(
  operation: OperationDefinitionNode,
  types: ReadonlyMap<string, GraphQLInputType>,
): CoerceVariables {
  const known: KnownTypes = new Map();
  const variables = (operation.variableDefinitions ?? []).flatMap(({ variable, defaultValue }) => {
    const name = variable.name.value;
    const type = types.get(name);
    if (type === undefined) return [];
    const absent = defaultValue === undefined ? undefined : valueFromAST(defaultValue, type);
    return [
      { name, coerce: coercionOf(type, known), absent, mayBeAbsent: absent !== undefined || !isNonNullType(type) },
    ];
  });
  return (given) => {
    const inputs: Record<string, unknown> = {};
    for (const { name, coerce, absent, mayBeAbsent } of variables) {
      if (Object.hasOwn(given, name)) {
        const coerced = coerce(given[name]);
        if (coerced === refused) return undefined;
        inputs[name] = coerced;
      } else if (!mayBeAbsent) return undefined;
      else if (absent !== undefined) inputs[name] = absent;
    }
    return inputs;
  };
}

/**
 * Returns the value itself if it needs no change, and `refused` if it does not belong to the type.
 */
type Coerce = (value: unknown) => unknown;

const refused = Symbol('refused');

/** Input objects have each other as fields, in circles. */
type KnownTypes = Map<GraphQLInputObjectType, Coerce>;

function coercionOf(type: GraphQLInputType, known: KnownTypes): Coerce {
  if (isNonNullType(type)) {
    const coerce = coercionOf(type.ofType, known);
    return (value) => (value === null ? refused : coerce(value));
  }
  if (isListType(type)) return listCoercion(coercionOf(type.ofType, known));
  if (!isInputObjectType(type)) return leafCoercion(type);
  const coerce = known.get(type) ?? objectCoercion(type, known);
  known.set(type, coerce);
  return coerce;
}

/**
 * https://spec.graphql.org/October2021/#sec-List.Input-Coercion: anything but a list is a list of
 * one.
 */
function listCoercion(coerceItem: Coerce): Coerce {
  return (value) => {
    if (value === null) return null;
    if (!Array.isArray(value)) {
      // Sets and the like, which resolvers may give.
      if (value === undefined || (typeof value === 'object' && Symbol.iterator in value)) return refused;
      const item = coerceItem(value);
      return item === refused ? refused : [item];
    }
    const given: readonly unknown[] = value;
    let copy: unknown[] | undefined;
    for (let at = 0; at < given.length; at += 1) {
      const item = coerceItem(given[at]);
      if (item === refused) return refused;
      if (item !== given[at]) (copy ??= [...given])[at] = item;
    }
    return copy ?? given;
  };
}

function objectCoercion(type: GraphQLInputObjectType, known: KnownTypes): Coerce {
  let fields: Fields | undefined;
  return (value) => {
    if (value === null) return null;
    if (typeof value !== 'object' || Array.isArray(value) || type.isOneOf) return refused;
    fields ??= fieldsOf(type, known);
    const given = value as Readonly<Record<string, unknown>>;
    let copy: Record<string, unknown> | undefined;
    let required = 0;
    for (const name of Object.keys(given)) {
      const field = fields.byName.get(name);
      const coerced = field === undefined ? refused : field.coerce(given[name]);
      if (field === undefined || coerced === refused) return refused;
      if (field.isRequired) required += 1;
      if (coerced !== given[name]) (copy ??= { ...given })[name] = coerced;
    }
    if (required !== fields.required) return refused;
    for (const { name, defaultValue } of fields.withDefault) {
      if (!Object.hasOwn(given, name)) (copy ??= { ...given })[name] = defaultValue;
    }
    return copy ?? given;
  };
}

interface Fields {
  readonly byName: ReadonlyMap<string, { readonly coerce: Coerce; readonly isRequired: boolean }>;
  /** How many fields have to be given. */
  readonly required: number;
  readonly withDefault: readonly { readonly name: string; readonly defaultValue?: unknown }[];
}

function fieldsOf(type: GraphQLInputObjectType, known: KnownTypes): Fields {
  const fields = Object.values(type.getFields());
  return {
    byName: new Map(
      fields.map((field) => [
        field.name,
        { coerce: coercionOf(field.type, known), isRequired: isRequiredInputField(field) },
      ]),
    ),
    required: fields.filter(isRequiredInputField).length,
    withDefault: fields.filter(({ defaultValue }) => defaultValue !== undefined),
  };
}

function leafCoercion(type: GraphQLLeafType): Coerce {
  return (value) => {
    if (value === null) return null;
    try {
      const parsed: unknown = value === undefined ? undefined : type.parseValue(value);
      return parsed === undefined ? refused : parsed;
    } catch {
      return refused;
    }
  };
}
