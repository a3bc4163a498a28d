import { setTimeout as delay } from 'node:timers/promises';
import { TablewrightError } from '../../../tablewright-error.js';

/** Half a second in total: a migration drops objects one after the other. */
const maxAttempts = 8;
const pauseMilliseconds = 20;

/**
 * Runs `read` again if another session dropped an object during the read: the functions that print
 * definitions use the current catalogue, and not the snapshot of the transaction. Waits a little
 * longer each time; after eight attempts, throws the error.
 */
export async function retryMomentary<T>(read: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read();
    } catch (error) {
      if (attempt === maxAttempts || !isMomentary(error)) throw error;
      await delay(attempt * pauseMilliseconds);
    }
  }
}

/**
 * undefined_table, undefined_column, undefined_function, undefined_object, serialization_failure,
 * deadlock_detected.
 * Source: PostgreSQL manual, appendix A.
 */
const momentaryCodes: ReadonlySet<string> = new Set(['42P01', '42703', '42883', '42704', '40001', '40P01']);

/** `cache lookup failed for relation 1234`, `could not open relation with OID 1234`. */
const vanished = /cache lookup failed|could not (open|find)|does not exist/;

function isMomentary(error: unknown): boolean {
  if (!(error instanceof TablewrightError) || error.code !== 'DATABASE_QUERY') return false;
  const { cause } = error;
  if (typeof cause !== 'object' || cause === null || !('code' in cause) || typeof cause.code !== 'string') return false;
  if (cause.code === 'XX000') return 'message' in cause && vanished.test(String(cause.message));
  return momentaryCodes.has(cause.code);
}
