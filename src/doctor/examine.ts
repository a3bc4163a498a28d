import { type CatalogConnection, type Dialect, readCatalog } from '@tablewright/runtime/model';
import type { Examination, Examined, ServedObjects } from './examination.js';
import { mysqlExamination } from './mysql/index.js';
import { postgresExamination } from './postgres.js';
import type { Serving } from './serving.js';

const examinations: Readonly<Record<Dialect, Examination>> = { postgres: postgresExamination, mysql: mysqlExamination };

export interface ExamineOptions extends ServedObjects {
  readonly schemas?: readonly string[] | undefined;
}

/**
 * Reads all facts that the rules need, from a database of any dialect.
 * @throws TablewrightError USAGE when the role that the server connects as is not there;
 * SCHEMA_UNKNOWN, DATABASE_QUERY
 */
export async function examine(
  connection: CatalogConnection,
  serving: Serving,
  { schemas: asked, ...options }: ExamineOptions = {},
): Promise<Examined> {
  const catalog = await readCatalog(connection, { schemas: asked });
  const schemas = catalog.schemas.map(({ name }) => name);
  return examinations[connection.dialect].examine(connection, catalog, schemas, { serving, ...options });
}
