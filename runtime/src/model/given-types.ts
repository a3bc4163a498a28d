import type { Catalog, Column, Table, TypeRef } from '../catalog/catalog.js';
import type { GivenType, ModelOptions } from '../descriptor/options.js';
import { TablewrightError } from '../tablewright-error.js';
import { Patterns } from './patterns.js';
import { typeKey, type ModelDialect } from './types.js';
import type { Links } from './views.js';

/** An entry for columns: `shop.products.active`, or with `*`. */
interface ColumnEntry {
  readonly source: string;
  readonly patterns: Patterns;
  readonly as: GivenType;
  /** It names one column, and decides before those that name several. */
  readonly isNamed: boolean;
}

/**
 * The catalogue with the types that the configuration gives, so that everything after it knows
 * nothing of them. Columns of a key keep their types: different values would be equal.
 * @returns and the patterns, which know whether they have matched
 * @throws TablewrightError CONFIG_INVALID for a type that the database has itself, and for a column
 * that cannot have its type
 */
export function withGivenTypes(
  catalog: Catalog,
  links: ReadonlyMap<string, Links>,
  types: ModelOptions['types'],
  { given }: ModelDialect,
): { readonly catalog: Catalog; readonly patterns: readonly Patterns[] } {
  if (types === undefined) return { catalog, patterns: [] };
  if (given === undefined)
    throw invalid('types: PostgreSQL has the types boolean and json itself.', 'Change the type of the column.');
  const isOfType = (source: string): boolean => given.named.includes(source);
  const entries = Object.entries(types)
    .filter(([source]) => !isOfType(source))
    .map(([source, as]): ColumnEntry => {
      return { source, as, patterns: new Patterns([source]), isNamed: !source.includes('*') };
    })
    .sort((a, b) => Number(b.isNamed) - Number(a.isNamed));
  const byType = (type: TypeRef): TypeRef => {
    const as = isOfType(type.formatted) ? types[type.formatted] : undefined;
    return as === undefined || as === 'database' ? type : (given.typeAs(type, as, false) ?? type);
  };
  const typeOf = (table: Table, { name, type }: Column): TypeRef => {
    // Each of them has to know that it has matched.
    const [entry] = entries.filter(({ patterns }) => patterns.matches(table.schema, table.name, name));
    const isKey = links.get(typeKey(table))?.rowKey?.includes(name) === true;
    if (entry?.as === 'database' || (isKey && entry?.isNamed !== true)) return type;
    if (entry === undefined) return byType(type);
    const found = given.typeAs(type, entry.as, entry.isNamed);
    if (entry.isNamed && (found === undefined || isKey)) throw unfit(entry, type, isKey);
    return found ?? byType(type);
  };
  return {
    catalog: {
      ...catalog,
      tables: catalog.tables.map((table) => ({
        ...table,
        columns: table.columns.map((column) => ({ ...column, type: typeOf(table, column) })),
      })),
      routines: catalog.routines.map((routine) => ({
        ...routine,
        arguments: routine.arguments.map((each) => ({ ...each, type: byType(each.type) })),
        returns: routine.returns === null ? null : byType(routine.returns),
      })),
    },
    patterns: entries.map(({ patterns }) => patterns),
  };
}

const unfit = ({ source, as }: ColumnEntry, type: TypeRef, isKey: boolean): TablewrightError =>
  isKey
    ? invalid(
        `types: ${source} identifies rows, and rows with different values would be the same as ${as}.`,
        'Remove the entry: a column of a key has the type of the database.',
      )
    : invalid(
        `types: ${source} is ${type.formatted}, and can’t be ${as}.`,
        'A whole number or bit(1) can be boolean, and a text can be json.',
      );

const invalid = (message: string, hint: string): TablewrightError =>
  new TablewrightError('CONFIG_INVALID', message, hint);
