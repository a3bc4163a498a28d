import type { Catalog, Table } from '../../../catalog/catalog.js';
import type { CatalogConnection } from '../../catalog-connection.js';
import { databaseErrorFields } from '../failures/fields.js';
import { isBrokenProgram } from '../failures/numbers.js';
import { quoted } from '../quoted.js';
import type { SchemaNames } from '../../schema-names.js';

/**
 * Marks the views of a catalogue that no statement can read: a table or the account that they run
 * as is gone. information_schema shows such views like others, so each view is opened. No row is
 * read.
 * @throws TablewrightError DATABASE_QUERY if the connection is lost
 */
export async function markBrokenViews(
  catalog: Catalog,
  connection: CatalogConnection,
  databases: SchemaNames,
): Promise<Catalog> {
  const tables: Table[] = [];
  for (const table of catalog.tables)
    tables.push(
      table.kind === 'view' && (await isBroken(table, connection, databases)) ? { ...table, unread: 'broken' } : table,
    );
  return { ...catalog, tables };
}

async function isBroken(
  { schema, name }: Table,
  connection: CatalogConnection,
  databases: SchemaNames,
): Promise<boolean> {
  try {
    await connection.query(`select 1 from ${quoted(databases.of(schema))}.${quoted(name)} limit 0`);
    return false;
  } catch (error) {
    const fields = error instanceof Error ? databaseErrorFields(error.cause) : undefined;
    if (fields === undefined) throw error;
    return isBrokenProgram(fields);
  }
}
