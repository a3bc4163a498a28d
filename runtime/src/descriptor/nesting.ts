import type { ColumnDescriptor, RelationDescriptor, TableDescriptor } from './descriptor.js';
import { rowKeyOf, uniqueKeys } from './unique-keys.js';

/** The table of this key; undefined: it is not served. */
type FindTable = (field: string) => TableDescriptor | undefined;

/** The changes of related rows that a write of a row may make. */
export interface Nesting {
  readonly other: TableDescriptor;
  readonly many: boolean;
  /** Related rows are inserted. */
  readonly create: boolean;
  /** Rows that are there are made related. */
  readonly connect: boolean;
  readonly update: boolean;
  /**
   * Related rows stay, and are related no longer: the foreign key may be null, or a junction
   * table's row goes.
   */
  readonly disconnect: boolean;
  readonly delete: boolean;
}

/**
 * The writes that a relation and its tables allow; undefined: none. Views are written alone: the
 * table behind a view is what refers to others. Both tables need a key, by which their rows are
 * found again.
 */
export function nestingOf(table: TableDescriptor, relation: RelationDescriptor, find: FindTable): Nesting | undefined {
  const other = find(relation.table);
  const holder = holderOf(table, relation, find);
  if (other === undefined || holder === undefined || ![table, other, holder].every(isNamed)) return undefined;
  if (relation.through !== undefined && !isBareJunction(holder, relation.through)) return undefined;
  const key = holdingColumns(relation);
  // Without columns, as of a relation that a function answers, nothing says which rows are related:
  // every one would be.
  if (key.length === 0 || !key.every((name) => isWritable(holder, name))) return undefined;
  const isThrough = relation.direction === 'through';
  const isMovable = holder.updatable === true && !key.some((name) => columnOf(holder, name)?.insertOnly === true);
  const connect = isThrough ? holder.insertable === true : isMovable;
  const disconnect = isThrough ? holder.deletable === true : connect && nullableKey(holder, key).length > 0;
  const isDeletable = other.deletable === true && (relation.direction === 'reverse' || disconnect);
  return {
    other,
    many: relation.cardinality === 'many',
    create: other.insertable === true && (connect || relation.direction === 'reverse'),
    connect,
    update: other.updatable === true,
    disconnect,
    delete: isDeletable,
  };
}

/** The table whose rows say which rows are related: that of the foreign key, or the junction. */
const holderOf = (
  table: TableDescriptor,
  { direction, table: other, through }: RelationDescriptor,
  find: FindTable,
): TableDescriptor | undefined => (direction === 'forward' ? table : find(through?.table ?? other));

/**
 * The columns of a foreign key that are set to null so that it refers to nothing. A column that
 * another foreign key has too, such as that of a tenant, keeps its value where another one can be
 * null.
 */
export function nullableKey(holder: TableDescriptor, key: readonly string[]): readonly string[] {
  const nullable = key.filter((name) => columnOf(holder, name)?.nullable === true);
  const others = (holder.relations ?? []).filter(
    ({ direction, columns }) => direction === 'forward' && columns.join('\0') !== key.join('\0'),
  );
  const own = nullable.filter((name) => !others.some(({ columns }) => columns.includes(name)));
  return own.length > 0 ? own : nullable;
}

/** The columns of the unique keys of a table: those by which a client names a row. */
export const namingColumns = (table: TableDescriptor): readonly ColumnDescriptor[] => {
  const keys = [rowKeyOf(table) ?? [], ...uniqueKeys(table).map(({ columns }) => columns)].flat();
  return table.columns.filter(({ name }) => keys.includes(name));
};

/** Whether rows of a table may be named inside rows of others. */
export const isNamed = (table: TableDescriptor): boolean =>
  table.kind === 'table' && rowKeyOf(table) !== undefined && (table.relations ?? []).length > 0;

/**
 * Whether a junction table only joins. Rows of other junction tables have values of their own: they
 * are written as rows of that table.
 */
export const isBareJunction = (
  { columns }: TableDescriptor,
  { columns: near, references: far }: NonNullable<RelationDescriptor['through']>,
): boolean => columns.every(({ name }) => near.includes(name) || far.includes(name));

/** The columns that say which rows are related, of the table that has them. */
function holdingColumns({ direction, columns, references, through }: RelationDescriptor): readonly string[] {
  if (through !== undefined) return [...through.columns, ...through.references];
  return direction === 'forward' ? columns : references;
}

const columnOf = ({ columns }: TableDescriptor, name: string): ColumnDescriptor | undefined =>
  columns.find((column) => column.name === name);

function isWritable(table: TableDescriptor, name: string): boolean {
  const column = columnOf(table, name);
  return column !== undefined && column.readOnly !== true;
}
