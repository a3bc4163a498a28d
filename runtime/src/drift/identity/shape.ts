import type { Catalog, Table } from '../../catalog/catalog.js';

/** A column: its number stays the same when it is renamed, where the database has such numbers. */
export interface ColumnShape {
  readonly name: string;
  readonly type: string;
  /** Everything else that a rename keeps. */
  readonly facts: string;
  readonly number?: number | undefined;
}

/** A table: its id stays the same when it is renamed, where the database has such ids. */
export interface TableShape {
  readonly schema: string;
  readonly name: string;
  readonly isView: boolean;
  readonly id?: string | undefined;
  readonly columns: readonly ColumnShape[];
  /** The numbers of columns that were dropped, in order. */
  readonly dropped: readonly number[];
  /** The names of keys, which PostgreSQL keeps when the table is renamed. */
  readonly keys: readonly string[];
  /** The tables that a view reads, as `schema.name`; undefined: they are not known. */
  readonly sources?: readonly string[] | undefined;
}

/** What tells whether the names of a database mean the same things as before. Plain data. */
export interface Shape {
  readonly dialect: Catalog['dialect'];
  /** The database that the ids are of; undefined: there are no ids. */
  readonly database?: string | undefined;
  readonly tables: readonly TableShape[];
}

/** As `LiveCatalog.identities` writes them, in JSON. They differ between machines. */
export interface Identities {
  readonly database: string;
  readonly tables: readonly (readonly [
    schema: string,
    name: string,
    id: string,
    numbers: Readonly<Record<string, number>>,
    dropped: readonly number[],
  ])[];
}

export const keyOf = ({ schema, name }: { readonly schema: string; readonly name: string }): string =>
  `${schema}.${name}`;

/** @param identities of the same database, at the same time */
export const shapeOf = ({ dialect, tables }: Catalog, identities?: Identities): Shape =>
  withIdentities({ dialect, tables: tables.map(tableShape) }, identities);

/** @param shape without ids, of the same state */
export function withIdentities(shape: Shape, identities: Identities | undefined): Shape {
  if (identities === undefined) return shape;
  const known = new Map(identities.tables.map(([schema, name, ...rest]) => [keyOf({ schema, name }), rest]));
  return {
    ...shape,
    database: identities.database,
    tables: shape.tables.map((table) => {
      const [id, numbers = {}, dropped = []] = known.get(keyOf(table)) ?? [];
      const byName = new Map(Object.entries(numbers));
      return {
        ...table,
        ...{ id, dropped },
        columns: table.columns.map((column) => ({ ...column, number: byName.get(column.name) })),
      };
    }),
  };
}

function tableShape(table: Table): TableShape {
  const { schema, name, kind, columns, primaryKey, uniques, foreignKeys, sources } = table;
  const keys = [...(primaryKey === null ? [] : [primaryKey]), ...uniques, ...foreignKeys];
  return {
    schema,
    name,
    isView: kind === 'view' || kind === 'materializedView',
    columns: columns.map(({ name: column, type, ...rest }) => ({
      name: column,
      type: type.formatted,
      facts: JSON.stringify([type.formatted, rest.nullable, rest.default, rest.identity, rest.generated]),
    })),
    dropped: [],
    keys: keys.map((key) => key.name),
    sources: sources?.map(keyOf),
  };
}
