import type { Estimate, RawRow, Statement } from './statement.js';

/** Puts the planner's guess into the third column, where the exact count is not there or is beyond what is counted. */
export async function estimateTotal(
  rows: readonly RawRow[],
  { statement, above }: Estimate,
  run: (statement: Statement) => Promise<readonly RawRow[]>,
): Promise<readonly RawRow[]> {
  const [row] = rows;
  if (row === undefined) return rows;
  const [answer = null, size = null, counted = null] = row;
  if (above !== undefined && Number(counted) <= above) return rows;
  const guess = plannedRows((await run(statement))[0]?.[0] ?? '');
  return [[answer, size, String(Math.max(guess, Number(counted ?? 0)))]];
}

/** Source: https://www.postgresql.org/docs/current/using-explain.html; `[{"Plan": {"Plan Rows": 42, …}}]`. */
function plannedRows(explained: string): number {
  const [plan] = JSON.parse(explained) as readonly { readonly Plan: { readonly 'Plan Rows': number } }[];
  return plan?.Plan['Plan Rows'] ?? 0;
}
