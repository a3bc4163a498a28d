import { codes, ServerError } from '../../../errors.js';
import { outageOfConnection } from '../../connection-failure.js';
import type { Outage } from '../../../plan/failure.js';
import { databaseErrorFields, isConnectionFailure } from './fields.js';

const byNumber = new Map<number, Outage>([
  [1040, 'too many connections'],
  [1203, 'too many connections'],
  [1226, 'too many connections'],
  [1053, 'starting up or shutting down'],
  // A node of Galera outside of the primary component. 1180 comes from a commit there.
  [1047, 'starting up or shutting down'],
  [1180, 'starting up or shutting down'],
  [1927, 'connection lost'],
  [1158, 'connection lost'],
  [1159, 'no answer in time'],
]);

/**
 * Why the database cannot be reached or used, if waiting may help; undefined if an operator has to
 * fix something.
 */
export function outageOf(error: unknown): Outage | undefined {
  if (error instanceof ServerError) return error.code === codes.unavailable ? outageOf(error.cause) : undefined;
  const fields = databaseErrorFields(error);
  if (fields !== undefined) return byNumber.get(fields.number);
  if (isConnectionFailure(error)) return outageOfConnection(error);
  return error instanceof Error && error.message.includes('timeout') ? 'no answer in time' : undefined;
}
