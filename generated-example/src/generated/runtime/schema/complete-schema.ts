import { GraphQLSchema, isEnumType, isObjectType, type GraphQLNamedType } from 'graphql';
import { getMetadataStorage } from 'type-graphql';
import { CompleteTypes } from './complete-types.js';
import { announced, declaredArguments, declaredEnums, declaredTypes } from './declare.js';
import { describeInputs } from './describe-inputs.js';
import { acceptSpellings } from './spellings.js';

/**
 * Adds what follows from descriptors to the schema that TypeGraphQL built: declared types, and arguments of fields. Declared types are made
 * when they are first asked for, or all of them with the list of all types.
 * @param known names of the declared types that TypeGraphQL has built in full
 */
export function completeSchema(built: GraphQLSchema, known: ReadonlySet<string>): void {
  const own = Object.values(built.getTypeMap());
  // Somebody's type of the same name as a declared one stays apart from it: graphql-js says then that there are two.
  const isApart = ({ name }: GraphQLNamedType): boolean =>
    !announced.has(name) && !known.has(name) && (declaredTypes.has(name) || declaredEnums.has(name));
  const types = new CompleteTypes(own.filter((type) => !isApart(type)));
  for (const type of own) if (isEnumType(type) && !type.name.startsWith('__')) acceptSpellings(type);
  describeInputs(own, (name) => built.getType(name));
  for (const name of announced) fillAnnounced(built.getType(name), name, types);
  addArguments(built, types);
  listWhenAsked(built, types);
  if (own.some(isApart)) built.getTypeMap();
}

/** One that a resolver of the user's adds fields to is filled at once: whoever goes through the schema at start passes over types that wait. */
function fillAnnounced(type: GraphQLNamedType | undefined, name: string, types: CompleteTypes): void {
  const shape = declaredTypes.get(name);
  if (shape === undefined || !isObjectType(type)) return;
  const isExtended = Object.keys(type.getFields()).length > 0;
  types.fill(type, shape);
  if (isExtended) type.getFields();
}

/** Has the schema look its types up by name, and list them, which makes them all, only for somebody who wants the list. */
function listWhenAsked(schema: GraphQLSchema, types: CompleteTypes): void {
  const own = Object.values(schema.getTypeMap());
  const config = {
    ...schema.toConfig(),
    // The roots lead to all types but those that only an interface stands for.
    types: own.filter((type) => isObjectType(type) && type.getInterfaces().length > 0),
  };
  let whole: GraphQLSchema | undefined;
  schema.getTypeMap = () => (whole ??= new GraphQLSchema(config)).getTypeMap();
  schema.getType = (name) => (whole === undefined ? types.find(name) : whole.getType(name));
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
