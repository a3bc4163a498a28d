import { equalIndexes, findEqualIndexes } from '../equal-indexes.js';
import type { IndexFacts } from '../facts.js';
import { afterReview, alone, inTransaction, type Remedy, type Rule } from '../finding.js';
import { pathOf, quoted, quotedPath } from '../quote.js';

export const duplicateIndex: Rule = {
  code: 'duplicate-index',
  severities: ['warning'],
  ...equalIndexes,
  find: ({ facts }) =>
    findEqualIndexes(facts.indexes, worth).flatMap(({ kept, others }) =>
      others
        .filter((index) => !index.chosen)
        .map((index) => ({
          severity: 'warning',
          kind: 'index',
          object: pathOf(index),
          message: `${pathOf(index)} duplicates ${kept.name}, on ${index.schema}.${index.table}.`,
          remedy: remedy(index),
        })),
    ),
};

/** A primary key does most, then a constraint, then uniqueness. */
const worth = (index: IndexFacts): number =>
  (index.primary ? 8 : 0) + (index.constraint === null ? 0 : 4) + (index.chosen ? 2 : 0) + (index.unique ? 1 : 0);

function remedy(index: IndexFacts): Remedy {
  if (index.constraint !== null) {
    return afterReview(
      [`alter table ${quoted(index.schema)}.${quoted(index.table)} drop constraint ${quoted(index.constraint)};`],
      'A foreign key may name this constraint: PostgreSQL then refuses, and says which.',
    );
  }
  const drop = `${quotedPath(index)};`;
  return index.partitioned ? inTransaction([`drop index ${drop}`]) : alone([`drop index concurrently ${drop}`]);
}
