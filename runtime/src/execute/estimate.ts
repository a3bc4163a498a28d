import type { AnswerRow, Estimate, RawRow, Statement } from '../plan/statement.js';

/**
 * Puts the database's estimate into the third column, if the exact count is missing or exceeds the
 * limit of counting; or the number of rows, where an estimate would reveal hidden ones.
 */
export async function estimateTotal<Field extends AnswerRow[number]>(
  rows: readonly (readonly Field[])[],
  { statement, above, instead, read }: Estimate,
  run: (statement: Statement) => Promise<readonly RawRow[]>,
): Promise<readonly (readonly (Field | string | null)[])[]> {
  const [row] = rows;
  if (row === undefined) return rows;
  const [answer = null, size = null, counted = null] = row;
  if (above !== undefined && Number(counted) <= above) return rows;
  const exact = instead === undefined ? undefined : (await run(instead))[0]?.[0];
  if (exact !== undefined && exact !== null) return [[answer, size, Number(exact) < 0 ? null : exact]];
  const guess = read((await run(statement))[0] ?? []);
  return [[answer, size, String(Math.max(guess, Number(counted ?? 0)))]];
}
