import { afterReview, alone, type Rule } from '../../finding.js';
import { pathOf } from '../../quote.js';
import { uniqueKey } from '../../rules/table-without-key.js';
import { quotedList, quotedPath } from '../quote.js';
import type { MysqlSubject } from '../subject.js';

export const tableWithoutKey: Rule<MysqlSubject> = {
  code: 'table-without-key',
  severities: ['warning', 'info'],
  title: 'Tables without a primary key',
  why: 'Without a primary key, clients cannot address one row: there is no request for one row, no stable paging, and MariaDB cannot answer rows that were updated. Replication by row reads the whole table for each change.',
  find: ({ catalog }) =>
    catalog.tables
      .filter(({ kind, primaryKey }) => kind === 'table' && primaryKey === null)
      .map((table) => {
        const key = uniqueKey(table);
        const alter = `alter table ${quotedPath(table)} add`;
        const object = pathOf(table);
        return key === undefined
          ? {
              severity: 'warning',
              kind: 'table',
              object,
              message: `${object} has no primary key, and no unique columns that could be one.`,
              remedy: afterReview(
                [`${alter} column \`id\` bigint unsigned not null auto_increment primary key;`],
                'It rewrites the table. If existing columns are the key, name them instead.',
              ),
            }
          : {
              severity: 'info',
              kind: 'table',
              object,
              message: `${object} has no primary key, though (${key.columns.join(', ')}) is unique and never null.`,
              remedy: alone([`${alter} primary key (${quotedList(key.columns)});`], 'It rewrites the table.'),
            };
      }),
};
