import { GraphQLScalarType, buildSchema, isEnumType, type GraphQLSchema } from 'graphql';
import type { Context } from '../../runtime/src/schema/common-types.js';
import * as scalars from '../../runtime/src/schema/scalars.js';
import { acceptSpellings } from '../../runtime/src/schema/spellings.js';

/** The schema of the generator's schema.graphql, with resolvers like those of generated classes. */
export function servedSchema(sdl: string): GraphQLSchema {
  const schema = buildSchema(sdl);
  for (const scalar of Object.values(scalars)) {
    const declared = schema.getType(scalar.name);
    if (declared instanceof GraphQLScalarType) Object.assign(declared, scalar);
  }
  for (const type of Object.values(schema.getTypeMap())) {
    if (isEnumType(type) && !type.name.startsWith('__')) acceptSpellings(type);
  }
  const query = schema.getQueryType();
  for (const field of Object.values(query?.getFields() ?? {})) {
    field.resolve = (_source, _args, context: Context, info) => context.read(info);
  }
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    field.resolve = (_source, _args, context: Context, info) => context.write(info);
  }
  return schema;
}
