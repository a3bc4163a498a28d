import { inTransaction, type Rule } from '../finding.js';
import { quoted } from '../quote.js';

export const roleNotUsable: Rule = {
  code: 'role-not-usable',
  severities: ['error'],
  title: 'Roles in the settings that the server cannot switch to',
  why: 'The server switches each request to a role that the settings name. It refuses to start when the role is not there or was not granted to the role it connects as.',
  find: ({ facts, serving }) => {
    const [connecting] = facts.roles;
    return facts.roles
      .filter((role) => serving.switched.includes(role.name) && !(role.exists && role.reachable))
      .map((role) => {
        const grant = `grant ${quoted(role.name)} to ${quoted(connecting?.name ?? '')};`;
        return {
          severity: 'error',
          kind: 'role',
          object: role.name,
          message: role.exists
            ? `The role ${connecting?.name ?? ''} may not switch to ${role.name}.`
            : `There is no role ${role.name}, which the settings name.`,
          remedy: inTransaction(role.exists ? [grant] : [`create role ${quoted(role.name)} nologin;`, grant]),
        };
      });
  },
};
