import type { ExplainStatement } from '../../driver.js';
import type { BoundStatement, PlanOptions } from '../../../plan/statement.js';

const name = 'tablewright_explained';

/**
 * The generic plan of a statement: the plan for given values would show them. A writing statement
 * is planned and not run.
 * Source: https://www.postgresql.org/docs/current/sql-explain.html,
 * https://www.postgresql.org/docs/current/sql-prepare.html
 */
export const explain: ExplainStatement = (driver, { text, values }, options) =>
  driver.transaction(async (run) => {
    const parameters = values.length === 0 ? '' : `(${values.map(() => 'null').join(', ')})`;
    await run([{ text: `prepare ${name} as ${text}`, values: [] }]);
    await run([{ text: 'set local plan_cache_mode = force_generic_plan', values: [] }]);
    const rows = await run([{ text: `explain execute ${name}${parameters}`, values: [] }]);
    await run([{ text: `deallocate ${name}`, values: [] }]);
    return rows.map(([line]) => line ?? '');
  }, options);

/** Source: https://www.postgresql.org/docs/current/sql-explain.html */
export const planOf = ({ text, values }: BoundStatement, { format, details }: PlanOptions): BoundStatement => ({
  text: `explain (${[`format ${format}`, ...details].join(', ')}) ${text}`,
  values,
});
