import { inTransaction, type Rule } from '../finding.js';
import { pathOf, quotedPath } from '../quote.js';

export const policiesNotEnabled: Rule = {
  code: 'policies-not-enabled',
  severities: ['error'],
  title: 'Tables with policies, but without row level security',
  why: 'The table has policies, but row level security is not enabled on it: the policies do nothing, and everyone sees every row.',
  find: ({ catalog }) =>
    catalog.tables
      .filter(({ rowSecurity }) => !rowSecurity.enabled && rowSecurity.policies.length > 0)
      .map((table) => ({
        severity: 'error',
        kind: 'table',
        object: pathOf(table),
        message: `${pathOf(table)} has ${table.rowSecurity.policies.length === 1 ? 'a policy' : `${table.rowSecurity.policies.length} policies`}, but row level security is off.`,
        remedy: inTransaction([
          `alter table ${quotedPath(table)} enable row level security, force row level security;`,
        ]),
      })),
};
