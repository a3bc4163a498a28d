import { afterReview, type Rule } from '../../finding.js';
import { pathOf } from '../../quote.js';
import { quotedPath } from '../quote.js';
import type { MysqlSubject } from '../subject.js';

export const tableWithoutTransactions: Rule<MysqlSubject> = {
  code: 'table-without-transactions',
  severities: ['warning'],
  title: 'Tables of an engine without transactions',
  why: 'MyISAM, Aria, MEMORY and the like keep writes that are rolled back: a request that fails halfway leaves its first rows, and two requests are not separated from each other. Requests that promise to undo their writes are refused on such tables.',
  find: ({ served }) =>
    served
      .filter(({ kind, transactional }) => kind === 'table' && transactional === false)
      .map((table) => ({
        severity: 'warning',
        kind: 'table',
        object: pathOf(table),
        message: `The engine of ${pathOf(table)} has no transactions: MariaDB keeps writes that are rolled back.`,
        remedy: afterReview(
          [`alter table ${quotedPath(table)} engine = InnoDB;`],
          'It rewrites the table, and needs other indexes for full-text and spatial searches. No foreign key, partition or merged table may forbid it.',
        ),
      })),
};
