import { createIndex, isIndexed } from '../create-index.js';
import type { Rule } from '../finding.js';
import { pathOf, quotedList } from '../quote.js';

export const foreignKeyWithoutIndex: Rule = {
  code: 'foreign-key-without-index',
  severities: ['warning'],
  title: 'Foreign keys without an index',
  why: 'Deleting a row, or changing its key, reads the whole table that references it; so does every nested list and embedding along the key.',
  find: ({ catalog }) =>
    catalog.tables.flatMap((table) =>
      table.foreignKeys
        .filter((key) => !isIndexed(table, key.columns))
        .map((key) => ({
          severity: 'warning',
          kind: 'constraint',
          object: pathOf(table, key.name),
          message: `${pathOf(table)} (${key.columns.join(', ')}) references ${pathOf(key.references)}, and no index begins with ${key.columns.length === 1 ? 'it' : 'them'}.`,
          remedy: createIndex(table, `(${quotedList(key.columns)})`),
        })),
    ),
};
