import type { Catalog, Routine, RoutineArgument, TypeRef } from '../catalog/catalog.js';
import type { Warning } from './model.js';
import type { Patterns } from './patterns.js';
import { routineId } from './routine-names.js';
import { allTypes, isPseudo, sortedRoutines } from './routines.js';
import type { ScopedTable } from './scope.js';
import type { NamedTypes } from './types.js';
import { typeKey } from './types.js';
import { functionsLeftOut } from './warnings.js';

/** What decides which functions are served. */
export interface FunctionScope {
  readonly catalog: Catalog;
  readonly exclude: Patterns;
  /** The functions that the configuration lists. */
  readonly listed: Patterns;
  readonly tables: readonly ScopedTable[];
  /** Composite types with a GraphQL type. */
  readonly composites: NamedTypes['composites'];
  /** Ids of functions that are fields of their rows. */
  readonly computed: ReadonlySet<string>;
}

/** Parameters that are an answer's members: OUT, INOUT and the columns of TABLE (…). */
export const outputsOf = ({ arguments: all }: Routine): readonly RoutineArgument[] =>
  all.filter(({ mode }) => mode === 'out' || mode === 'inout' || mode === 'table');

/** Parameters that a call gives. */
export const inputsOf = ({ arguments: all }: Routine): readonly RoutineArgument[] =>
  all.filter(({ mode }) => mode !== 'out' && mode !== 'table');

/**
 * The functions to serve, sorted. Functions that no client can call are left out, with one warning
 * for all of them.
 */
export function listedFunctions(scope: FunctionScope, warnings: Warning[]): readonly Routine[] {
  const wanted = sortedRoutines(scope.catalog, scope.exclude).filter(
    (routine) => routine.kind === 'function' && scope.listed.matches(routine.schema, routine.name),
  );
  const own = wanted.filter((routine) => !scope.computed.has(routineId(routine)));
  const tables = new Map(scope.tables.map((table) => [table.key, table]));
  const isHidden = (type: TypeRef): boolean =>
    type.kind === 'composite' && !scope.composites.has(typeKey(type)) && !isWhole(tables.get(typeKey(type)));
  const isLeftOut = (routine: Routine): boolean => {
    const table = answeredTable(routine, tables);
    if (table?.columns.length === 0 || isOpaque(routine)) return true;
    return allTypes(routine).some((type) => isHidden(type) && !(type === routine.returns && table !== undefined));
  };
  const [strange, ...more] = own.filter(isLeftOut);
  if (strange !== undefined) warnings.push(functionsLeftOut([strange, ...more]));
  return own.filter((routine) => routine !== strange && !more.includes(routine));
}

/** The table whose rows a function answers. */
export function answeredTable(routine: Routine, tables: ReadonlyMap<string, ScopedTable>): ScopedTable | undefined {
  const { returns } = routine;
  if (returns === null || returns.array || outputsOf(routine).length > 0) return undefined;
  return tables.get(typeKey(returns));
}

/**
 * Tables whose rows are arguments of functions, or members of their results: their row types
 * need a GraphQL type.
 */
export function rowTypesOf(routines: readonly Routine[], tables: readonly ScopedTable[]): readonly ScopedTable[] {
  const used = new Set(routines.flatMap(shownTypes).map(typeKey));
  return tables.filter(({ key }) => used.has(key));
}

/**
 * `record` without columns, `internal`, `anyelement` and their like: no client can give or take a
 * value of them.
 */
const isOpaque = (routine: Routine): boolean =>
  allTypes(routine).some(isPseudo) ||
  routine.arguments.some(({ type }) => type.kind === 'pseudo') ||
  (routine.returns?.kind === 'pseudo' && routine.returns.name === 'record' && outputsOf(routine).length === 0) ||
  (routine.returns?.name === 'void' && routine.returns.kind === 'pseudo' && routine.volatility !== 'volatile');

/**
 * The types of arguments and results, except a table's row itself, which needs no type
 * of its own.
 */
function shownTypes(routine: Routine): readonly TypeRef[] {
  const { returns } = routine;
  const answered = returns === null || (returns.kind === 'composite' && !returns.array) ? [] : [returns];
  return [...routine.arguments.map(({ type }) => type), ...answered];
}

/** An excluded column would be part of a row. */
const isWhole = (table: ScopedTable | undefined): boolean =>
  table !== undefined && table.columns.length === table.facts.columns.length && table.columns.length > 0;
