import { isObjectType, isScalarType, type GraphQLField, type GraphQLNamedType, type GraphQLSchema } from 'graphql';
import { getMetadataStorage } from 'type-graphql';
import type { ColumnType } from '../../descriptor/descriptor.js';
import type { Registry } from '../../descriptor/registry.js';
import { builtTypes } from '../built-types.js';
import { columnFilters, declaredEnums, declaredTypes } from '../declare.js';
import { runtimeTypes } from '../definitions/shared.js';
import { generatedFields, generatedRoots } from '../generated-fields.js';
import { outputType, withParts } from '../graphql-type.js';
import { hasMiddlewareOnly, ownPart, type OwnPart } from '../own-part.js';

type Field = GraphQLField<unknown, unknown>;

/** A field that runs the user's code. */
export interface CustomField {
  /** The name of the type that has the field. */
  readonly owner: string;
  readonly field: Field;
  /** `own`: a field that the user's code defines; otherwise a generated field. */
  readonly part: OwnPart | 'own';
}

/** The parts of a schema that the user's code adds. Every schema that replaces it needs them. */
export interface CustomParts {
  readonly types: readonly GraphQLNamedType[];
  readonly fields: readonly CustomField[];
  /** A resolver with the global middleware, for a root field of any name. */
  readonly middleware: Field['resolve'];
  /**
   * Generated types with a guard on the whole class, each with the fields that the guard covers.
   */
  readonly guarded: ReadonlyMap<string, ReadonlySet<string>>;
  /**
   * The root fields at the time of generation, if a resolver class is guarded as a whole; otherwise
   * undefined.
   */
  readonly guardedRoots: ReadonlySet<string> | undefined;
}

const roots = ['Query', 'Mutation', 'Subscription'];

/**
 * Finds what the user's code adds to, or changes in, the schema that TypeGraphQL built of generated
 * and custom classes.
 * @param generated the descriptors of the generated code
 */
export function findCustomParts(schema: GraphQLSchema, generated: Registry): CustomParts {
  const types: GraphQLNamedType[] = [];
  const fields: CustomField[] = [];
  const names = generatedNames(generated);
  const rootNames = generatedRoots(generated);
  let middleware: Field['resolve'];
  for (const type of builtTypes(schema)) {
    if (type.name.startsWith('__')) continue;
    const isRoot = roots.includes(type.name);
    if (!isRoot && !names(type.name)) {
      types.push(type);
      continue;
    }
    if (!isObjectType(type)) continue;
    const known = isRoot ? rootNames : fieldsOf(type.name, generated);
    for (const field of Object.values(type.getFields())) {
      if (hasMiddlewareOnly(field) && known?.has(field.name) !== false) {
        // Takes the resolver of a table's field: the resolvers of procedures and functions convert
        // their arguments.
        if (generated.table.has(field.name)) middleware ??= field.resolve;
        continue;
      }
      const part = known?.has(field.name) === false ? 'own' : ownPart(field);
      if (part !== undefined) fields.push({ owner: type.name, field, part });
    }
  }
  return { types, fields, middleware, ...guards(schema, names) };
}

/** Whether the schema contains no user's code. */
export const isPlain = ({ types, fields, middleware, guarded, guardedRoots }: CustomParts): boolean =>
  types.length + fields.length + guarded.size === 0 && middleware === undefined && guardedRoots === undefined;

function fieldsOf(type: string, generated: Registry): ReadonlySet<string> | undefined {
  const declared = declaredTypes.get(type);
  if (declared !== undefined) return new Set(declared.fields().map(({ name }) => name));
  return generatedFields(type, generated);
}

/** A test for the names of types that are generated or belong to the runtime. */
function generatedNames(registry: Registry): (name: string) => boolean {
  const common = new Set(['Int', 'Float', 'String', 'Boolean', 'ID', ...runtimeTypes.map(({ name }) => name)]);
  const composites = [...registry.composites.keys()].flatMap((name) => [name, `${name}Input`]);
  const used: readonly ColumnType[] = [
    ...registry.tables.flatMap(({ columns, computed = [] }) => [...columns, ...computed].map(({ type }) => type)),
    ...[...registry.composites.values()].flatMap(({ attributes }) => attributes.map(({ type }) => type)),
    ...[...registry.procedures.values(), ...registry.functions.values()].flatMap((each) => [
      ...each.arguments.map(({ type }) => type),
      ...(each.returns === undefined ? [] : [each.returns]),
    ]),
  ];
  const ranges = used
    .flatMap(withParts)
    .filter(({ kind }) => kind === 'range')
    .map((type) => outputType(type).name);
  const known = new Set([...common, ...composites, ...ranges, ...ranges.map((name) => `${name}Input`)]);
  return (name) =>
    known.has(name) ||
    declaredTypes.has(name) ||
    declaredEnums.has(name) ||
    columnFilters.has(name) ||
    registry.tableByType.has(name) ||
    registry.enums.has(name);
}

/** The guards on whole generated classes, with the fields that each class had at generation. */
function guards(
  schema: GraphQLSchema,
  isGenerated: (name: string) => boolean,
): Pick<CustomParts, 'guarded' | 'guardedRoots'> {
  const { authorizedResolver, resolverMiddlewares, objectTypes, resolverClasses } = getMetadataStorage();
  const whole = new Set<unknown>([...authorizedResolver, ...resolverMiddlewares].map(({ target }) => target));
  if (whole.size === 0) return { guarded: new Map(), guardedRoots: undefined };
  const guarded = new Map<string, ReadonlySet<string>>();
  for (const { target, name } of objectTypes) {
    const type = whole.has(target) && isGenerated(name) ? schema.getType(name) : undefined;
    if (isObjectType(type)) guarded.set(name, new Set(Object.keys(type.getFields())));
  }
  const guardsRoots = resolverClasses.some(({ target }) => whole.has(target));
  const known = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.keys(type?.getFields() ?? {}),
  );
  return { guarded, guardedRoots: guardsRoots ? new Set(known) : undefined };
}

/** Whether a type refers to no other type, so that several schemas can share it. */
export const isLeaf = (type: GraphQLNamedType): boolean => isScalarType(type) || 'getValues' in type;
