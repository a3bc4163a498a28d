import type { LiveCatalog } from '../../dialect.js';
import type { Driver } from '../../driver.js';
import { sameNames, type SchemaNames } from '../../schema-names.js';
import type { BoundStatement } from '../../../plan/statement.js';
import { catalogQuery } from '../catalog/query.js';
import { catalogSettings } from '../catalog/read.js';
import { inNamesOfApi } from '../catalog/in-names-of-api.js';
import { parseRawCatalog } from '../catalog/view-sources.js';
import { serverVersion } from '../catalog/version.js';
import { writeArrayLiteral } from '../parameters/array-literal.js';
import { identitiesQuery } from './identities.js';
import { listen } from './listen.js';
import { probeQuery } from './probe.js';

/** The catalogue of PostgreSQL over the server's own connections, in the names of the API. */
export const liveCatalogOf = (names: SchemaNames): LiveCatalog => ({
  probe: async (driver) => textOf(await driver.run([{ text: probeQuery, values: [] }])),
  read: async (driver, schemas) => {
    const version = serverVersion(Number(textOf(await driver.run([numberQuery]))));
    const values = [schemas === undefined ? null : writeArrayLiteral(schemas.map(names.of))];
    const text = textOf(await driver.run([printing, { text: catalogQuery(version), values }]));
    if (names === sameNames || schemas === undefined) return text;
    const rows = await driver.run([{ text: quotedNames, values: [writeArrayLiteral(schemas)] }]);
    return inNamesOfApi(text, names, new Map(rows.map(([name, quoted]) => [name ?? '', quoted ?? ''])));
  },
  identities: async (driver, schemas) => {
    const values = [schemas?.map(names.of), schemas].map((each) =>
      each === undefined ? null : writeArrayLiteral(each),
    );
    return textOf(await driver.run([{ text: identitiesQuery, values }]));
  },
  otherSchemas: async (driver, schemas) =>
    (await driver.run([{ text: otherSchemas, values: [writeArrayLiteral(schemas)] }])).flatMap(([name]) => name ?? []),
  parse: parseRawCatalog,
  listen,
});

const otherSchemas = `
  select n.nspname from pg_namespace n
  where n.nspname <> 'information_schema' and n.nspname !~ '^pg_' and n.nspname <> all ($1::text[])
    and exists (select from pg_class c where c.relnamespace = n.oid and c.relkind in ('r', 'p', 'f', 'v', 'm'))
    and not exists (
      select from pg_depend d
      where d.classid = 'pg_namespace'::regclass and d.objid = n.oid and d.deptype = 'e'
    )
  order by n.nspname`;

const quotedNames = 'select name, quote_ident(name) from unnest($1::text[]) name';

const numberQuery: BoundStatement = { text: "select current_setting('server_version_num')", values: [] };

/** Settings for the transaction of the query only. */
const printing: BoundStatement = {
  text: `select ${Object.keys(catalogSettings)
    .map((_, at) => `set_config($${String(2 * at + 1)}, $${String(2 * at + 2)}, true)`)
    .join(', ')}`,
  values: Object.entries(catalogSettings).flat(),
};

const textOf = (rows: Awaited<ReturnType<Driver['run']>>): string => rows[0]?.[0] ?? '';
