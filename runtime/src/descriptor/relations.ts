import type { KeyEquality, RelationDescriptor } from './descriptor.js';

type Columns = readonly string[];

/** The operators of the key, where `=` would not find them, and whose key it is. */
interface Compared {
  readonly equality?: KeyEquality;
  readonly own?: RelationDescriptor['own'] & object;
  readonly onlyInPostgrest?: true;
}

/** The row that a foreign key of this table names: `columns` here equal `references` there. */
export const toOne = (
  name: string,
  table: string,
  constraint: string,
  columns: Columns,
  references: Columns,
  compared: Compared = {},
): RelationDescriptor => ({
  ...{ name, cardinality: 'one', direction: 'forward', table, constraint, columns, references },
  ...compared,
});

/** The rows of another table whose foreign key names this one. */
export const toMany = (
  name: string,
  table: string,
  constraint: string,
  columns: Columns,
  references: Columns,
  compared: Compared = {},
): RelationDescriptor => ({
  ...{ name, cardinality: 'many', direction: 'reverse', table, constraint, columns, references },
  ...compared,
});

/**
 * The one row of another table whose foreign key names this one: the columns of that key are unique
 * there.
 */
export const toOneReverse = (
  name: string,
  table: string,
  constraint: string,
  columns: Columns,
  references: Columns,
  compared: Compared = {},
): RelationDescriptor => ({
  ...{ name, cardinality: 'one', direction: 'reverse', table, constraint, columns, references },
  ...compared,
});

/** The same, where only a unique index of the other table says that there is one row. */
export const toOneByIndex = (...parts: Parameters<typeof toOneReverse>): RelationDescriptor => ({
  ...toOneReverse(...parts),
  isListInPostgrest: true,
});

/**
 * The rows of another table that a junction table ties to this one; `constraint` is the junction's
 * key to that table.
 */
export const through = (
  name: string,
  table: string,
  constraint: string,
  columns: Columns,
  references: Columns,
  { own, ...junction }: NonNullable<RelationDescriptor['through']> & Pick<Compared, 'own'>,
): RelationDescriptor => ({
  name,
  cardinality: 'many',
  direction: 'through',
  table,
  constraint,
  columns,
  references,
  through: junction,
  ...(own === undefined ? {} : { own }),
});

/** The rows of another table, or the one row, that a function answers for a row of this one. */
export const computedRows = (
  name: string,
  table: string,
  cardinality: RelationDescriptor['cardinality'],
  called: NonNullable<RelationDescriptor['function']>,
): RelationDescriptor => ({
  name,
  cardinality,
  direction: 'reverse',
  table,
  constraint: called.name,
  columns: [],
  references: [],
  function: called,
});
