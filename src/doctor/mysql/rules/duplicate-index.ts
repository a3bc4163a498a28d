import { equalIndexes, findEqualIndexes } from '../../equal-indexes.js';
import { alone, type Rule } from '../../finding.js';
import { pathOf } from '../../quote.js';
import type { MysqlIndexFacts } from '../facts.js';
import { quoted, quotedPath } from '../quote.js';
import type { MysqlSubject } from '../subject.js';

export const duplicateIndex: Rule<MysqlSubject> = {
  code: 'duplicate-index',
  severities: ['warning'],
  ...equalIndexes,
  find: ({ facts }) =>
    findEqualIndexes(facts.indexes, worth).flatMap(({ kept, others }) =>
      others.map((index) => {
        const table = { schema: index.schema, name: index.table };
        return {
          severity: 'warning',
          kind: 'index',
          object: pathOf(table, index.name),
          message: `The index ${index.name} duplicates ${kept.name}, on ${pathOf(table)}.`,
          remedy: alone([`alter table ${quotedPath(table)} drop index ${quoted(index.name)};`]),
        };
      }),
    ),
};

/** A primary key has the highest rank, then a unique index. */
const worth = (index: MysqlIndexFacts): number => (index.name === 'PRIMARY' ? 2 : 0) + (index.unique ? 1 : 0);
