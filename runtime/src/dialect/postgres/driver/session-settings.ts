import type { Settings } from '../../../settings/settings.js';
import type { Identity, RequestSession, RunOptions } from '../../driver.js';
import type { BoundStatement } from '../../../plan/statement.js';
import { timeoutOf } from '../../time-limit.js';
import { claimValues, claimVariables, setIdentity } from '../identity.js';
import { requestVariableNames } from '../../request-variables.js';

/** A setting of PostgreSQL and its value; null is the value at the start of the session. */
export type Setting = readonly [name: string, value: string | null];

/** The settings that determine how values are written, the same on every database. */
export const written: readonly Setting[] = [
  ['timezone', 'UTC'],
  ['intervalstyle', 'iso_8601'],
  ['datestyle', 'ISO'],
  ['bytea_output', 'hex'],
  ['extra_float_digits', '1'],
  // JIT compilation costs more than it saves for these plans.
  ['jit', 'off'],
];

/**
 * Start-up options of a direct connection, without a round trip. Reads are read only by default; a
 * write begins its own transaction.
 */
export const sessionSettings = (settings: Settings): readonly Setting[] => [
  ...written,
  ['default_transaction_read_only', 'on'],
  ['statement_timeout', String(settings['app.datasource.statement-timeout-ms'])],
];

/**
 * The search path for functions and triggers; empty if none is configured: then the role's own path
 * applies.
 */
export function searchPath(settings: Pick<Settings, 'app.datasource.search-path'>): readonly Setting[] {
  const path = settings['app.datasource.search-path'];
  if (path === undefined) return [];
  return [['search_path', path.map((name) => `"${name.replaceAll('"', '""')}"`).join(',')]];
}

/**
 * A variable that was set once is empty afterwards and not null. The variables are empty from the
 * start, so that policies see no difference (decision 007).
 */
export const emptyClaims = (settings: Settings): readonly Setting[] => [
  ...(settings['app.security.jwt-enabled'] ? claimVariables.map(empty) : []),
  ...emptyVariables(settings),
];

/** The same for the variables of a request in PostgREST's form. */
const emptyVariables = (settings: Pick<Settings, 'app.rest.postgrest'>): readonly Setting[] =>
  settings['app.rest.postgrest'] === undefined ? [] : requestVariableNames.map(empty);

const empty = (name: string): Setting => [name, ''];

/** The statements that precede a run in its transaction. */
export type Preamble = (options: RunOptions, isRead: boolean) => readonly BoundStatement[];

/**
 * The preamble for a session that only this runtime uses and that is reset at the end of each
 * transaction: the identity, and a time limit that differs from the session's. It is never part of
 * the reading statement, which could read rows before the settings apply.
 *
 * Without an identity, the variables have their values of the session's start, which `reset all`
 * restores. The role is set explicitly, because RESET ALL leaves it.
 * Source: https://www.postgresql.org/docs/current/sql-reset.html
 */
export function ownSessionPreamble(settings: Settings): Preamble {
  const nobodys = settings['app.security.jwt-enabled'] ? [resetRole] : [];
  const usual = settings['app.datasource.statement-timeout-ms'];
  return ({ identity = anonymous, timeout, session }, isRead) => {
    const own = timeout ?? timeoutOf(settings, isRead);
    const asker = isSomebody(identity) ? [setIdentity(identity)] : nobodys;
    const timed = own === usual ? asker : [setLocal([['statement_timeout', String(own)]]), ...asker];
    return session === undefined ? timed : [...timed, ...beginningOf(session)];
  };
}

const beginningOf = ({ settings, before }: RequestSession): readonly BoundStatement[] => [
  ...(settings.length === 0 ? [] : [setLocal(settings)]),
  ...(before === undefined ? [] : [before]),
];

/** Sets the role that the session started with. */
export const resetRole: BoundStatement = { text: 'reset role', values: [] };

/**
 * The preamble for a session that is not or cannot be reset: it sets everything each time, whatever
 * functions and triggers have left there.
 */
export function foreignSessionPreamble(settings: Settings): Preamble {
  const isVerified = settings['app.security.jwt-enabled'];
  const [path = ['search_path', null] as const] = searchPath(settings);
  const variables = emptyVariables(settings);
  return ({ identity = anonymous, timeout, session }, isRead) => [
    setLocal([
      ...written,
      path,
      ['row_security', null],
      ['lock_timeout', null],
      ['default_text_search_config', null],
      ...(isRead ? [['transaction_read_only', 'on'] as const] : []),
      ['statement_timeout', String(timeout ?? timeoutOf(settings, isRead))],
      ...(isVerified || isSomebody(identity) ? claimsOf(identity) : []),
      ...variables,
      ['role', identity.role ?? null],
    ]),
    ...(session === undefined ? [] : beginningOf(session)),
  ];
}

/**
 * The settings to repeat after a statement of the user in the transaction: it may have changed the
 * identity, the time limit, and how values are written.
 */
export const againPreamble = (settings: Settings): ((options: RunOptions) => readonly BoundStatement[]) => {
  const isVerified = settings['app.security.jwt-enabled'];
  return ({ identity = anonymous, timeout, session }) => [
    setLocal([
      ...written,
      ['row_security', null],
      ['statement_timeout', String(timeout ?? timeoutOf(settings, false))],
      ...(isVerified || isSomebody(identity) ? claimsOf(identity) : []),
      ...(session?.settings ?? []),
      ['role', identity.role ?? null],
    ]),
  ];
};

const anonymous: Identity = {};

const isSomebody = ({ userId, projectId, claims, role }: Identity): boolean =>
  userId !== undefined || projectId !== undefined || claims !== undefined || role !== undefined;

function claimsOf(identity: Identity): readonly Setting[] {
  const values = claimValues(identity);
  return claimVariables.map((name, at) => [name, values[at] ?? '']);
}

/** One statement that sets all of these for its transaction. */
function setLocal(settings: readonly Setting[]): BoundStatement {
  const calls = settings.map((_, at) => `pg_catalog.set_config($${String(2 * at + 1)}, $${String(2 * at + 2)}, true)`);
  return { text: `select ${calls.join(', ')}`, values: settings.flat() };
}
