import { type CatalogConnection, readCatalog } from '@tablewright/runtime/model';
import type { Examined } from './diagnose.js';
import { readMysqlFacts } from './mysql/read.js';
import { createMysqlSubject } from './mysql/subject.js';
import { readFacts } from './read.js';
import type { Serving } from './serving.js';
import { createSubject } from './subject.js';

export interface ExamineOptions {
  readonly schemas?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
}

/**
 * Reads all facts that the rules need, from a database of any dialect.
 * @throws TablewrightError USAGE when the role that the server connects as is not there;
 * SCHEMA_UNKNOWN, DATABASE_QUERY
 */
export async function examine(
  connection: CatalogConnection,
  serving: Serving,
  { schemas: asked, exclude }: ExamineOptions = {},
): Promise<Examined> {
  const catalog = await readCatalog(connection, { schemas: asked });
  const schemas = catalog.schemas.map(({ name }) => name);
  if (connection.dialect === 'mysql') {
    return createMysqlSubject(catalog, await readMysqlFacts(connection, schemas, serving), serving, exclude);
  }
  return createSubject(catalog, await readFacts(connection, schemas, serving), serving, exclude);
}
