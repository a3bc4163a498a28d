import type { ReturningPlan } from '../../../plan/write/write-plan.js';
import type { RawRow, Statement } from '../../../plan/statement.js';
import type { AloneStatement, Steps } from '../../../plan/write-program.js';

/**
 * A write whose RETURNING answers each row, as `answerOfRow` says: PostgreSQL allows no WITH around
 * a write that runs rules.
 */
export function rowByRow(statement: Statement, returning: ReturningPlan): Steps {
  const answer = together(returning);
  return {
    perform: async (run, inputs) => answer(await run(statement, inputs)),
    alone: (inputs) => ({ statement, inputs, answer }),
  };
}

/** The one row of a write of several rows. */
export const together =
  ({ select, keys = [], as }: ReturningPlan): ((...rows: Parameters<AloneStatement['answer']>) => RawRow) =>
  (rows) => {
    const texts = rows.map(([text]) => text ?? 'null');
    const list = as === 'list' ? `[${texts.join(', ')}]` : (texts[0] ?? null);
    const created = rows.reduce((sum, [, , isNew]) => sum + Number(isNew), 0);
    // Each row has a list of its own key.
    const found = rows.map(([, , , key]) => (key ?? '[]').slice(1, -1));
    return [
      select === undefined ? null : list,
      String(rows.length),
      String(created),
      keys.length === 0 ? null : `[${found.join(', ')}]`,
    ];
  };
