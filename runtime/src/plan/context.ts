import type { WriteEvent } from '../catalog/catalog.js';
import type { ColumnType, SqlType } from '../descriptor/descriptor.js';
import type { Registry, Table } from '../descriptor/registry.js';
import type { Settings } from '../settings/settings.js';
import type { RowConditions } from './intent.js';
import type { IntentForm } from './intent-form.js';
import type { Condition, Style, TableName, WrittenTable } from './read/plan.js';

/** What planning needs to know besides the intent. */
export interface PlanContext {
  readonly registry: Registry;
  readonly settings: Pick<
    Settings,
    'app.max-rows' | 'app.types.bigint' | 'app.types.numeric' | 'app.rest.aggregates-enabled'
  >;
  readonly dialect: PlanDialect;
  /** Absent: all rows may be read and written. */
  readonly rowFilter?: RowFilter | undefined;
  /** The user's code has changed the values: it may write columns that are hidden from clients. */
  readonly isCustom?: true;
}

/**
 * Which rows of tables the identity of one request may read and write, as the rules of the
 * configuration and the user's hooks say: conditions beside those of the request, wherever a table
 * is read or written. A hook is asked once, when its table is read. Statements are kept by the
 * operators and columns of conditions; the values are parameters.
 */
export interface RowFilter {
  /** Rows that may be read. Undefined: all rows. */
  readonly condition: (table: Table) => Condition | undefined;
  /**
   * Rows that may be written, before and after the write, besides what `condition` says of those
   * before. Undefined: all rows.
   */
  readonly written: (table: Table) => Condition | undefined;
  /** Columns that are not there for the identity. Undefined: none. */
  readonly hidden: (table: Table) => ReadonlySet<string> | undefined;
  /**
   * Columns that the database does not let the identity read, of a table of which it reads others.
   * A client that names one is refused by the database; the server names none itself.
   */
  readonly unread?: (table: Table) => ReadonlySet<string> | undefined;
  /** Equal for conditions that differ in their values only; undefined for all rows. */
  readonly shape: (table: Table) => string | undefined;
  /** The values of the conditions that were asked for. */
  readonly conditions: RowConditions;
  /**
   * What is kept under the shape of a request and of the conditions of the tables it reads. If
   * nothing is, `make` makes it.
   */
  readonly kept: <T extends object>(cache: ShapeCache<T>, shape: string, make: () => T) => T;
}

/** A cache by the shapes of requests. */
export interface ShapeCache<T extends object> {
  readonly get: (shape: string) => T | undefined;
  readonly set: (shape: string, value: T) => unknown;
}

/** What planning needs to know of the database. */
export interface PlanDialect {
  readonly types: DerivedTypes;
  /** The operators of the table (operators.ts) that it has, by their ids. */
  readonly operators: ReadonlySet<string>;
  readonly capabilities: Capabilities;
  /**
   * The SQL of the index without which a text is not searched, and which fixes the configuration of
   * the search. Absent: no index is needed, and a search may name a configuration.
   */
  readonly searchIndex?: (table: TableName, column: string) => string;
}

/** What not every database can do, apart from operators. */
export interface Capabilities {
  /** Whether values of a type are geometries, which GeoJSON has. */
  readonly isGeometry: (type: SqlType) => boolean;
  /** The first row of each combination of columns. */
  readonly distinctOn: boolean;
  /** Orders rows by how near a vector is. */
  readonly vector: boolean;
  /**
   * A procedure is part of the transaction it is called in: it neither commits it nor begins
   * another.
   */
  readonly callsInTransaction: boolean;
  /** PostgREST's form calls procedures. PostgREST itself calls functions of PostgreSQL alone. */
  readonly callsByRpc: boolean;
  /** Answers written rows in an order of the request, and without members that are null. */
  readonly ordersWritten: boolean;
}

/**
 * The types of values outside of columns: of the results of functions, and the types that a client
 * may cast to.
 */
export interface DerivedTypes {
  /** Of what `->>` finds in JSON. */
  readonly text: ColumnType;
  /** Of a number of rows. */
  readonly count: ColumnType;
  /** Of the length of an array. */
  readonly length: ColumnType;
  /** Of sums and averages that keep every digit. */
  readonly numeric: ColumnType;
  readonly float: ColumnType;
  /**
   * `col::type`: types whose names a client may write. Everything else could name a type of any
   * schema.
   */
  readonly casts: ReadonlyMap<string, ColumnType>;
}

export function styleOf({ protocol, values }: IntentForm, { settings, registry }: PlanContext): Style {
  if (values === 'native')
    return {
      bigint: 'number',
      numeric: 'number',
      enums: 'label',
      attributes: registry.restNames === 'field' ? 'field' : 'name',
      isNative: true,
    };
  const bigint = settings['app.types.bigint'];
  const auto = protocol === 'graphql' ? 'string' : 'number';
  return {
    bigint: bigint === 'auto' ? auto : bigint,
    numeric: settings['app.types.numeric'],
    enums: protocol === 'graphql' ? 'name' : 'label',
    attributes: protocol === 'graphql' || registry.restNames === 'field' ? 'field' : 'name',
  };
}

export const tableName = (table: Table): TableName => ({ schema: table.schema, name: table.name });

export const writtenTable = (table: Table, event: WriteEvent): WrittenTable => ({
  ...tableName(table),
  ...(table.rules?.includes(event) === true && { runsRules: true }),
  ...(table.inherited === true && { inherited: true }),
});

/** The rows that the keys of a table are about: none of tables that inherit from it. */
export const ownRows = (table: Table): Pick<WrittenTable, 'isOnly'> =>
  table.inherited === true ? { isOnly: true } : {};
