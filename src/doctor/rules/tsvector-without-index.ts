import { createIndex } from '../create-index.js';
import type { Rule } from '../finding.js';
import { pathOf, quoted } from '../quote.js';
import { unindexedColumns } from './unindexed-columns.js';

const methods = new Set(['gin', 'gist', 'rum']);

export const tsvectorWithoutIndex: Rule = {
  code: 'tsvector-without-index',
  severities: ['warning'],
  title: 'Full-text columns without an index',
  why: 'A full-text search without a GIN index reads every row of the table.',
  find: ({ catalog }) =>
    unindexedColumns(catalog, methods, (type) => type.schema === 'pg_catalog' && type.name === 'tsvector').map(
      ({ table, column: { name } }) => ({
        severity: 'warning',
        kind: 'column',
        object: pathOf(table, name),
        message: `${pathOf(table, name)} is a tsvector without a GIN index.`,
        remedy: createIndex(table, `using gin (${quoted(name)})`),
      }),
    ),
};
