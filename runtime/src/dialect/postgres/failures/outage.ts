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
