import { inTransaction, type Rule } from '../finding.js';
import { listed, pathOf, quotedPath } from '../quote.js';

export const rowSecurityNotForced: Rule = {
  code: 'row-security-not-forced',
  severities: ['error'],
  title: 'Policies that do not apply, because requests run as the owner of the table',
  why: 'PostgreSQL exempts the owner of a table from its policies unless row level security is forced: every client sees every row.',
  find: ({ served, relationOf }) =>
    served.flatMap((table) => {
      const { enabled, forced } = table.rowSecurity;
      const owners = relationOf(table)?.ownedBy ?? [];
      if (!enabled || forced || owners.length === 0) return [];
      return [
        {
          severity: 'error',
          kind: 'table',
          object: pathOf(table),
          message: `The policies of ${pathOf(table)} do not apply to ${listed(owners)}, which has the rights of its owner.`,
          remedy: inTransaction([`alter table ${quotedPath(table)} force row level security;`]),
        },
      ];
    }),
};
