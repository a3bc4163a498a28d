import { afterReview, inTransaction, type Rule } from '../finding.js';
import { quoted } from '../quote.js';
import { isMeantProtected } from '../subject.js';
import { plainRole } from './plain-role.js';

export const roleBypassesPolicies: Rule = {
  code: 'role-bypasses-policies',
  severities: ['error', 'warning'],
  title: 'Requests run as roles that no policy applies to',
  why: 'Row level security does nothing for a superuser or a role with BYPASSRLS: every client sees and changes every row.',
  find: (subject) => {
    const { serving, catalog, servingRoles } = subject;
    const protects = serving.verification || catalog.tables.some(isMeantProtected);
    return servingRoles
      .filter((role) => role.bypassesPolicies)
      .map((role) => ({
        severity: protects && !serving.allowSuperuser ? 'error' : 'warning',
        kind: 'role',
        object: role.name,
        message: role.superuser
          ? `Requests run as ${role.name}, which is a superuser.`
          : `Requests run as ${role.name}, which has BYPASSRLS.`,
        remedy: role.superuser
          ? afterReview(
              plainRole(subject),
              'A superuser stays one: connect the server as a role of its own. Choose its name and give it a password (\\password in psql).',
            )
          : inTransaction([`alter role ${quoted(role.name)} nobypassrls;`], 'Needs a superuser.'),
      }));
  },
};
