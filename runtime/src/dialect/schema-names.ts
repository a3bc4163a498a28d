import { misconfigured } from '../errors.js';

/**
 * Code is generated from schemas of one database, and serves those of another one, which may have
 * other names. On MariaDB a schema is a database.
 */
export interface SchemaNames {
  /** The name that a schema of the API has in the database. */
  readonly of: (schema: string) => string;
  /** The schema of the API that has this name in the database. */
  readonly schemaOf: (name: string) => string;
}

const unchanged = (name: string): string => name;

/** The database has the schemas of the API, by their names. */
export const sameNames: SchemaNames = { of: unchanged, schemaOf: unchanged };

/** No identifier and no text of a database has this character, and no statement that is sent. */
const mark = '\0';

/**
 * Names in a text that serves databases of several names: `withNames` replaces them. A statement
 * whose names were not replaced is no SQL, and fails.
 */
export const markedNames: SchemaNames = { of: (schema) => `${mark}${schema}`, schemaOf: unchanged };

/** The text with the names of a database in place of marked ones, which are in quotation marks. */
export function withNames(text: string, { of }: SchemaNames): string {
  let named = '';
  let from = 0;
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, from)) {
    const quote = text.charAt(at - 1);
    const doubled = quote + quote;
    let end = quote === '"' || quote === '`' ? text.indexOf(quote, at) : -1;
    while (end !== -1 && text.startsWith(doubled, end)) end = text.indexOf(quote, end + 2);
    // The user's code sent a text that is not SQL.
    if (end === -1) break;
    const name = text.slice(at + 1, end).replaceAll(doubled, quote);
    named += text.slice(from, at) + of(name).replaceAll(quote, doubled);
    from = end;
  }
  return named + text.slice(from);
}

const namesOfErrors = new WeakMap<Error, SchemaNames>();

/** Remembers which names an error of a database has. */
export function errorHasNames(error: unknown, names: SchemaNames): void {
  if (error instanceof Error) namesOfErrors.set(error, names);
}

/** Undefined: those of the server's own database. */
export const namesIn = (error: unknown): SchemaNames | undefined =>
  error instanceof Error ? namesOfErrors.get(error) : undefined;

/** Whether a name in the database is that of a schema that has another name there. */
export const isReplaced = (name: string, { of, schemaOf }: SchemaNames): boolean => of(schemaOf(name)) !== name;

/**
 * @param named pairs `schema=database`: `app.datasource.databases`
 * @param schemas of the API
 * @param current the database of the address: that of a single schema
 * @throws ServerError `misconfigured`
 */
export function schemaNamesOf(
  named: readonly (readonly [schema: string, name: string])[],
  schemas: readonly string[],
  current: string | undefined,
): SchemaNames {
  const byName = new Map(named);
  const [only, ...more] = schemas;
  const isOne = only !== undefined && more.length === 0;
  if (isOne && current !== undefined && !byName.has(only)) byName.set(only, current);
  const bySchema = new Map([...byName].map(([schema, database]) => [database, schema]));
  if (byName.size < named.length || bySchema.size < byName.size)
    throw misconfigured('A schema or a database is named twice.', form);
  return {
    of: (schema) => byName.get(schema) ?? schema,
    // A schema with the name of a replaced schema belongs to no schema of the API.
    schemaOf: (database) => bySchema.get(database) ?? (byName.has(database) ? `${mark}${database}` : database),
  };
}

/** @throws ServerError `misconfigured` */
export const pairsOf = (named: readonly string[] = []): readonly (readonly [schema: string, name: string])[] =>
  named.map((text) => {
    const at = text.indexOf('=');
    const [schema, database] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
    if (at > 0 && schema !== '' && database !== '') return [schema, database];
    throw misconfigured(`app.datasource.databases has ${JSON.stringify(text)}, which is not a pair of names.`, form);
  });

const form = 'Write schema=database, comma-separated: APP_DATASOURCE_DATABASES=shop=shop_staging,crm=crm_staging.';
