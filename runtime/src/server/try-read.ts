import type { Descriptors } from '../descriptor/registry.js';
import { runStatement } from '../execute/run-statement.js';
import { Refusal } from '../drift/refusal.js';
import { toServerError } from '../response/server-error.js';
import type { ApiSource, Ground } from './api.js';
import { createPrepare } from './prepare.js';

/** As many of the changed tables are read. */
const MOST_READ = 20;

/**
 * Reads a row of the tables that are not as they were, as nobody in particular: what is about to be served has to be what the database has. That
 * nobody may read a table, or that a view fails, has nothing to do with the change.
 * @throws Refusal when the database has changed once more
 */
export async function tryRead(
  ground: Ground,
  source: Pick<ApiSource, 'registry' | 'descriptors'>,
  before: Descriptors,
): Promise<void> {
  const { registry, descriptors: after } = source;
  const known = new Map(before.tables.map((table) => [table.field, JSON.stringify(table)]));
  const changed =
    before.tables.length === 0
      ? []
      : after.tables.flatMap((table) =>
          known.get(table.field) === JSON.stringify(table) ? [] : (registry.table.get(table.field) ?? []),
        );
  const read = changed.length > 0 ? changed.slice(0, MOST_READ) : registry.tables.slice(0, 1);
  const { settings, dialect, driver } = ground;
  const prepare = createPrepare({ registry, settings, dialect });
  for (const table of read) {
    if (table.columns.length === 0) continue;
    const statement = prepare({
      kind: 'rows',
      read: {
        table,
        select: table.columns.map(({ name }) => ({ kind: 'column', as: name, column: name })),
        limit: { read: () => 1, form: 'json', constant: 1, most: 1 },
        dialect: 'rest',
      },
      count: 'none',
      format: 'json',
    });
    try {
      await runStatement(driver, statement, [], {});
    } catch (error) {
      const { kind, message } = toServerError(error, dialect);
      if (kind !== 'outdated') continue;
      throw new Refusal(
        `${table.schema}.${table.name} cannot be read as its catalogue says: ${message}`,
        'The database has probably changed once more; the server looks again by itself.',
      );
    }
  }
}
