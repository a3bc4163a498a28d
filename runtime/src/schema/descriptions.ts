import type { TableDescriptor } from '../descriptor/descriptor.js';

/**
 * Descriptions of fields and arguments for GraphQL clients. They are the same for every table, so
 * generated code does not repeat them: the generator writes them into schema.graphql, and the
 * server adds them to its schema.
 */
export const argumentTexts = {
  where: 'Which rows: conditions that all have to hold.',
  or: 'Alternatives: at least one of them has to hold, besides `where`.',
  orderBy: 'How to sort the rows.',
  limit: 'Largest number of rows to return. The server has a ceiling of its own.',
  offset: 'Number of rows to skip.',
  distinctOn: 'Return only the first row for each combination of these columns.',
  vector: 'Sort by similarity, instead of `orderBy`.',
  first: 'Number of rows to return, from the beginning.',
  after: 'Return the rows after this cursor.',
  last: 'Number of rows to return, from the end.',
  before: 'Return the rows before this cursor.',
  groupBy: 'Columns to group the rows by, for `groups`.',
  having: 'Which groups to return: conditions on their values.',
  written: 'Which rows to write. Without `where` and `id` nothing is written; `{}` means all rows.',
  id: 'The primary key of the row to write.',
  newRow: 'The new row.',
  newRows: 'The new rows.',
  newValues: 'The new values.',
  inc: 'Numbers to add to columns.',
  onConflict: 'The treatment of a new row whose key exists already.',
  atMost: 'Write nothing, and fail, when there are more rows than this.',
} as const;

/** Root fields, by operation. */
export type RootField = 'list' | 'byPk' | 'connection' | 'aggregate' | 'create' | 'createMany' | 'update' | 'delete';

/** @param comment the comment of the table */
export function rootText(field: RootField, { schema, name }: TableDescriptor, comment: string): string {
  const table = `${schema}.${name}`;
  switch (field) {
    case 'list':
      return comment === '' ? `Rows of ${table}.` : comment;
    case 'byPk':
      return `The row of ${table} with this primary key.`;
    case 'connection':
      return `Rows of ${table}, page by page.`;
    case 'aggregate':
      return `Aggregates over rows of ${table}.`;
    case 'create':
      return `Inserts a row into ${table}.`;
    case 'createMany':
      return `Inserts rows into ${table}.`;
    case 'update':
      return `Updates rows of ${table}.`;
    case 'delete':
      return `Deletes rows of ${table}.`;
  }
}
