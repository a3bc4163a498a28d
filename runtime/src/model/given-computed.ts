import type { Catalog, Routine } from '../catalog/catalog.js';
import type { GivenComputed, ModelOptions } from '../descriptor/options.js';
import { isOrderable } from '../schema/orderable.js';
import { outputType } from '../schema/graphql-type.js';
import { TablewrightError } from '../tablewright-error.js';
import type { ComputedDraft, ComputedScope } from './computed.js';
import { described } from './description.js';
import type { NamingRules } from './naming-rules.js';
import { argumentsOf } from './routine-names.js';
import { sortedRoutines } from './routines.js';
import type { ScopedTable } from './scope.js';
import { typeKey, type ModelDialect, type TypeResolver } from './types.js';

/**
 * The computed fields that the configuration makes of stored functions of MariaDB, which take no
 * rows: their first arguments are columns of the table. By the keys of their tables.
 * Source: decision 035
 * @throws TablewrightError CONFIG_INVALID for a function, a table or a column that is not there,
 * and for a column whose values the argument may not be able to hold
 */
export function draftGivenComputed(
  { catalog, tables, exclude }: Omit<ComputedScope, 'composites'>,
  given: ModelOptions['computed'] = {},
  rules: NamingRules,
  resolve: TypeResolver,
  fits: ModelDialect['fitsArgument'],
): ReadonlyMap<string, readonly ComputedDraft[]> {
  const known = new Map(tables.map((table) => [table.key, table]));
  const routines = new Map(
    sortedRoutines(catalog, exclude).flatMap((each) => (each.kind === 'function' ? [[typeKey(each), each]] : [])),
  );
  const drafts = Object.entries(given).map(([key, fields]) => {
    const table = known.get(key);
    if (table === undefined) throw invalid(`computed["${key}"]: no such table or view is served.`);
    const draft = ([name, field]: readonly [string, GivenComputed]): ComputedDraft =>
      draftOf({ place: `computed["${key}"].${name}`, table, name, field, catalog }, routines, rules, resolve, fits);
    return [key, Object.entries(fields).map(draft)] as const;
  });
  return new Map(drafts);
}

interface Place {
  /** In the configuration, for errors. */
  readonly place: string;
  readonly table: ScopedTable;
  readonly name: string;
  readonly field: GivenComputed;
  readonly catalog: Catalog;
}

function draftOf(
  { place, table, name, field, catalog }: Place,
  routines: ReadonlyMap<string, Routine>,
  rules: NamingRules,
  resolve: TypeResolver,
  fits: ModelDialect['fitsArgument'],
): ComputedDraft {
  if (fits === undefined)
    throw invalid(
      `${place}: PostgreSQL needs no such entry.`,
      `Give the function a row as its only or first argument, (row ${table.key}): then it is a field of the table.`,
    );
  const routine = routines.get(field.function);
  if (routine === undefined) throw invalid(`${place}: the database has no function ${field.function}.`);
  const { schema, returns, volatility, comment, arguments: all } = routine;
  if (returns === null) throw invalid(`${place}: ${field.function} returns nothing.`);
  if (volatility === 'volatile')
    throw invalid(
      `${place}: ${field.function} is declared MODIFIES SQL DATA, and reading a field must not write.`,
      'Declare a function that only reads as READS SQL DATA or NO SQL.',
    );
  if (table.facts.columns.some((column) => column.name === name))
    throw invalid(`${place}: ${table.key} has a column of that name.`, 'Choose another name for the field.');
  if (field.columns.length > all.length)
    throw invalid(
      `${place}: ${field.function} has ${String(all.length)} arguments, not ${String(field.columns.length)}.`,
    );
  for (const [at, column] of field.columns.entries()) {
    const found = table.facts.columns.find((each) => each.name === column);
    if (found === undefined) throw invalid(`${place}: ${table.key} has no column ${column}.`);
    const argument = all[at];
    if (argument !== undefined && !fits(found.type, argument.type, catalog, resolve))
      throw invalid(
        `${place}: the column ${column} is ${found.type.formatted}, and the argument ${argument.name} of ${field.function} is ${argument.type.formatted}.`,
        'Declare the argument with the type of the column, or a larger one.',
      );
  }
  const type = resolve(returns);
  const others = argumentsOf({ arguments: all.slice(field.columns.length) }, resolve, rules);
  return {
    // The function may be a field of its own, too.
    id: place,
    databaseName: name,
    suffixes: [],
    descriptor: {
      function: { schema, name: routine.name },
      columns: field.columns,
      type,
      ...(others.length === 0 ? {} : { arguments: others }),
      ...described(comment),
    },
    model: { graphql: outputType(type), orderable: isOrderable(type), arguments: others, comment },
  };
}

const invalid = (message: string, hint?: string): TablewrightError =>
  new TablewrightError(
    'CONFIG_INVALID',
    message,
    hint ?? 'Names are those of the database, case-sensitive: see docs/functions.md, "Computed fields of MariaDB".',
  );
