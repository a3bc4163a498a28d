import type { ExplainStatement } from '../../driver.js';
import type { BoundStatement, PlanOptions } from '../../../plan/statement.js';

/**
 * The plan of a statement, a line for each table: select type, table, access, possible keys, key,
 * its length, the compared value, rows. The tabular form shows no values. A statement that
 * writes is planned, and not run.
 * Source: https://mariadb.com/kb/en/explain/
 */
export const explain: ExplainStatement = (driver, { text, values }, options) =>
  driver.transaction(async (run) => {
    const rows = await run([{ text: `explain ${text}`, values }]);
    return rows.map((row) => row.map((column) => column ?? '-').join(' | '));
  }, options);

/** Undefined for `analyze` and the like: MariaDB and MySQL have other statements for it. */
export const planOf = (
  { text, values }: BoundStatement,
  { format, details }: PlanOptions,
): BoundStatement | undefined =>
  details.length > 0 ? undefined : { text: `explain ${format === 'json' ? 'format=json ' : ''}${text}`, values };
