import type { Catalog } from '../../../catalog/catalog.js';
import type { LiveCatalog } from '../../dialect.js';
import type { Driver } from '../../driver.js';
import { chosenSchemas, readCatalogBy, versionBy, type AskCatalog } from '../catalog/read.js';
import { catalogQueries, schemaValues, selectText } from '../catalog/queries.js';
import { probeText } from './probe.js';
import { checkSight } from './sight.js';

/**
 * The catalogue of MariaDB over the server's own connections. Nobody can announce a change: MariaDB has no NOTIFY. It is noticed by time, and
 * by failing statements.
 */
export const liveCatalog: LiveCatalog = {
  probe: async (driver, asked) => {
    const askCatalog = asking(driver);
    const schemas = await chosenSchemas(askCatalog, asked);
    if (schemas.length === 0) return '';
    const queries = catalogQueries(await versionBy(askCatalog), schemas.length);
    const values = Object.values(queries).flatMap((query) => schemaValues(query, schemas));
    const [row] = await driver.run([{ text: `${settings} ${probeText(queries)}`, values }]);
    return `${schemas.join('\0')}\0${row?.[0] ?? ''}`;
  },
  read: async (driver, asked) => {
    const askCatalog = asking(driver);
    const schemas = await chosenSchemas(askCatalog, asked);
    await checkSight(askCatalog, schemas);
    return JSON.stringify(await readCatalogBy(askCatalog, asked));
  },
  parse: (text) => JSON.parse(text) as Catalog,
};

/** Those that the generator reads the catalogue with: expressions are printed the same. */
const settings = "set statement sql_mode = '', sql_quote_show_create = 1 for";

const asking =
  (driver: Driver): AskCatalog =>
  async (query, values = []) => {
    const names = Object.keys(query.columns);
    const rows = await driver.run([{ text: `${settings} ${selectText(query)}`, values }]);
    return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? null])));
  };
