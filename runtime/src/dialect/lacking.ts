import type { Observation } from '../observe/observation.js';

/**
 * A database engine that lacks a capability: the server goes on without it. Reported once.
 * @param lost the sentence that names the lost function
 */
export const lacking = (capability: string, lost: string, error: unknown): Observation => ({
  kind: 'warning',
  message: `The database lacks ${capability}: ${lost} It says: ${error instanceof Error ? error.message : String(error)}`,
  hint: 'docs/scaling.md lists what the server asks of a database engine, and what is lost without it.',
});
