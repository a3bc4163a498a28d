import { withAnswer } from '../../plan/intent.js';
import { refusedRow } from '../../plan/refuse.js';
import type { CheckPlan } from '../../plan/write/write-plan.js';
import type { RawRow, Statement } from '../../plan/statement.js';
import { runWrite, type Steps } from '../../plan/write-program.js';

/**
 * Runs a write, then reads the written rows in the same transaction: defaults and triggers have set
 * their values by then. If a row may not be written, the error rolls back the write.
 * @param found reads those of the written rows that may be written, by their keys
 */
export const checkedWrite = (write: Statement | Steps, check: CheckPlan, found: Statement): Steps => ({
  perform: async (run, inputs) => {
    const [text = null, affected = '0', created = '0', texts = null] = (await runWrite(write, inputs, run)) ?? [];
    const keys = texts === null ? [] : (JSON.parse(texts) as readonly RawRow[]);
    if (keys.length !== Number(affected)) throw new TypeError('a checked write did not answer the keys of its rows');
    if (keys.length < (check.wanted?.(inputs) ?? 0)) throw refusedRow(check.rows.table.name);
    if (keys.length > 0) {
      const own = JSON.stringify(keys.map((key) => check.at.map((at) => key[at] ?? null)));
      const [[list = null] = []] = await run(found, withAnswer({}, own));
      const allowed = list === null ? [] : (JSON.parse(list) as readonly unknown[]);
      if (allowed.length !== keys.length) throw refusedRow(check.rows.table.name);
    }
    const asked = check.asked === 0 ? null : JSON.stringify(keys.map((key) => key.slice(0, check.asked)));
    return [text, affected, created, asked];
  },
});
