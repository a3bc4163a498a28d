import {
  Kind,
  extendSchema,
  isObjectType,
  parse,
  type GraphQLFieldConfig,
  type GraphQLNamedType,
  type GraphQLSchema,
} from 'graphql';
import type { Model } from '../../runtime/src/model/model.js';
import type { Context } from '../../runtime/src/execute/custom/context.js';
import { buildTypes, type SchemaTypes } from '../../runtime/src/schema/build.js';
import { mergeCustomTypes } from '../../runtime/src/schema/custom/merge.js';
import type { CustomField, CustomParts } from '../../runtime/src/schema/custom/parts.js';
import { sourceOfModel } from '../../runtime/src/model/schema-source.js';
import { LazySchema } from '../../runtime/src/schema/lazy-schema.js';
import type { Described } from './described.js';

/** Resolvers by `Type.field`. */
export type Resolvers = Readonly<Record<string, (source: never, args: never, context: Context) => unknown>>;

/** The GraphQL schema of a server that has followed its database to this model. */
export const schemaOf = ({ model }: Pick<Described, 'model'>): GraphQLSchema => new LazySchema(typesOf(model));

/**
 * The same with fields and types of the user's code, which such a server adds to the types of the
 * model by name.
 * @param sdl types, and `extend type` for own fields
 */
export function extendedSchema({ model, registry }: Described, sdl: string, resolvers: Resolvers = {}): GraphQLSchema {
  const types = typesOf(model);
  const parts = partsOf(schemaOf({ model }), sdl, resolvers);
  return new LazySchema(types, (from) => mergeCustomTypes(from, parts, registry, (message) => new Error(message)));
}

/** The types of a model. */
export const typesOf = (model: Model): SchemaTypes => drain(buildTypes(sourceOfModel(model)));

/** The result of work that yields. */
export function drain<T>(work: Generator<undefined, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** The user's code, as `readCustomParts` reads it from classes. */
function partsOf(generated: GraphQLSchema, sdl: string, resolvers: Resolvers): CustomParts {
  const document = parse(sdl);
  const schema = extendSchema(generated, document);
  for (const [path, resolve] of Object.entries(resolvers))
    Object.assign(fieldAt(schema, path), { resolve: resolverOf(resolve) });
  const types: GraphQLNamedType[] = [];
  const fields: CustomField[] = [];
  for (const definition of document.definitions) {
    if (!('name' in definition)) continue;
    const owner = definition.name.value;
    if (definition.kind === Kind.OBJECT_TYPE_EXTENSION) {
      for (const { name } of definition.fields ?? [])
        fields.push({ owner, field: fieldAt(schema, `${owner}.${name.value}`), part: 'own' });
    } else {
      const type = schema.getType(owner);
      if (type !== undefined) types.push(type);
    }
  }
  return { types, fields, middleware: undefined, guarded: new Map(), guardedRoots: undefined };
}

function fieldAt(schema: GraphQLSchema, path: string): CustomField['field'] {
  const [typeName = '', fieldName = ''] = path.split('.');
  const type = schema.getType(typeName);
  const field = isObjectType(type) ? type.getFields()[fieldName] : undefined;
  if (field === undefined) throw new Error(`no field ${path}`);
  return field;
}

const resolverOf =
  (resolve: Resolvers[string]): GraphQLFieldConfig<unknown, unknown>['resolve'] =>
  (source, args, context) =>
    resolve(source as never, args as never, context as Context);
