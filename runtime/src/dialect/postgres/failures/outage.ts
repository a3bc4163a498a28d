import { codes, ServerError } from '../../../errors.js';
import { isLostConnection, outageOfConnection } from '../../connection-failure.js';
import type { Outage } from '../../../plan/failure.js';
import { databaseErrorFields, isForeignOutage } from './fields.js';

/** Source: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const byState = new Map<string, Outage>([
  ['57P01', 'starting up or shutting down'],
  ['57P02', 'starting up or shutting down'],
  ['57P03', 'starting up or shutting down'],
  ['53300', 'too many connections'],
  ['08000', 'connection lost'],
  ['08001', 'connection lost'],
  ['08003', 'connection lost'],
  ['08004', 'connection lost'],
  ['08006', 'connection lost'],
]);

/**
 * PgBouncer reports every refusal with the SQLSTATE 08P01. Only these texts mean that its server is
 * not available.
 */
const poolerWaits = /login has been failed|cannot connect to server|query_wait_timeout|server conn crashed|shut ?down/i;

/**
 * Why a database cannot be reached or used, if waiting may help; undefined if an operator has to
 * correct something: a password, a name, a role, a certificate, a start-up option.
 */
export function outageOf(error: unknown): Outage | undefined {
  if (error instanceof ServerError) return error.code === codes.unavailable ? outageOf(error.cause) : undefined;
  const fields = databaseErrorFields(error);
  if (fields !== undefined) return isForeignOutage(fields) ? undefined : ofState(fields.code, error);
  if (isLostConnection(error)) return outageOfConnection(error);
  const message = error instanceof Error ? error.message : '';
  if (message.includes('timeout')) return 'no answer in time';
  return /^Connection (terminated|ended)/.test(message) ? 'connection lost' : undefined;
}

function ofState(state: string, error: unknown): Outage | undefined {
  if (state !== '08P01') return byState.get(state);
  return error instanceof Error && poolerWaits.test(error.message) ? 'connection lost' : undefined;
}

/** What to do where a pooler does not pass the settings of a session on. */
export const poolerHint = [
  'Set app.datasource.pooler=transaction (APP_DATASOURCE_POOLER), and the server sets them in every transaction.',
  'Or connect to the database directly.',
].join('\n');

/** How PgBouncer names a parameter that it does not know; Neon and others are PgBouncer. */
export const unknownParameter = /unsupported startup parameter/i;

/** The refusals of an operator's mistakes that have a setting. */
const refusals: readonly (readonly [text: RegExp, hint: string])[] = [
  [unknownParameter, `A pooler in between does not know the startup parameters.\n${poolerHint}`],
  // The words of Neon, and those of PostgreSQL where pg_hba.conf has the host with encryption only.
  [
    /sslmode=require|, no encryption$/,
    'The database demands encryption: add ?sslmode=verify-full to the address, and &sslrootcert=FILE for a CA of your own.',
  ],
];

/**
 * The mistake of the configuration for which a connection is refused, with the setting that mends
 * it; other errors as they are. Waiting does not help, so the server does not start.
 */
export function refusedConnection(error: unknown): unknown {
  const text = databaseErrorFields(error)?.message;
  const hint = refusals.find(([pattern]) => text !== undefined && pattern.test(text))?.[1];
  if (text === undefined || hint === undefined) return error;
  const options = { hint, cause: error, hasNotBegun: true };
  return new ServerError(500, codes.misconfigured, 'The database refused the connection.', options);
}
