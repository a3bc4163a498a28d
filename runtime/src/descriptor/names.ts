import type { FunctionDescriptor, TableDescriptor } from './descriptor.js';

/** The operations of a table's root fields. */
export const operations = [
  'list',
  'byPk',
  'connection',
  'aggregate',
  'changes',
  'create',
  'createMany',
  'update',
  'delete',
] as const;

export type Operation = (typeof operations)[number];

/**
 * The names of a table's root fields, whether it has them or not. The generator names them and the
 * server finds them by this.
 * Source: decision 001.
 */
export const rootFields = ({
  field,
  type,
}: Pick<TableDescriptor, 'field' | 'type'>): Readonly<Record<Operation, string>> => ({
  list: field,
  byPk: `${field}ByPk`,
  connection: `${field}Connection`,
  aggregate: aggregateField(field),
  changes: `${field}Changes`,
  create: `create${type}`,
  createMany: `createMany${type}`,
  update: `update${type}`,
  delete: `delete${type}`,
});

/** The field with the aggregates of a list: of a table's root field, or of a relation. */
export const aggregateField = (list: string): string => `${list}Aggregate`;

/**
 * Whether a function's field is a list of rows that can be filtered and sorted, with a field of
 * aggregates beside it.
 */
export const answersList = ({ operation, table, returnsSet }: FunctionDescriptor): boolean =>
  operation === 'query' && table !== undefined && returnsSet === true;

/** The root fields of a function. */
export const functionFields = (called: FunctionDescriptor): readonly string[] =>
  answersList(called) ? [called.field, aggregateField(called.field)] : [called.field];
