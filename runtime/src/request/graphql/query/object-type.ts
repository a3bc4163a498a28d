import { getNamedType, isObjectType, type GraphQLField, type GraphQLObjectType } from 'graphql';

/** The object type of a field that has a selection: of each item, where the field is a list. */
export function objectType(definition: GraphQLField<unknown, unknown>): GraphQLObjectType {
  const type = getNamedType(definition.type);
  if (!isObjectType(type)) throw new TypeError(`${definition.name} is a ${type.name}, which has no fields.`);
  return type;
}
