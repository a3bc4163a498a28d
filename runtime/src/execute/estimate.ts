import type { Estimate, RawRow, Statement } from '../plan/statement.js';

/**
 * Puts the database's estimate into the third column, if the exact count is missing or exceeds the
 * limit of counting.
 */
export async function estimateTotal(
  rows: readonly RawRow[],
  { statement, above, read }: Estimate,
  run: (statement: Statement) => Promise<readonly RawRow[]>,
): Promise<readonly RawRow[]> {
  const [row] = rows;
  if (row === undefined) return rows;
  const [answer = null, size = null, counted = null] = row;
  if (above !== undefined && Number(counted) <= above) return rows;
  const guess = read((await run(statement))[0] ?? []);
  return [[answer, size, String(Math.max(guess, Number(counted ?? 0)))]];
}
