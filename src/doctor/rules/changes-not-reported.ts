import { afterReview, type Rule } from '../finding.js';
import { pathOf } from '../quote.js';

export const changesNotReported: Rule = {
  code: 'changes-not-reported',
  severities: ['warning'],
  title: 'Tables whose changes nobody is told of',
  why: 'app.changes.source is set, so that clients can subscribe to the changes of tables with a primary key. Those of a table that the database does not report are refused.',
  find: ({ served, facts, serving: { changes } }) => {
    if (changes === undefined) return [];
    return served
      .filter(({ kind, primaryKey }) => (kind === 'table' || kind === 'partitionedTable') && primaryKey !== null)
      .filter((table) => {
        const path = pathOf(table);
        const found = facts.changes.find((each) => pathOf(each) === path);
        return changes === 'wal' ? !(found?.published === true && found.logged) : found?.triggered !== true;
      })
      .map((table) => ({
        severity: 'warning',
        kind: 'table',
        object: pathOf(table),
        message:
          changes === 'wal'
            ? `Changes of ${pathOf(table)} are not in the publication that the server reads, or wal_level is not logical.`
            : `${pathOf(table)} has no triggers that notify its changes.`,
        remedy: afterReview([], 'Run the SQL that `npx tablewright changes --sql` prints.'),
      }));
  },
};
