import type { RelationDescriptor } from './descriptor.js';

type Columns = readonly string[];

/** The row that a foreign key of this table names: `columns` here equal `references` there. */
export const toOne = (
  name: string,
  table: string,
  constraint: string,
  columns: Columns,
  references: Columns,
): RelationDescriptor => ({ name, cardinality: 'one', direction: 'forward', table, constraint, columns, references });

/** The rows of another table whose foreign key names this one. */
export const toMany = (
  name: string,
  table: string,
  constraint: string,
  columns: Columns,
  references: Columns,
): RelationDescriptor => ({ name, cardinality: 'many', direction: 'reverse', table, constraint, columns, references });

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
): RelationDescriptor => ({ name, cardinality: 'one', direction: 'reverse', table, constraint, columns, references });

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
  junction: NonNullable<RelationDescriptor['through']>,
): RelationDescriptor => ({
  name,
  cardinality: 'many',
  direction: 'through',
  table,
  constraint,
  columns,
  references,
  through: junction,
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
