import type { TableDescriptor } from '../descriptor/descriptor.js';
import type { Registry } from '../descriptor/registry.js';
import { runStatement } from '../execute/run-statement.js';
import { Refusal } from '../drift/refusal.js';
import { toServerError } from '../response/server-error.js';
import type { ApiContext } from './api.js';
import { createPrepare } from './prepare.js';
import { restForm } from '../plan/intent-form.js';

/** Largest number of changed tables that are read as a trial. */
const MAX_READ = 20;

/**
 * Reads one row of some tables without an identity, to prove that the new API matches the database.
 * A missing privilege or a view that fails has other causes and is ignored.
 * @param changed the tables that differ; if there are none, the first table of the API is read
 * @throws Refusal when the database has changed once more
 */
export async function tryRead(
  context: ApiContext,
  registry: Registry,
  changed: readonly TableDescriptor[],
): Promise<void> {
  const tables = changed.flatMap(({ field }) => registry.table.get(field) ?? []);
  const read = tables.length > 0 ? tables.slice(0, MAX_READ) : registry.tables.slice(0, 1);
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
        form: restForm,
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
