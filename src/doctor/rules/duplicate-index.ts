import type { IndexFacts } from '../facts.js';
import { afterReview, alone, inTransaction, type Remedy, type Rule } from '../finding.js';
import { pathOf, quoted, quotedPath } from '../quote.js';

export const duplicateIndex: Rule = {
  code: 'duplicate-index',
  severities: ['warning'],
  title: 'Indexes that hold the same as another one',
  why: 'Every write maintains both, and both take memory and disk. One of them serves every query.',
  find: ({ facts }) => {
    const groups = new Map<string, IndexFacts[]>();
    for (const index of facts.indexes) {
      const key = JSON.stringify([index.schema, index.table, index.layout]);
      groups.set(key, [...(groups.get(key) ?? []), index]);
    }
    return [...groups.values()].flatMap((group) => {
      const [kept, ...others] = [...group].sort(byWorth);
      if (kept === undefined) return [];
      return others
        .filter((index) => !index.chosen)
        .map((index) => ({
          severity: 'warning',
          kind: 'index',
          object: pathOf(index),
          message: `${pathOf(index)} holds the same as ${kept.name}, on ${index.schema}.${index.table}.`,
          remedy: remedy(index),
        }));
    });
  },
};

/** The one that does most comes first: a primary key, a constraint, uniqueness. Of equals, the first by name. */
function byWorth(a: IndexFacts, b: IndexFacts): number {
  const worth = (index: IndexFacts): number =>
    (index.primary ? 8 : 0) + (index.constraint === null ? 0 : 4) + (index.chosen ? 2 : 0) + (index.unique ? 1 : 0);
  return worth(b) - worth(a) || (a.name < b.name ? -1 : 1);
}

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
