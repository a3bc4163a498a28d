import { GraphQLSchema, isObjectType, type GraphQLNamedType } from 'graphql';
import { getMetadataStorage } from 'type-graphql';
import { CompleteTypes } from './complete-types.js';
import { announced, declaredArguments, declaredEnums, declaredTypes } from './declare.js';

/**
 * The schema that TypeGraphQL built, with what follows from descriptors added: declared types, and arguments of fields.
 * @param known names of the declared types that TypeGraphQL has built in full
 */
export function completeSchema(built: GraphQLSchema, known: ReadonlySet<string>): GraphQLSchema {
  const own = Object.values(built.getTypeMap());
  // Somebody's type of the same name as a declared one stays apart from it: graphql-js says then that there are two.
  const isKnown = ({ name }: GraphQLNamedType): boolean =>
    announced.has(name) || known.has(name) || !(declaredTypes.has(name) || declaredEnums.has(name));
  const types = new CompleteTypes(own.filter(isKnown));
  for (const name of announced) types.fill(built.getType(name), name);
  addArguments(built, types);
  types.finish();
  return new GraphQLSchema({
    ...built.toConfig(),
    // The roots lead to all types but those that only an interface stands for.
    types: own.filter((type) => isObjectType(type) && type.getInterfaces().length > 0),
  });
}

function addArguments(schema: GraphQLSchema, types: CompleteTypes): void {
  const roots = [schema.getQueryType(), schema.getMutationType()];
  const names = new Map<object, string>(getMetadataStorage().objectTypes.map(({ target, name }) => [target, name]));
  for (const [target, properties] of declaredArguments) {
    const name = names.get(target);
    const owners = name === undefined ? roots : [schema.getType(name)];
    for (const owner of owners) {
      if (!isObjectType(owner)) continue;
      const fields = owner.getFields();
      for (const [property, argumentsOf] of properties) {
        const field = fields[property];
        if (field !== undefined) types.addArguments(field, argumentsOf());
      }
    }
  }
}
