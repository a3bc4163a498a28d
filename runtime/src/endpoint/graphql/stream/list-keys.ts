import { MAX_SNAPSHOT, tooManyRows, type ListKeys } from '../../../events/snapshot.js';
import type { ChangeSource } from '../../../events/source.js';
import { runStatement } from '../../../execute/run-statement.js';
import { lastKey, type SnapshotInputs } from '../../../plan/snapshot.js';
import type { Statement } from '../../../plan/statement.js';
import { parseCsv } from '../../../request/rest/write/csv.js';

/** The statements of a SnapshotIntent. */
export interface SnapshotStatements {
  readonly first: Statement;
  readonly next: Statement;
}

/**
 * Lists the keys of a subscription's rows. Each page is a statement of its own: what changes
 * between two pages is also an event.
 */
export const listKeys =
  (
    { first, next }: SnapshotStatements,
    { table, inputs, rowFilter }: Pick<ChangeSource, 'table' | 'inputs' | 'rowFilter'>,
  ): ListKeys =>
  async (driver, identity) => {
    const columns = table.primaryKey?.columns ?? [];
    const keys: (readonly string[])[] = [];
    for (;;) {
      const last = keys.at(-1);
      const asked = last === undefined ? inputs : ({ ...inputs, [lastKey]: last } satisfies SnapshotInputs);
      const statement = last === undefined ? first : next;
      const [row] = await runStatement(driver, statement, asked, identity, undefined, rowFilter);
      const rows = Number(row?.[1] ?? 0) === 0 ? [] : parseCsv(row?.[0] ?? '');
      if (rows.length === 0) return keys;
      for (const each of rows) keys.push(columns.map((column) => each[column] ?? ''));
      if (keys.length > MAX_SNAPSHOT) throw tooManyRows();
    }
  };
