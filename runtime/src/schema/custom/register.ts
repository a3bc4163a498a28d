import { GraphQLFloat, GraphQLID, GraphQLInt } from 'graphql';
import type { getMetadataStorage } from 'type-graphql';
import type { ResolverClass } from '../../descriptor/generated.js';
import type { Declarations } from '../declare.js';
import * as scalars from '../scalars.js';
import { classOf, enumOf, nameOf, useClass, type Class } from '../stand-ins.js';
import type { EnumShape, FieldShape, TypeShape } from '../type-shape.js';
import { generatedShape } from './merge.js';
import { isObject } from '../../is-record.js';

// TypeGraphQL knows nothing of generated types: as much as the user's decorators name is registered
// with it here, before it builds the types of the user's code.

export type Storage = ReturnType<typeof getMetadataStorage>;
/** TypeGraphQL's own type for classes. */
export type Target = Storage['objectTypes'][number]['target'];
type FieldMetadata = Storage['fields'][number];
type Handler = Storage['queries'][number];

const none = { params: [], middlewares: [], directives: [], extensions: {}, complexity: undefined };
const undescribed = { description: undefined, deprecationReason: undefined };

/** Whether a class extends another. */
export const extendsClass = (one: Target, other: Target): boolean =>
  Object.prototype.isPrototypeOf.call(other.prototype as object, one.prototype as object);

/** The guards and middlewares of a class or of one of its fields. */
interface Guard {
  readonly roles?: FieldMetadata['roles'] | undefined;
  readonly middlewares?: FieldMetadata['middlewares'];
}

/** The guards and middlewares of all classes. */
export class Guards {
  /** Classes that have them as a whole. */
  readonly whole: ReadonlySet<Target>;
  private readonly fields = new Map<Target, Map<string, Guard>>();

  constructor({ authorizedFields, authorizedResolver, middlewares, resolverMiddlewares }: Storage) {
    this.whole = new Set([...authorizedResolver, ...resolverMiddlewares].map(({ target }) => target));
    // The class first: its middlewares are called first, and roles of a field replace its roles.
    for (const { target, roles } of authorizedResolver) this.add(target, everyField, { roles });
    for (const { target, middlewares: all } of resolverMiddlewares) this.add(target, everyField, { middlewares: all });
    for (const { target, fieldName, roles } of authorizedFields) this.add(target, fieldName, { roles });
    for (const { target, fieldName, middlewares: all } of middlewares)
      this.add(target, fieldName, { middlewares: all });
  }

  get classes(): Iterable<Target> {
    return this.fields.keys();
  }

  has(target: Target): boolean {
    return this.fields.has(target);
  }

  of(target: Target, field: string): Guard | undefined {
    const known = this.fields.get(target);
    const [all, own] = [known?.get(everyField), known?.get(field)];
    if (all === undefined || own === undefined) return own ?? all;
    return { roles: own.roles ?? all.roles, middlewares: [...(all.middlewares ?? []), ...(own.middlewares ?? [])] };
  }

  private add(target: Target, field: string, { roles, middlewares = [] }: Guard): void {
    const known = this.fields.get(target) ?? new Map<string, Guard>();
    const before = known.get(field);
    known.set(field, {
      roles: before?.roles ?? roles,
      middlewares: [...(before?.middlewares ?? []), ...middlewares],
    });
    this.fields.set(target, known);
  }
}

/** Not the name of a field. */
const everyField = '*';

/** The root field of this name, and the arguments that its method takes. */
export type RootOf = (
  field: string,
) => { readonly isQuery: boolean; readonly inline: readonly FieldShape[] } | undefined;

/** Registers the generated code that the user's decorators name. */
export class Registration {
  /** By class or object of values: the names of generated types. */
  readonly names = new Map<unknown, string>();
  /** What stands for the types of arguments of generated root fields. */
  private readonly given: unknown[] = [];

  constructor(
    private readonly storage: Storage,
    private readonly declarations: Declarations,
    private readonly guards: Guards,
  ) {}

  /** Registers the root fields of a class of generated code, for the user's code around them. */
  registerResolver(target: ResolverClass, rootOf: RootOf): void {
    const { storage } = this;
    const isNew = !registered.has(target);
    registered.add(target);
    if (isNew) storage.collectResolverClassMetadata({ target, getObjectType: noObjectType });
    for (const methodName of Object.getOwnPropertyNames(target.prototype)) {
      const root = rootOf(methodName);
      if (root === undefined) continue;
      this.given.push(...root.inline.map(({ type }) => this.typeNamed(type)));
      if (!isNew) continue;
      const handler: Handler = {
        ...none,
        ...{ target, methodName, schemaName: methodName, getReturnType: () => String, returnTypeOptions: {} },
      };
      // At the beginning: a method of the user's with the same name replaces it.
      (root.isQuery ? storage.queries : storage.mutations).unshift(handler);
      this.registerParameters(target, methodName, root.inline);
    }
  }

  private registerParameters(target: ResolverClass, methodName: string, inline: readonly FieldShape[]): void {
    const { storage } = this;
    for (const [index, shape] of inline.entries()) {
      storage.collectHandlerParamMetadata({
        ...{ kind: 'arg', target, methodName, index, ...undescribed },
        ...{ ...this.typeOf(shape), name: shape.name, validateSettings: undefined, validateFn: undefined },
      });
    }
    const index = inline.length;
    storage.collectHandlerParamMetadata({ kind: 'context', target, methodName, index, propertyName: undefined });
    storage.collectHandlerParamMetadata({ kind: 'info', target, methodName, index: index + 1 });
  }

  /** Registers the types that the user's decorators name, and the types of the fields of inputs. */
  registerNamed(): void {
    const { storage, declarations } = this;
    const own = customClasses(storage);
    const waiting = [...namedIn(storage, this.guards).filter((each) => !own.has(each)), ...this.given];
    for (const each of waiting) if (isClass(each) && declarations.type(each.name) !== undefined) useClass(each);
    while (waiting.length > 0) {
      const each = waiting.pop();
      const name = nameOf(each);
      if (name === undefined || this.names.has(each)) continue;
      const [type, values] = [declarations.type(name), declarations.enum(name)];
      if (isClass(each) && type !== undefined) waiting.push(...this.registerType(each, type));
      else if (isObject(each) && values !== undefined) this.registerEnum(each, values);
    }
  }

  private registerEnum(enumObj: object, { name, description }: EnumShape): void {
    this.names.set(enumObj, name);
    if (registered.has(enumObj)) return;
    registered.add(enumObj);
    this.storage.collectEnumMetadata({ enumObj, name, description, valuesConfig: {} });
  }

  /** Returns what stands for the types of its fields, for an input: TypeGraphQL makes instances. */
  private registerType(target: Class, shape: TypeShape): readonly unknown[] {
    const { name, kind } = shape;
    const fields = shape.fields();
    this.names.set(target, name);
    const inside = kind === 'input' ? fields.map(({ type }) => this.typeNamed(type)) : [];
    if (registered.has(target)) return inside;
    registered.add(target);
    const metadata = {
      ...{ name, target, directives: [], extensions: {} },
      ...(shape.description === '' ? {} : { description: shape.description }),
    };
    if (kind === 'input') {
      this.storage.collectInputMetadata({ ...metadata, fields: fields.map((field) => this.inputField(target, field)) });
    } else {
      this.storage.collectObjectMetadata({
        ...metadata,
        fields: fields.map((field) => this.rowField(target, field)),
        interfaceClasses: undefined,
        simpleResolvers: true,
      });
    }
    return inside;
  }

  /** Of no type: `mergeCustomTypes` gives it that of the database. */
  private rowField(target: Class, shape: FieldShape): FieldMetadata {
    const guard = this.guards.of(target, shape.name);
    const { roles, middlewares = [] } = guard ?? {};
    return {
      ...{ ...none, ...undescribed, middlewares },
      ...{ target, name: shape.name, schemaName: shape.name, getType: () => String, typeOptions: {} },
      ...(roles === undefined ? {} : { roles }),
      // TypeGraphQL calls no guards of a simple field.
      simple: guard === undefined,
      extensions: { [generatedShape]: shape },
    };
  }

  private inputField(target: Class, shape: FieldShape): FieldMetadata {
    const { name, description } = shape;
    return { ...none, ...undescribed, ...{ target, name, schemaName: name, description }, ...this.typeOf(shape) };
  }

  private typeOf({ type, depth, nullable, nullableItems }: FieldShape): Pick<FieldMetadata, 'getType' | 'typeOptions'> {
    const items = depth > 0 && nullableItems;
    return {
      getType: () => this.typeNamed(type),
      typeOptions: {
        ...(items ? { nullable: nullable ? 'itemsAndList' : 'items' } : nullable ? { nullable } : {}),
        ...(depth === 0 ? {} : { array: true, arrayDepth: depth }),
      },
    };
  }

  /** The type of an input's field by its GraphQL name, in the form that TypeGraphQL expects. */
  private typeNamed(name: string): Target | object {
    const builtin = builtins.get(name);
    if (builtin !== undefined) return builtin;
    const values = this.declarations.enum(name);
    return values === undefined ? classOf(name) : enumOf(name, values.values);
  }
}

function noObjectType(): never {
  throw new TypeError('A generated resolver class has root fields only.');
}

/** Everything that is registered here; the rest of the storage is the user's. */
const registered = new WeakSet<object>();

export const isRegistered = (standIn: object): boolean => registered.has(standIn);

/** What decorators name: types of fields and arguments, base classes, guarded classes. */
function namedIn(storage: Storage, guards: Guards): unknown[] {
  const { params, fields, queries, mutations, subscriptions, fieldResolvers, unions, resolverClasses } = storage;
  const { objectTypes, inputTypes, argumentTypes, interfaceTypes } = storage;
  return [
    ...params.flatMap((param) => {
      const argument = param.kind === 'custom' ? param.options.arg : param;
      return argument?.kind === 'arg' ? [answerOf(argument.getType)] : [];
    }),
    ...fields.map(({ getType }) => answerOf(getType)),
    ...[...queries, ...mutations, ...subscriptions].map(({ getReturnType }) => answerOf(getReturnType)),
    ...fieldResolvers.map(({ getType }) => answerOf(getType)),
    ...resolverClasses.map(({ getObjectType }) => answerOf(getObjectType)),
    ...unions.flatMap(({ getClassTypes }) => answerOf(getClassTypes) ?? []),
    ...[objectTypes, inputTypes, argumentTypes, interfaceTypes].flatMap((all) =>
      all.map(({ target }): unknown => Object.getPrototypeOf(target)),
    ),
    ...guards.classes,
  ];
}

/** TypeGraphQL itself reports a function that throws, where the schema uses its answer. */
function answerOf<T>(ask: (() => T) | undefined): T | undefined {
  try {
    return ask?.();
  } catch {
    return undefined;
  }
}

/** The classes and enums of the user's code. */
function customClasses(storage: Storage): ReadonlySet<unknown> {
  const { objectTypes, inputTypes, argumentTypes, interfaceTypes, resolverClasses, enums } = storage;
  const all = [...objectTypes, ...inputTypes, ...argumentTypes, ...interfaceTypes, ...resolverClasses];
  const classes = all.map(({ target }) => target);
  return new Set([...classes, ...enums.map(({ enumObj }) => enumObj)].filter((each) => !registered.has(each)));
}

/** A class of generated code may have the name of one of JavaScript, such as `Object`. */
const isClass = (value: unknown): value is Class =>
  typeof value === 'function' && Reflect.get(globalThis, value.name) !== value;

const builtins: ReadonlyMap<string, object> = new Map<string, object>([
  ['Int', GraphQLInt],
  ['Float', GraphQLFloat],
  ['ID', GraphQLID],
  ['String', String],
  ['Boolean', Boolean],
  ...Object.values(scalars).map((scalar): [string, object] => [scalar.name, scalar]),
]);
