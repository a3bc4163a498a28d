import type { Catalog, Routine, RoutineArgument, TypeRef } from '../catalog/catalog.js';
import type { ArgumentDescriptor, ComputedDescriptor } from '../descriptor/descriptor.js';
import { outputType, hasOwnFilter } from '../schema/graphql-type.js';
import { computedInputEnds } from '../schema/computed-shape.js';
import { isOrderable } from '../schema/orderable.js';
import { allocate } from './allocate.js';
import { described } from './description.js';
import type { ComputedModel, Warning } from './model.js';
import { pascal } from './names.js';
import { memberName, type NamingRules } from './naming-rules.js';
import type { Patterns } from './patterns.js';
import { argumentsOf, readableSuffixes, routineId } from './routine-names.js';
import { sortedRoutines } from './routines.js';
import type { RelationDraft } from './relations.js';
import type { ScopedTable } from './scope.js';
import type { TypeNames } from './type-names.js';
import { typeKey, type NamedTypes, type TypeResolver } from './types.js';
import { volatileFunctions } from './warnings.js';

/** A computed field before its name is settled. */
export interface ComputedDraft {
  readonly id: string;
  /** The name that its field is made of. */
  readonly databaseName: string;
  /** Suffixes that distinguish overloads; a function of the row alone keeps its name. */
  readonly suffixes: readonly string[];
  readonly descriptor: Omit<ComputedDescriptor, 'name' | 'inputs'>;
  readonly model: Omit<ComputedModel, 'field'>;
}

/** What decides which functions are computed fields. */
export interface ComputedScope {
  readonly catalog: Catalog;
  readonly tables: readonly ScopedTable[];
  readonly exclude: Patterns;
  /** Composite types with a GraphQL type, which an argument may have. */
  readonly composites: NamedTypes['composites'];
}

/**
 * STABLE and IMMUTABLE functions whose first argument is a row, by the key of the table whose rows
 * they take. VOLATILE ones may write, and a client that reads a field must not. Source: decision
 * 005;
 * https://www.postgresql.org/docs/current/xfunc-volatility.html
 */
export function draftComputed(
  { catalog, tables, exclude, composites }: ComputedScope,
  rules: NamingRules,
  resolve: TypeResolver,
  warnings: Warning[],
): ReadonlyMap<string, readonly ComputedDraft[]> {
  const known = new Map(tables.map((table) => [table.key, table]));
  const drafts = new Map<string, ComputedDraft[]>();
  const volatile: Routine[] = [];
  for (const routine of sortedRoutines(catalog, exclude)) {
    const { returns } = routine;
    const table = known.get(rowArgument(routine) ?? '');
    if (table === undefined || returns === null || known.has(typeKey(returns))) continue;
    const [, ...others] = routine.arguments;
    if (!others.every((argument) => canBeGiven(argument, composites))) continue;
    if (routine.volatility !== 'volatile') {
      drafts.set(table.key, [
        ...(drafts.get(table.key) ?? []),
        draftOf(routine, table, resolve(returns), argumentsOf({ arguments: others }, resolve, rules)),
      ]);
    } else if (others.length === 0) {
      // With arguments it may well be meant as a mutation.
      volatile.push(routine);
    }
  }
  const [first, ...others] = volatile;
  if (first !== undefined) warnings.push(volatileFunctions([first, ...others]));
  return drafts;
}

function draftOf(
  routine: Routine,
  table: ScopedTable,
  type: ReturnType<TypeResolver>,
  given: readonly ArgumentDescriptor[],
): ComputedDraft {
  const { schema, name, comment } = routine;
  return {
    id: routineId(routine),
    databaseName: withoutPrefix(name, `${table.facts.name}_`),
    suffixes: given.length === 0 ? [] : readableSuffixes(routine.arguments.slice(1)),
    descriptor: {
      function: { schema, name },
      type,
      ...(given.length === 0 ? {} : { arguments: given }),
      ...described(comment),
    },
    model: { graphql: outputType(type), orderable: isOrderable(type), arguments: given, comment },
  };
}

/**
 * STABLE and IMMUTABLE functions of a row alone that answer rows of a table, or one: relations of
 * the table whose rows they take, by its key.
 * Source: https://docs.postgrest.org/en/stable/references/api/resource_embedding.html#computed-relationships
 */
export function draftComputedRelations(
  { catalog, tables, exclude }: ComputedScope,
  names: TypeNames,
): ReadonlyMap<string, readonly RelationDraft[]> {
  const known = new Map(tables.map((table) => [table.key, table]));
  const drafts = new Map<string, RelationDraft[]>();
  for (const routine of sortedRoutines(catalog, exclude)) {
    const { schema, name, returns, returnsSet, returnsOne, volatility, arguments: all } = routine;
    const [argument] = all;
    if (routine.kind !== 'function' || volatility === 'volatile' || all.length !== 1 || returns?.array !== false)
      continue;
    const table = argument?.mode === 'in' && isRow(argument.type) ? known.get(typeKey(argument.type)) : undefined;
    const target = isRow(returns) ? known.get(typeKey(returns)) : undefined;
    if (table === undefined || target === undefined || target.columns.length === 0) continue;
    const draft: RelationDraft = {
      id: routineId(routine),
      preferredName: memberName(withoutPrefix(name, `${table.facts.name}_`), names.rules),
      rank: 6,
      suffixes: [pascal(target.facts.name)],
      descriptor: {
        cardinality: returnsSet && returnsOne !== true ? 'many' : 'one',
        direction: 'reverse',
        table: names.tables.get(target.key)?.fields.list ?? target.key,
        constraint: name,
        columns: [],
        references: [],
        function: { schema, name },
      },
    };
    drafts.set(table.key, [...(drafts.get(table.key) ?? []), draft]);
  }
  return drafts;
}

/**
 * The key of the table whose row is the first argument, where a function answers one value for it.
 */
function rowArgument({ kind, returns, returnsSet, arguments: all }: Routine): string | undefined {
  const [argument] = all;
  if (kind !== 'function' || returnsSet || returns?.kind === 'pseudo') return undefined;
  return argument?.mode === 'in' && isRow(argument.type) ? typeKey(argument.type) : undefined;
}

const isRow = ({ kind, array }: TypeRef): boolean => kind === 'composite' && !array;

/**
 * Whether a client can give such an argument. Rows of tables are given to functions that the
 * configuration lists alone.
 */
const canBeGiven = ({ mode, type }: RoutineArgument, composites: NamedTypes['composites']): boolean =>
  (mode === 'in' || mode === 'variadic') &&
  type.kind !== 'pseudo' &&
  (type.kind !== 'composite' || composites.has(typeKey(type)));

function withoutPrefix(name: string, prefix: string): string {
  return name.startsWith(prefix) && name.length > prefix.length ? name.slice(prefix.length) : name;
}

/**
 * How the names of the GraphQL inputs begin that only one computed field has, by the ids of their
 * drafts: its filter, its order and its arguments.
 * @param filters the names of the filter inputs of enum columns, which keep theirs
 */
export function nameComputedInputs(
  drafts: ReadonlyMap<string, readonly ComputedDraft[]>,
  names: TypeNames,
  filters: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const claims = [...drafts].flatMap(([table, own]) =>
    own.filter(hasInputs).map((draft) => {
      const base = `${names.tables.get(table)?.type ?? ''}${pascal(draft.databaseName)}`;
      return {
        id: draft.id,
        rank: draft.suffixes.length === 0 ? 0 : 1,
        suffixes: draft.suffixes,
        base,
        names: (suffix: string) => computedInputEnds.map((end) => `${base}${suffix}${end}`),
      };
    }),
  );
  if (claims.length === 0) return new Map();
  const { suffixes } = allocate(claims, new Set([...names.taken, ...names.reserved, ...filters.values()]));
  return new Map(claims.map(({ id, base }) => [id, `${base}${suffixes.get(id) ?? ''}`]));
}

const hasInputs = ({ descriptor }: ComputedDraft): boolean =>
  descriptor.arguments !== undefined || hasOwnFilter(descriptor.type);
