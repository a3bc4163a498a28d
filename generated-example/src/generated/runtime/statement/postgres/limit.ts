import { sql } from 'kysely';
import type { Limit } from '../plan.js';
import type { Fragment } from './sql.js';

/** A number of rows: written where it is always the same, so that the database plans with it; otherwise a parameter. */
export const count64 = (limit: Limit): Fragment => (typeof limit === 'number' ? sql.lit(limit) : sql`${limit}::int8`);
