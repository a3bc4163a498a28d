import { logicalLog, notifyStatements, walStatements, type Table } from '@tablewright/runtime/model';
import type { ChangeFacts } from '../facts.js';
import { afterReview, type Remedy, type Rule } from '../finding.js';
import { pathOf } from '../quote.js';

export const changesNotReported: Rule = {
  code: 'changes-not-reported',
  severities: ['warning'],
  title: 'Tables whose changes are not reported',
  why: 'app.changes.source is set, so that clients can subscribe to the changes of tables with a primary key. Those of a table that the database does not report are refused.',
  find: ({ served, facts, serving: { changes } }) => {
    if (changes === undefined) return [];
    return served
      .filter(({ kind, primaryKey }) => (kind === 'table' || kind === 'partitionedTable') && primaryKey !== null)
      .map((table) => ({ table, found: facts.changes.find((each) => pathOf(each) === pathOf(table)) }))
      .filter(({ found }) =>
        changes === 'wal' ? !(found?.published === true && found.logged) : found?.triggered !== true,
      )
      .map(({ table, found }) => ({
        severity: 'warning',
        kind: 'table',
        object: pathOf(table),
        message:
          changes === 'wal'
            ? `Changes of ${pathOf(table)} are not in the publication that the server reads, or wal_level is not logical.`
            : `${pathOf(table)} has no triggers that notify its changes.`,
        remedy: changes === 'wal' ? published(table, found) : triggered(table),
      }));
  },
};

const watched = ({ schema, name, primaryKey }: Table) => ({ schema, name, key: primaryKey?.columns ?? [] });

const triggered = (table: Table): Remedy =>
  afterReview(
    notifyStatements(watched(table)),
    'Run it as the owner of the tables: the triggers make each write slower. `npx tablewright changes --sql` prints it for all tables.',
  );

function published(table: Table, found: ChangeFacts | undefined): Remedy {
  const sql = [
    ...(found?.logged === true ? [] : [logicalLog]),
    ...(found?.published === true ? [] : walStatements(watched(table))),
  ];
  const restart = found?.logged === true ? '' : ' Restart the database server after the change of wal_level.';
  return afterReview(
    sql,
    `Run it as a superuser, and give the role of app.changes.url a password.${restart} \`npx tablewright changes --sql\` prints it for all tables.`,
  );
}
