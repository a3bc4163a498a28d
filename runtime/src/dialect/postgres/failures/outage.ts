import { codes, ServerError } from '../../../errors.js';
import type { Outage } from '../../failure.js';
import { databaseErrorFields, isConnectionFailure } from './fields.js';

const byErrorCode = new Map<string, Outage>([
  ['ECONNREFUSED', 'connection refused'],
  // A Unix socket that is not there.
  ['ENOENT', 'connection refused'],
  ['ENOTFOUND', 'host name not found'],
  ['EAI_AGAIN', 'host name not found'],
  ['ETIMEDOUT', 'no answer in time'],
]);

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
 * PgBouncer has one SQLSTATE, 08P01, for all it refuses: only these texts say that its own server
 * is not there.
 */
const poolerWaits = /login has been failed|cannot connect to server|query_wait_timeout|server conn crashed|shut ?down/i;

/**
 * Why a database cannot be reached or used, where waiting may help; undefined where somebody has to
 * mend something: a password, a name, a role, a certificate, a start-up option.
 */
export function outageOf(error: unknown): Outage | undefined {
  if (error instanceof ServerError) return error.code === codes.unavailable ? outageOf(error.cause) : undefined;
  const fields = databaseErrorFields(error);
  if (fields !== undefined) return ofState(fields.code, error);
  if (isConnectionFailure(error)) return byErrorCode.get(codeOf(error)) ?? 'connection lost';
  const message = error instanceof Error ? error.message : '';
  if (message.includes('timeout')) return 'no answer in time';
  return /^Connection (terminated|ended)/.test(message) ? 'connection lost' : undefined;
}

function ofState(state: string, error: unknown): Outage | undefined {
  if (state !== '08P01') return byState.get(state);
  return error instanceof Error && poolerWaits.test(error.message) ? 'connection lost' : undefined;
}

/** A name with several addresses has an error for each. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}
