import type { RoleFacts } from '../facts.js';
import { afterReview, type Found, type Rule } from '../finding.js';
import { listed, pathOf, quoted } from '../quote.js';
import type { Subject } from '../subject.js';
import { plainRole } from './plain-role.js';

export const roleTooPowerful: Rule = {
  code: 'role-too-powerful',
  severities: ['warning'],
  title: 'Requests run as roles with more privileges than they need',
  why: 'A mistake in a function, or a leaked password, reaches as far as the role: an owner can drop tables and switch policies off, CREATEROLE can make further roles.',
  find: (subject) =>
    subject.servingRoles
      .filter((role) => !role.superuser)
      .flatMap((role) => [...ownership(subject, role), ...attributes(role), ...memberships(role)]),
};

function ownership(subject: Subject, role: RoleFacts): readonly Found[] {
  const owned = subject.served.filter((table) => subject.relationOf(table)?.ownedBy.includes(role.name) === true);
  if (owned.length === 0) return [];
  const tables = listed(owned.map((table) => pathOf(table)));
  return [
    {
      severity: 'warning',
      kind: 'role',
      object: role.name,
      message: `${role.name} has the rights of the owner of ${owned.length === 1 ? '1 served table' : `${owned.length} served tables`}: ${tables}.`,
      remedy: afterReview(
        plainRole(subject),
        'Connect the server as a role of its own, which owns nothing. Choose its name and give it a password (\\password in psql).',
      ),
    },
  ];
}

function attributes(role: RoleFacts): readonly Found[] {
  const each = [
    { has: role.createsRoles, attribute: 'CREATEROLE', what: 'create roles and grant them rights' },
    { has: role.replicates, attribute: 'REPLICATION', what: 'copy the whole database' },
  ];
  return each
    .filter(({ has }) => has)
    .map(({ attribute, what }) => ({
      severity: 'warning',
      kind: 'role',
      object: role.name,
      message: `${role.name} has ${attribute}: it may ${what}.`,
      remedy: afterReview(
        [`alter role ${quoted(role.name)} no${attribute.toLowerCase()};`],
        'Another program may connect as this role and need this privilege.',
      ),
    }));
}

function memberships(role: RoleFacts): readonly Found[] {
  return role.powerfulGroups.map((group) => ({
    severity: 'warning',
    kind: 'role',
    object: role.name,
    message: `${role.name} is a member of ${group}, whose rights go beyond any table's.`,
    remedy: afterReview(
      [`revoke ${quoted(group)} from ${quoted(role.name)};`],
      'Where it is a member by way of another role, revoke it there.',
    ),
  }));
}
