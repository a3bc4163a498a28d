import type { Catalog, Routine, RoutineArgument, TypeRef } from '../catalog/catalog.js';
import type { FunctionDescriptor } from '../descriptor/descriptor.js';
import type { GivenProcedure, GivenSet, ModelOptions } from '../descriptor/options.js';
import { TablewrightError } from '../tablewright-error.js';
import type { Warning } from './model.js';
import type { Patterns } from './patterns.js';
import { routineId } from './routine-names.js';
import { sortedRoutines } from './routines.js';
import type { ScopedTable } from './scope.js';
import { typeKey, type ModelDialect } from './types.js';

/** Procedures whose result set the configuration describes. */
export interface ResultSets {
  /** As functions that answer rows. */
  readonly routines: readonly Routine[];
  /** The modes of all their parameters, by id. */
  readonly modes: ReadonlyMap<string, NonNullable<FunctionDescriptor['resultSet']>>;
  /** What those of several result sets have, by id. */
  readonly sets: ReadonlyMap<string, readonly DescribedSet[]>;
}

/** The rows of a table, or columns with their types. */
export type DescribedSet =
  { readonly table: ScopedTable } | { readonly columns: readonly { readonly name: string; readonly type: TypeRef }[] };

interface Scope {
  readonly catalog: Catalog;
  readonly tables: readonly ScopedTable[];
  readonly exclude: Patterns;
  readonly typeNamed: ModelDialect['typeNamed'];
}

/**
 * The procedures of MariaDB that answer rows, of which its catalogue says nothing. Source: decision
 * 037
 * @throws TablewrightError CONFIG_INVALID for a procedure, a table, a column or a type that is not
 * there
 */
export function describedProcedures(
  scope: Scope,
  given: ModelOptions['procedures'] = {},
  warnings: Warning[],
): ResultSets {
  const procedures = new Map(
    sortedRoutines(scope.catalog, scope.exclude).flatMap((each) =>
      each.kind === 'procedure' ? [[typeKey(each), each] as const] : [],
    ),
  );
  const all = Object.entries(given).map(([key, entry]) => {
    const place = `procedures["${key}"]`;
    const routine = procedures.get(key);
    if (scope.typeNamed === undefined)
      throw invalid(
        `${place}: procedures of PostgreSQL have no result sets.`,
        'Write a function that returns SETOF a table, or TABLE (…), and list it in `functions`.',
      );
    if (routine === undefined) throw invalid(`${place}: no such procedure is served.`);
    const modes = routine.arguments.map(({ mode }) => (mode === 'out' || mode === 'inout' ? mode : 'in'));
    if (modes.some((mode) => mode !== 'in')) warnings.push(outputsDropped(key));
    return { ...answering(place, routine, entry, { ...scope, typeNamed: scope.typeNamed }), modes };
  });
  return {
    routines: all.map(({ routine }) => routine),
    modes: new Map(all.map(({ routine, modes }) => [routineId(routine), modes])),
    sets: new Map(all.flatMap(({ routine, sets }) => (sets === undefined ? [] : [[routineId(routine), sets]]))),
  };
}

type TypedScope = Scope & { readonly typeNamed: NonNullable<ModelDialect['typeNamed']> };

/**
 * The procedure as a function that returns SETOF a table, TABLE (…), or JSON: the list of several
 * result sets.
 */
function answering(
  place: string,
  routine: Routine,
  { returns }: GivenProcedure,
  scope: TypedScope,
): { readonly routine: Routine; readonly sets?: readonly DescribedSet[] } {
  const inputs = routine.arguments.flatMap((each): readonly RoutineArgument[] =>
    each.mode === 'out' ? [] : [{ ...each, mode: 'in' }],
  );
  const rows = { ...routine, arguments: inputs, returnsSet: true, volatility: 'volatile' } as const;
  if (isList(returns)) {
    const sets = returns.map((each, at) => setOf(`${place}: returns[${String(at)}]`, each, scope));
    return { routine: { ...rows, returnsSet: false, returns: scope.typeNamed('json') ?? null }, sets };
  }
  const set = setOf(`${place}: returns`, returns, scope);
  if ('columns' in set) {
    const columns = set.columns.map((each): RoutineArgument => ({ ...each, mode: 'table', hasDefault: false }));
    return { routine: { ...rows, arguments: [...inputs, ...columns] } };
  }
  const { schema, name } = set.table.facts;
  const type = { schema, name, array: false, kind: 'composite', modifier: null, formatted: set.table.key } as const;
  return { routine: { ...rows, returns: type } };
}

const isList = (returns: GivenProcedure['returns']): returns is readonly GivenSet[] => Array.isArray(returns);

function setOf(place: string, given: GivenSet, scope: TypedScope): DescribedSet {
  if (typeof given === 'string') {
    const table = scope.tables.find(({ key }) => key === given);
    if (table === undefined) throw invalid(`${place}: no table or view ${given} is served.`);
    return { table };
  }
  if (Object.keys(given).length === 0) throw invalid(`${place}: there are no columns.`);
  const columns = Object.entries(given).map(([name, type]) => {
    const found = columnTypeOf(scope.catalog, type) ?? scope.typeNamed(type);
    if (found === undefined)
      throw invalid(
        `${place}.${name}: there is no type ${type}.`,
        'Write a type of the database, such as bigint or decimal(12,2), or a column whose type it is: schema.table.column.',
      );
    return { name, type: found };
  });
  return { columns };
}

/** The type of `schema.table.column`: an ENUM or a SET has no other name. */
const columnTypeOf = ({ tables }: Catalog, text: string): TypeRef | undefined =>
  tables
    .flatMap((table) => table.columns.map(({ name, type }) => ({ key: `${typeKey(table)}.${name}`, type })))
    .find(({ key }) => key === text)?.type;

const outputsDropped = (key: string): Warning => ({
  code: 'OPTION_UNUSED',
  message: `The OUT parameters of ${key} are not part of its answer, which is its result set.`,
  hint: 'Select their values in the result set.',
});

const invalid = (message: string, hint?: string): TablewrightError =>
  new TablewrightError(
    'CONFIG_INVALID',
    message,
    hint ?? 'Names are those of the database, case-sensitive: see docs/functions.md, "Result sets of procedures".',
  );
