import type { MediaHandler } from '../catalog/catalog.js';
import { onceForEach } from '../once-for-each.js';
import type { RowRules } from './row-rules.js';
import type {
  ColumnDescriptor,
  CompositeDescriptor,
  EnumDescriptor,
  FunctionDescriptor,
  ProcedureDescriptor,
  RelationDescriptor,
  TableDescriptor,
} from './descriptor.js';

/**
 * A table with its look-ups by name. Maps, so that a column named `constructor` is just a column.
 */
export interface Table extends TableDescriptor {
  readonly byName: ReadonlyMap<string, ColumnDescriptor>;
  readonly byField: ReadonlyMap<string, ColumnDescriptor>;
  /** By the name that REST has for it: one of the two above. */
  readonly byRestName: ReadonlyMap<string, ColumnDescriptor>;
  readonly relationsByName: ReadonlyMap<string, RelationDescriptor>;
  /** With the columns that a role may only write. Absent: there are none. */
  readonly written?: Table;
}

export interface Registry {
  /** In the order of generation: by schema, then by name. */
  readonly tables: readonly Table[];
  /** By GraphQL root field, which is the table's key. */
  readonly table: ReadonlyMap<string, Table>;
  /** By GraphQL type name. */
  readonly tableByType: ReadonlyMap<string, Table>;
  /** By schema, then by database name: REST's way. */
  readonly schemas: ReadonlyMap<string, ReadonlyMap<string, Table>>;
  readonly enums: ReadonlyMap<string, EnumDescriptor>;
  readonly composites: ReadonlyMap<string, CompositeDescriptor>;
  /** By mutation field. */
  readonly procedures: ReadonlyMap<string, ProcedureDescriptor>;
  /** By root field. */
  readonly functions: ReadonlyMap<string, FunctionDescriptor>;
  /** See Descriptors. */
  readonly callable?: readonly FunctionDescriptor[] | undefined;
  /** See Descriptors. */
  readonly mediaHandlers?: readonly MediaHandler[] | undefined;
  /** See Descriptors. */
  readonly restNames: RestNames;
  /** See Descriptors. */
  readonly rules?: RowRules | undefined;
}

/**
 * How REST calls columns, attributes and arguments: as the database does, or by their fields, as
 * GraphQL does.
 */
export type RestNames = 'database' | 'field';

export interface Descriptors {
  readonly tables: readonly TableDescriptor[];
  readonly enums?: readonly EnumDescriptor[];
  readonly composites?: readonly CompositeDescriptor[];
  readonly procedures?: readonly ProcedureDescriptor[];
  readonly functions?: readonly FunctionDescriptor[];
  /**
   * Every function that PostgREST's form calls, where the configuration does not name fewer.
   * Absent: `functions`.
   */
  readonly callable?: readonly FunctionDescriptor[];
  /** In PostgREST's form: the aggregates that write any rows in a media type. */
  readonly mediaHandlers?: readonly MediaHandler[];
  /**
   * `field` where `names.columns` is `camel`: both protocols have one name for a column. Default:
   * `database`.
   */
  readonly restNames?: RestNames;
  /** Which rows and columns identities may read and write. Absent: all of them. */
  readonly rules?: RowRules | undefined;
}

/**
 * Indexes the descriptors once, at start: every later look-up costs the same however many tables
 * there are.
 */
export function createRegistry(descriptors: Descriptors): Registry {
  return registryOf(
    descriptors,
    descriptors.tables.map((table) => indexTable(table, descriptors.restNames)),
  );
}

/**
 * The same for a server that answers requests meanwhile. Yields after each table.
 * @param known tables that are indexed already
 */
export function* indexDescriptors(
  descriptors: Descriptors,
  known?: ReadonlyMap<TableDescriptor, Table | undefined>,
): Generator<undefined, Registry> {
  const tables: Table[] = [];
  for (const table of descriptors.tables) {
    tables.push(known?.get(table) ?? indexTable(table, descriptors.restNames));
    yield;
  }
  return registryOf(descriptors, tables);
}

function registryOf(descriptors: Descriptors, tables: readonly Table[]): Registry {
  const schemas = new Map<string, Map<string, Table>>();
  for (const table of tables) {
    const inSchema = schemas.get(table.schema) ?? new Map<string, Table>();
    schemas.set(table.schema, inSchema.set(table.name, table));
  }
  return {
    tables,
    table: keyed(tables, (table) => table.field),
    tableByType: keyed(tables, (table) => table.type),
    schemas,
    enums: keyed(descriptors.enums ?? [], (each) => each.type),
    composites: keyed(descriptors.composites ?? [], (each) => each.type),
    procedures: keyed(descriptors.procedures ?? [], (each) => each.field),
    functions: keyed(descriptors.functions ?? [], (each) => each.field),
    ...(descriptors.callable === undefined ? {} : { callable: descriptors.callable }),
    ...(descriptors.mediaHandlers === undefined ? {} : { mediaHandlers: descriptors.mediaHandlers }),
    restNames: descriptors.restNames ?? 'database',
    ...(descriptors.rules === undefined ? {} : { rules: descriptors.rules }),
  };
}

/** The GraphQL name of a column. */
export const fieldOf = (column: ColumnDescriptor): string => column.field ?? column.name;

/**
 * What REST calls a column, given its name in the database. A column that is not there is called as
 * it was.
 */
export function restNameOf(table: Table, name: string): string {
  const { byName, byField, byRestName } = writtenOf(table);
  const column = byRestName === byField ? byName.get(name) : undefined;
  return column === undefined ? name : fieldOf(column);
}

/** The table with every column that a write may name. */
export const writtenOf = (table: Table): Table => table.written ?? table;

/** A table with its look-ups. */
export function indexTable(table: TableDescriptor, restNames: RestNames = 'database'): Table {
  const { writeOnly, ...rest } = table;
  const { byName, byField } = columnsOf(table.columns);
  return {
    ...table,
    ...(writeOnly && { written: indexTable({ ...rest, columns: [...table.columns, ...writeOnly] }, restNames) }),
    byName,
    byField,
    byRestName: restNames === 'field' ? byField : byName,
    relationsByName: relationsOf(table),
  };
}

/** Roles for which a table differs in its writes only share the look-ups of its columns. */
const columnsOf = onceForEach((columns: TableDescriptor['columns']) => ({
  byName: keyed(columns, (column) => column.name),
  byField: keyed(columns, fieldOf),
}));

const relationsByName = onceForEach((relations: readonly RelationDescriptor[]) => keyed(relations, nameOf));

const relationsOf = ({ embedded = [], relations = [] }: TableDescriptor): Table['relationsByName'] =>
  embedded.length === 0 ? relationsByName(relations) : keyed([...embedded, ...relations], nameOf);

function nameOf({ name }: RelationDescriptor): string {
  return name;
}

function keyed<T>(items: readonly T[], key: (item: T) => string): ReadonlyMap<string, T> {
  return new Map(items.map((item) => [key(item), item]));
}
