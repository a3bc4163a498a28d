import { misconfigured } from '../../errors.js';

/**
 * Code is generated from the databases of one server, and serves those of another one, which may
 * have other names: a schema of the API is a name, and a database has its tables.
 */
export interface Databases {
  /** The database that has the tables of a schema. */
  readonly of: (schema: string) => string;
  /** The schema whose tables a database has. */
  readonly schemaOf: (database: string) => string;
}

const unchanged = (name: string): string => name;

/** Databases have the names of the schemas. */
export const sameNames: Databases = { of: unchanged, schemaOf: unchanged };

/** Whether a database has the name of a schema whose tables another database has. */
export const isReplaced = (database: string, { of, schemaOf }: Databases): boolean =>
  of(schemaOf(database)) !== database;

/**
 * @param named pairs `schema=database`: `app.datasource.databases`
 * @param schemas of the API
 * @param current the database of the address: that of a single schema
 * @throws ServerError `misconfigured`
 */
export function databasesOf(
  named: readonly string[] | undefined,
  schemas: readonly string[],
  current: string | undefined,
): Databases {
  const pairs = (named ?? []).map(pairOf);
  const byName = new Map(pairs);
  const [only, ...more] = schemas;
  const isOne = only !== undefined && more.length === 0;
  if (isOne && current !== undefined && !byName.has(only)) byName.set(only, current);
  const bySchema = new Map([...byName].map(([schema, database]) => [database, schema]));
  if (byName.size < pairs.length || bySchema.size < byName.size)
    throw misconfigured('app.datasource.databases names a schema or a database twice.', form);
  return {
    of: (schema) => byName.get(schema) ?? schema,
    schemaOf: (database) => bySchema.get(database) ?? database,
  };
}

function pairOf(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  const [schema, database] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  if (at > 0 && schema !== '' && database !== '') return [schema, database];
  throw misconfigured(`app.datasource.databases has ${JSON.stringify(text)}, which is not a pair of names.`, form);
}

const form = 'Write schema=database, comma-separated: APP_DATASOURCE_DATABASES=shop=shop_staging,crm=crm_staging.';
