import { afterReview, type Rule } from '../finding.js';
import { pathOf, quotedPath } from '../quote.js';

/**
 * Two weeks hold what happens once a week; a job that runs once a month may still need the index.
 */
export const enoughDays = 14;

/** A table that is hardly read says nothing about its indexes. */
const enoughScans = 100;

export const unusedIndex: Rule = {
  code: 'unused-index',
  severities: ['info'],
  title: 'Indexes that no query has used',
  why: 'Every write maintains the index, and it takes memory and disk. If nothing needs it, writes are faster without it.',
  find: ({ facts }) => {
    const days = facts.statisticsDays;
    if (days === null || days < enoughDays) return [];
    return facts.indexes
      .filter((index) => index.scans === 0 && index.tableScans >= enoughScans)
      .filter((index) => !index.unique && index.constraint === null && !index.chosen && !index.partitioned)
      .map((index) => ({
        severity: 'info',
        kind: 'index',
        object: pathOf(index),
        message: `${pathOf(index)} was not used in ${days} days, while ${index.schema}.${index.table} was read ${index.tableScans.toLocaleString('en')} times.`,
        remedy: afterReview(
          [`drop index concurrently ${quotedPath(index)};`],
          'Each standby has statistics of its own: check them, too. The index may be newer than the statistics, or serve a rare job or a foreign key.',
        ),
      }));
  },
};
