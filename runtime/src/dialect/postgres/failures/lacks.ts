import { databaseErrorFields } from './fields.js';

/** A feature, a function, a syntax, or the right to use a function of the system. */
const states: ReadonlySet<string> = new Set(['0A000', '42883', '42601', '42501']);

/**
 * Whether an error of a statement that asks nothing but the system means that the engine lacks
 * something, so that asking again does not help. Must not be asked of statements of requests.
 */
export const lacks = (error: unknown): boolean => states.has(databaseErrorFields(error)?.code ?? '');
