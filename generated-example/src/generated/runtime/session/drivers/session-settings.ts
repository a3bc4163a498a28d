import type { BoundStatement } from '../statement.js';

/**
 * What every session of ours has, so that values are written the same wherever the database is and whoever set it up.
 */
export const sessionSettings: readonly (readonly [name: string, value: string])[] = [
  ['timezone', 'UTC'],
  ['intervalstyle', 'iso_8601'],
  ['datestyle', 'ISO'],
  ['bytea_output', 'hex'],
  ['extra_float_digits', '1'],
  // Compiling a plan costs more than these plans ever win back.
  ['jit', 'off'],
];

/** The variables of contract 2.6 and decisions 7. */
export const claimVariables = ['request.user_id', 'request.project_id', 'request.jwt.claims'] as const;

/** One statement that sets all of these for the transaction it is in. */
export function setLocal(settings: readonly (readonly [name: string, value: string])[]): BoundStatement {
  const calls = settings.map((_, at) => `set_config($${2 * at + 1}, $${2 * at + 2}, true)`);
  return { text: `select ${calls.join(', ')}`, values: settings.flat() };
}
