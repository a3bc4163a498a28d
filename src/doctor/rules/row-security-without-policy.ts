import { afterReview, type Rule } from '../finding.js';
import { pathOf, quotedPath } from '../quote.js';

export const rowSecurityWithoutPolicy: Rule = {
  code: 'row-security-without-policy',
  severities: ['info'],
  title: 'Tables with row level security and no policy',
  why: 'Row level security without a policy hides every row: the table is always empty for clients, and every insert is refused.',
  find: ({ served }) =>
    served
      .filter(({ rowSecurity }) => rowSecurity.enabled && rowSecurity.policies.length === 0)
      .map((table) => ({
        severity: 'info',
        kind: 'table',
        object: pathOf(table),
        message: `${pathOf(table)} has row level security, but no policy lets anybody see a row.`,
        remedy: afterReview(
          [`create policy "readable" on ${quotedPath(table)} for select using (true);`],
          'Write the right condition, or leave the table out with exclude.',
        ),
      })),
};
