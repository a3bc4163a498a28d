import {
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  getArgumentValues,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
} from 'graphql';
import type { IntrospectedField } from './introspected-field.js';
import { subFields } from './collect.js';
import { fieldOfType, type Scope, type Selected } from '../arguments/scope.js';

const roots: ReadonlyMap<string, GraphQLField<unknown, unknown>> = new Map([
  ['__schema', SchemaMetaFieldDef],
  ['__type', TypeMetaFieldDef],
]);

/**
 * Whether a root field is introspection. `__typename` is not: it says nothing about the schema that
 * the document does not know.
 */
export const introspects = ({ name }: Selected): boolean => roots.has(name);

/**
 * These fields of the query root, with everything below them: fragments entered, directives
 * decided, arguments coerced.
 */
export function introspectedFields(scope: Scope, fields: readonly Selected[]): readonly IntrospectedField[] {
  const query = scope.schema.getQueryType();
  const shared: Shared = new Map();
  return query ? fields.map((field) => introspectedField(scope, shared, query, field)) : [];
}

/**
 * Fields of objects by their ids, so that equal selections are computed once: two aliases share the
 * answer.
 */
type Shared = Map<string, readonly IntrospectedField[]>;

function introspectedField(
  scope: Scope,
  shared: Shared,
  parent: GraphQLObjectType,
  selected: Selected,
): IntrospectedField {
  const { as, name } = selected;
  const key = `${JSON.stringify(as)}:`;
  if (name === '__typename')
    return { key, name, id: key + name, isList: false, hasLists: false, read: () => parent.name };
  const definition = roots.get(name) ?? fieldOfType(parent, name);
  const values = getArgumentValues(definition, selected.nodes[0], scope.variables);
  const type = getNamedType(definition.type);
  const isList = isListType(getNullableType(definition.type));
  const fields = isObjectType(type)
    ? oneOf(
        subFields(scope, type, selected).map((field) => introspectedField(scope, shared, type, field)),
        shared,
      )
    : undefined;
  return {
    key,
    name,
    id: `${key}${name}${JSON.stringify(values)}${fields === undefined ? '' : idOf(fields)}`,
    isList,
    hasLists: isList || fields?.some((field) => field.hasLists) === true,
    read: readerOf(definition, values),
    ...(fields === undefined ? {} : { fields }),
    ...(name === '__type' ? { type: String(values['name']) } : {}),
  };
}

const idOf = (fields: readonly IntrospectedField[]): string => `{${fields.map(({ id }) => id).join()}}`;

function oneOf(fields: readonly IntrospectedField[], shared: Shared): readonly IntrospectedField[] {
  const id = idOf(fields);
  const known = shared.get(id);
  if (known === undefined) shared.set(id, fields);
  return known ?? fields;
}

/**
 * graphql-js's own resolver. Those of introspection take nothing of the context, and of the info
 * the schema alone.
 */
function readerOf(
  { name, resolve }: GraphQLField<unknown, unknown>,
  values: Readonly<Record<string, unknown>>,
): IntrospectedField['read'] {
  if (resolve === undefined) throw new TypeError(`${name} is not a field of introspection.`);
  return (source, schema) => resolve(source, values, undefined, { schema } as GraphQLResolveInfo);
}
