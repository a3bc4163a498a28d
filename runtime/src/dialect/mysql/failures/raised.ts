import { sql } from 'kysely';
import type { Fragment } from '../sql.js';

/**
 * An expression that fails when it is evaluated, with an error that has this name. MariaDB has no
 * SIGNAL in an expression.
 */
export const raised = (name: string): Fragment =>
  sql`(select j.${sql.id(name)} from json_table('{}', '$' columns (${sql.id(name)} int path '$.k' error on empty)) as j)`;

/** ER_JSON_TABLE_ERROR_ON_FIELD of MariaDB, and ER_MISSING_JSON_TABLE_VALUE of MySQL. */
const numbers = new Set([4176, 3665]);

export const isRaised = (name: string, number: number, message: string): boolean =>
  numbers.has(number) && message.includes(`'${name}'`);
