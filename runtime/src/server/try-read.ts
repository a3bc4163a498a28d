import type { TableDescriptor } from '../descriptor/descriptor.js';
import type { Registry } from '../descriptor/registry.js';
import { runStatement } from '../execute/run-statement.js';
import { Refusal } from '../drift/refusal.js';
import { toServerError } from '../response/server-error.js';
import type { ApiContext } from './api.js';
import { createPrepare } from './prepare.js';

/** As many of the changed tables are read. */
const MOST_READ = 20;

/**
 * Reads a row of tables, without an identity: the API to serve has to match the database. A missing
 * privilege, or a view fails, has nothing to do with the change.
 * @param changed the tables that are not as they were; without any, the first table of all is read
 * @throws Refusal when the database has changed once more
 */
export async function tryRead(
  context: ApiContext,
  registry: Registry,
  changed: readonly TableDescriptor[],
): Promise<void> {
  const tables = changed.flatMap(({ field }) => registry.table.get(field) ?? []);
  const read = tables.length > 0 ? tables.slice(0, MOST_READ) : registry.tables.slice(0, 1);
  const { settings, dialect, driver } = context;
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
