import 'reflect-metadata';
import { isEnumType, isObjectType, isScalarType, type GraphQLObjectType, type GraphQLSchema } from 'graphql';
import {
  GeneratingSchemaError,
  buildSchemaSync,
  getMetadataStorage,
  type AuthChecker,
  type BuildSchemaOptions,
  type NonEmptyArray,
} from 'type-graphql';
import type { ResolverClass } from '../../descriptor/generated.js';
import type { SchemaTypes } from '../build.js';
import type { FieldInfo, RootAnswers } from '../common-types.js';
import type { LazySchema } from '../lazy-schema.js';
import { RootField } from '../root-field.js';
import { acceptSpellings } from '../spellings.js';
import type { CustomField, CustomParts } from './parts.js';
import { extendsClass, Guards, isRegistered, Registration, type RootOf, type Storage } from './register.js';
import type { CustomResolvers } from './resolvers.js';

/**
 * Reads the user's classes, guards and middlewares from TypeGraphQL's metadata. TypeGraphQL builds
 * their resolvers, so that they have the effect that it documents; generated types are to it no
 * more than names.
 * @param generated the resolver classes of generated code, which may be guarded or extended
 */
export function readCustomParts(
  types: SchemaTypes,
  generated: readonly ResolverClass[],
  { resolvers: custom = [], ...options }: CustomResolvers,
): CustomParts {
  const storage = getMetadataStorage();
  const guards = new Guards(storage);
  const registration = new Registration(storage, types.types.declarations, guards);
  const isTouched = (target: ResolverClass): boolean =>
    guards.has(target) || custom.some((each) => extendsClass(each, target));
  const touched = generated.filter(isTouched);
  const { query, mutation } = types;
  for (const each of touched) registration.registerResolver(each, (name) => rootOf(types, name));
  registration.registerResolver(Middleware, (name) => middlewareRoots.get(name));
  registration.registerNamed();
  const built = build([Middleware, ...touched, ...custom], [...registration.names.keys()], options);
  const fields = [
    ...rootFields(built.getQueryType(), query, { touched, custom, handlers: storage.queries }),
    ...rootFields(built.getMutationType(), mutation, { touched, custom, handlers: storage.mutations }),
    ...rootFields(built.getSubscriptionType(), types.subscription, {
      touched,
      custom,
      handlers: storage.subscriptions,
    }),
  ];
  const own = customNames(storage);
  const parts: { types: CustomParts['types'][number][]; fields: CustomField[] } = { types: [], fields };
  for (const type of Object.values(built.getTypeMap())) {
    if (type.name.startsWith('__') || roots.has(type.name)) continue;
    const known = types.types.find(type.name);
    if (known === undefined || own.has(type.name) || (isScalarType(type) && type !== known)) {
      if (isEnumType(type)) acceptSpellings(type);
      parts.types.push(type);
    } else if (isObjectType(type) && isObjectType(known)) {
      parts.fields.push(...partsOf(type, known, storage, custom));
    }
  }
  const whole = [...guards.whole].filter((target) => registration.names.has(target));
  const guarded = whole.flatMap((target): [string, ReadonlySet<string>][] => {
    const type = types.types.find(target.name);
    return isObjectType(type) ? [[type.name, new Set(Object.keys(type.getFields()))]] : [];
  });
  const rootNames = [query, mutation].flatMap((type) => Object.keys(type.getFields()));
  return {
    ...parts,
    middleware: (options.globalMiddlewares ?? []).length === 0 ? undefined : middlewareOf(built),
    guarded: new Map(guarded),
    guardedRoots: generated.some((target) => guards.whole.has(target)) ? new Set(rootNames) : undefined,
  };
}

/** @throws GeneratingSchemaError if the whole schema has an error */
export function checkSchema(schema: LazySchema): void {
  const errors = schema.check();
  if (errors.length > 0) throw new GeneratingSchemaError(errors);
}

function build(
  resolvers: readonly ResolverClass[],
  standIns: readonly unknown[],
  { globalMiddlewares = [], authChecker, authMode, pubSub }: CustomResolvers,
): GraphQLSchema {
  return buildSchemaSync({
    // eslint-disable-next-line @typescript-eslint/no-unsafe-function-type -- TypeGraphQL's own type for classes
    resolvers: resolvers as unknown as NonEmptyArray<Function>,
    // Nothing leads to the generated types that the user's code extends or guards.
    orphanedTypes: standIns.filter((each) => typeof each === 'function'),
    // The filters and the database check inputs.
    validate: false,
    disableInferringDefaultValues: true,
    skipCheck: true,
    globalMiddlewares: [...globalMiddlewares] as NonNullable<BuildSchemaOptions['globalMiddlewares']>,
    ...(authChecker === undefined ? {} : { authChecker: authChecker as AuthChecker }),
    ...(authMode === undefined ? {} : { authMode }),
    ...(pubSub === undefined ? {} : { pubSub }),
  });
}

const roots = new Set(['Query', 'Mutation', 'Subscription']);

function rootOf({ query, mutation }: SchemaTypes, name: string): ReturnType<RootOf> {
  const isQuery = Object.hasOwn(query.getFields(), name);
  const field = (isQuery ? query : mutation).getFields()[name];
  return field instanceof RootField ? { isQuery, inline: field.inline } : undefined;
}

interface Handlers {
  readonly touched: readonly ResolverClass[];
  readonly custom: readonly ResolverClass[];
  readonly handlers: Storage['queries'];
}

/** The root fields that the user's code has, or is around of. */
function rootFields(
  built: GraphQLObjectType | null | undefined,
  generated: GraphQLObjectType,
  { touched, custom, handlers }: Handlers,
): readonly CustomField[] {
  const around = new Set<string>();
  for (const { target, schemaName, roles, middlewares = [] } of handlers) {
    const isExtended = custom.some((each) => extendsClass(each, target));
    const extendsGenerated =
      custom.some((each) => each === target) && touched.some((each) => extendsClass(target, each));
    const isGuarded = roles !== undefined || middlewares.length > 0;
    if (extendsGenerated || (isRegistered(target) && (isExtended || isGuarded))) around.add(schemaName);
  }
  const all = Object.values(built?.getFields() ?? {}).filter(({ name }) => !middlewareRoots.has(name));
  return all.flatMap((field): readonly CustomField[] => {
    const owner = generated.name;
    if (generated.getFields()[field.name] === undefined) return [{ owner, field, part: 'own' }];
    if (around.has(field.name)) return [{ owner, field, part: 'around' }];
    const isOwn = handlers.some((each) => each.schemaName === field.name && !isRegistered(each.target));
    return isOwn ? [{ owner, field, part: 'instead' }] : [];
  });
}

/** The fields of a generated type that the user's code adds, guards or replaces. */
function partsOf(
  type: GraphQLObjectType,
  known: GraphQLObjectType,
  { fieldResolvers }: Storage,
  custom: readonly ResolverClass[],
): readonly CustomField[] {
  const generated = known.getFields();
  const replaced = new Set(
    fieldResolvers
      .filter(
        ({ kind, target }) =>
          kind === 'external' && custom.some((each) => each === target || extendsClass(each, target)),
      )
      .filter(({ getObjectType }) => getObjectType?.().name === type.name)
      .map(({ schemaName }) => schemaName),
  );
  return Object.values(type.getFields()).flatMap((field): readonly CustomField[] => {
    if (generated[field.name] === undefined) return [{ owner: type.name, field, part: 'own' }];
    if (field.resolve === undefined) return [];
    return [{ owner: type.name, field, part: replaced.has(field.name) ? 'instead' : 'around' }];
  });
}

/** The names of the types that the user's code registers with TypeGraphQL. */
function customNames({ objectTypes, inputTypes, interfaceTypes, enums, unions }: Storage): ReadonlySet<string> {
  const classes = [...objectTypes, ...inputTypes, ...interfaceTypes].filter(({ target }) => !isRegistered(target));
  const objects = enums.filter(({ enumObj }) => !isRegistered(enumObj));
  return new Set([...classes, ...objects, ...unions].map(({ name }) => name));
}

/** Resolves every root field, for the global middleware around it. */
class Middleware {
  tablewrightRead(context: RootAnswers, info: FieldInfo): Promise<unknown> {
    return context.read(info);
  }
  tablewrightWrite(context: RootAnswers, info: FieldInfo): Promise<unknown> {
    return context.write(info);
  }
}

const middlewareRoots = new Map([
  ['tablewrightRead', { isQuery: true, inline: [] }],
  ['tablewrightWrite', { isQuery: false, inline: [] }],
]);

function middlewareOf(built: GraphQLSchema): CustomParts['middleware'] {
  const read = built.getQueryType()?.getFields()['tablewrightRead']?.resolve;
  const write = built.getMutationType()?.getFields()['tablewrightWrite']?.resolve;
  return read === undefined || write === undefined ? undefined : { read, write };
}
