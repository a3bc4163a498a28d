import pg from 'pg';
import type { Observation } from '../../../observe/observation.js';
import type { Registry } from '../../../descriptor/registry.js';
import type { Driver } from '../../driver.js';
import type { SchemaNames } from '../../schema-names.js';
import type { Settings } from '../../../settings/settings.js';
import { misconfigured } from '../../../errors.js';
import { lacking } from '../../lacking.js';
import { lacks } from '../failures/lacks.js';
import { readRelations, readRoles, type RelationFacts, type RoleFacts } from './facts.js';

/** The largest number of relations that a finding names. */
const MAX_NAMED = 5;

/**
 * Checks whether policies can protect the served tables, once at start, if verification is on.
 * Returns warnings, one for each kind of finding, with the SQL that fixes it. Throws ServerError
 * `misconfigured` if the role bypasses row level security and requests do not switch to another
 * role, or if a role cannot be switched to.
 * Source: decision 007.
 */
export async function checkAtStart(
  driver: Driver,
  registry: Registry,
  settings: Settings,
  names: SchemaNames,
): Promise<readonly Observation[]> {
  if (!settings['app.security.jwt-enabled']) return [];
  const roles = await readRoles(driver, switchedRoles(settings));
  const switched = roles.filter((role) => switchedRoles(settings).includes(role.name));
  for (const role of switched) checkSwitch(role);
  const serving = alwaysSwitches(settings) ? switched : roles;
  const bypassing = serving.filter((role) => role.bypasses).map((role) => role.name);
  if (bypassing.length > 0 && !settings['app.security.allow-superuser']) throw refuseBypass(bypassing);
  const subject = serving.filter((role) => !role.bypasses).map((role) => role.name);
  return [
    ...bypassing.map(bypassWarning),
    ...roleSettingFindings(settings),
    ...(await relationFindings(driver, registry, subject, names)),
  ];
}

/** Every role that requests may switch to. */
function switchedRoles(settings: Settings): readonly string[] {
  const roles = [
    settings['app.security.anonymous-role'],
    settings['app.security.default-role'],
    ...settings['app.security.allowed-roles'],
  ];
  return [...new Set(roles.filter((role) => role !== undefined))];
}

/** Whether no request, with or without a token, runs as the connecting role itself. */
function alwaysSwitches(settings: Settings): boolean {
  return settings['app.security.anonymous-role'] !== undefined && settings['app.security.default-role'] !== undefined;
}

function checkSwitch(role: RoleFacts): void {
  if (role.reachable) return;
  throw role.exists
    ? misconfigured(
        `The server's database role may not switch to the role ${role.name}.`,
        `Run: grant ${pg.escapeIdentifier(role.name)} to the role that the server connects as.`,
      )
    : misconfigured(
        `The database has no role ${role.name}, which the settings name.`,
        `Run: create role ${pg.escapeIdentifier(role.name)} nologin; or change app.security.anonymous-role, default-role or allowed-roles.`,
      );
}

function refuseBypass(names: readonly string[]): Error {
  return misconfigured(
    `Token verification is on, but no row level security policy applies to the role ${names.join(', ')}: superuser or BYPASSRLS.`,
    [
      'Connect as a plain role, e.g.: create role app login nosuperuser nobypassrls; then grant it the necessary privileges.',
      'Or set app.security.anonymous-role and app.security.default-role to plain roles, so that every request is switched.',
      'Or accept that policies do nothing: app.security.allow-superuser=true.',
    ].join('\n'),
  );
}

const bypassWarning = (name: string): Observation =>
  warning(
    `No row level security policy applies to the role ${name}: it is a superuser or has BYPASSRLS.`,
    'Connect as a plain role, and leave app.security.allow-superuser off.',
  );

function roleSettingFindings(settings: Settings): readonly Observation[] {
  const unused =
    settings['app.security.role-claim'] !== undefined && settings['app.security.allowed-roles'].length === 0;
  if (!unused) return [];
  return [
    warning(
      'app.security.role-claim is set, but app.security.allowed-roles is empty: a token that names a role is answered 403.',
      'List the roles that tokens may switch to in app.security.allowed-roles.',
    ),
  ];
}

/**
 * One kind of hole in row level security: the affected relations, the message, and the SQL that
 * fixes it.
 */
interface Hole {
  readonly has: (relation: RelationFacts) => boolean;
  /** The message, by the number and the names of the relations. */
  readonly message: string;
  readonly sql: (name: string, relation: RelationFacts) => string;
}

const holes: readonly Hole[] = [
  {
    has: (it) => it.kind === 'table' && it.enabled && !it.forced && it.owned,
    message: 'Policies do not apply to requests, because they run as the role that owns the table',
    sql: (name) => `alter table ${name} force row level security;`,
  },
  {
    has: (it) => it.kind === 'table' && !it.enabled && it.policies,
    message: 'Row level security is not enabled, so that the policies do nothing',
    sql: (name) => `alter table ${name} enable row level security; alter table ${name} force row level security;`,
  },
  {
    has: (it) => it.kind === 'table' && !it.enabled && !it.policies,
    message: 'No row level security, while other served tables have it: everyone sees every row',
    sql: (name) =>
      `alter table ${name} enable row level security; alter table ${name} force row level security; ` +
      `create policy readable on ${name} for select using (true); -- or the right condition`,
  },
  {
    has: (it) => it.kind === 'view' && it.ownerViews.length > 0,
    message: 'A view reads protected tables with the rights of an owner, not with those of the request',
    sql: (_name, { ownerViews }) =>
      ownerViews.map((view) => `alter view ${view} set (security_invoker = true);`).join(' ') +
      ' -- PostgreSQL 15 and later; before, do not serve the view',
  },
  {
    has: (it) => it.kind === 'materializedView' && it.readsProtected && it.readers.length > 0,
    message: 'A materialised view holds rows of protected tables, and everyone sees all of them',
    sql: (name, { readers }) =>
      `revoke select on ${name} from ${readers.join(', ')}; -- then nobody reads it through the server`,
  },
];

/** The findings are advice: without them the server serves, and the policies protect as before. */
async function relationFindings(
  driver: Driver,
  registry: Registry,
  roles: readonly string[],
  names: SchemaNames,
): Promise<readonly Observation[]> {
  try {
    return holesIn(await readRelations(driver, registry, roles, names));
  } catch (error) {
    if (!lacks(error)) throw error;
    return [lacking('what reads policies and rights', 'tables without row level security are not reported.', error)];
  }
}

/** If no relation is protected, policies are not in use, and there is nothing to report. */
function holesIn(relations: readonly RelationFacts[]): readonly Observation[] {
  if (!relations.some((relation) => relation.enabled || relation.policies || relation.readsProtected)) return [];
  return holes.flatMap((hole) => {
    const found = relations.filter((it) => it.accessible && hole.has(it));
    if (found.length === 0) return [];
    const message = `${hole.message}: ${listed(found.map(({ name }) => name))}.`;
    return [{ ...warning(message, whereTheSqlIs), sql: found.map((it) => hole.sql(it.name, it)) }];
  });
}

const whereTheSqlIs =
  'Run `npx tablewright doctor`: it explains each finding and has the SQL that fixes it. The log has that SQL, too, with app.log.level=debug (APP_LOG_LEVEL=debug).';

/** `a, b, c, d, e and 7 more (12)` */
function listed(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  const shown = names.slice(0, MAX_NAMED).join(', ');
  return more > 0 ? `${shown} and ${String(more)} more (${String(names.length)} in all)` : shown;
}

const warning = (message: string, hint: string): Observation => ({ kind: 'warning', message, hint });
