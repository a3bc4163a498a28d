import { TablewrightError } from '../../../tablewright-error.js';
import { likePattern } from '../catalog/grants.js';
import { granteesBy, type AskCatalog } from '../catalog/read.js';
import type { CatalogQuery } from '../catalog/queries.js';
import { nullableText, textOf, type Row } from '../catalog/row.js';

/** Privileges of a user on all schemas, and on schemas by LIKE pattern. */
const privilegesQuery: CatalogQuery = {
  columns: { schema: 'g.s', privilege: 'g.p' },
  from: `(
    select null as s, privilege_type as p from information_schema.user_privileges where grantee = ?
    union all
    select table_schema, privilege_type from information_schema.schema_privileges where grantee = ?) as g`,
};

/**
 * MariaDB shows a user only the part of the catalogue on which the user has privileges. A server
 * whose user sees less than the generator's user would treat hidden tables as dropped.
 * @throws TablewrightError CATALOG_HIDDEN
 */
export async function checkSight(askCatalog: AskCatalog, schemas: readonly string[]): Promise<void> {
  const grants: Row[] = [];
  for (const each of await granteesBy(askCatalog)) grants.push(...(await askCatalog(privilegesQuery, [each, each])));
  for (const name of schemas) {
    const own = grants.filter((grant) => {
      const schema = nullableText(grant, 'schema');
      return schema === null || likePattern(schema).test(name);
    });
    if (!showsTables(new Set(own.map((grant) => textOf(grant, 'privilege'))))) throw hidden(name);
  }
  const [view] = await askCatalog(hiddenViews(schemas), schemas);
  if (view !== undefined) throw hidden(textOf(view, 'schema'));
}

/**
 * The database shows columns to a user with a privilege to use them, and the actions of foreign
 * keys to a user with any privilege but SELECT.
 */
const showsTables = (privileges: ReadonlySet<string>): boolean =>
  ['REFERENCES', 'INSERT', 'UPDATE'].some((each) => privileges.has(each));

/** Views whose definitions are hidden: it is unknown whether they accept rows. */
const hiddenViews = (schemas: readonly string[]): CatalogQuery => ({
  columns: { schema: 'table_schema' },
  from: `information_schema.views
    where table_schema in (${schemas.map(() => '?').join(', ')}) and view_definition = ''`,
});

const hidden = (schema: string): TablewrightError =>
  new TablewrightError(
    'CATALOG_HIDDEN',
    `The database does not show the server's user the whole catalogue of ${schema}.`,
    `Run "grant references, show view on \`${schema}\`.*" for the user, which lets it read no row; or set app.cache.schema-ttl-minutes to 0.`,
  );
