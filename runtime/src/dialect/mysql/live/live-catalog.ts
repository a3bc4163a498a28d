import type { Catalog } from '../../../catalog/catalog.js';
import type { LiveCatalog } from '../../dialect.js';
import type { Driver } from '../../driver.js';
import type { ServerVersion } from '../catalog/version.js';
import { featuresOf } from '../start-up/features.js';
import type { SchemaNames } from '../../schema-names.js';
import { chosenDatabases, readCatalogBy, versionBy, type AskCatalog } from '../catalog/read.js';
import { catalogQueries, schemaValues, selectText } from '../catalog/queries.js';
import { probeText } from './probe.js';
import { checkSight } from './sight.js';

/**
 * The catalogue of MariaDB over the server's own connections. MariaDB has no NOTIFY, so changes are
 * noticed by a timer and by failing statements.
 */
export const liveCatalogOf = (databases: SchemaNames): LiveCatalog => ({
  probe: async (driver, asked) => {
    const { version, settings, askCatalog } = await asking(driver);
    const schemas = await chosenDatabases(askCatalog, asked, databases);
    if (schemas.length === 0) return '';
    const queries = catalogQueries(version, schemas.length);
    const values = Object.values(queries).flatMap((query) => schemaValues(query, schemas));
    const [row] = await driver.run([{ text: `${settings}${probeText(queries)}`, values }]);
    return `${schemas.join('\0')}\0${row?.[0] ?? ''}`;
  },
  read: async (driver, asked) => {
    const { askCatalog } = await asking(driver);
    const schemas = await chosenDatabases(askCatalog, asked, databases);
    await checkSight(askCatalog, schemas);
    return JSON.stringify(await readCatalogBy(askCatalog, asked, databases));
  },
  parse: (text) => JSON.parse(text) as Catalog,
});

/**
 * The session settings with which the generator reads the catalogue, so that expressions are
 * printed the same. MySQL stores expressions as texts, independent of session settings.
 */
const settingsOf = (version: ServerVersion): string =>
  featuresOf(version).setStatement
    ? "set statement sql_mode = '', time_zone = '+00:00', sql_quote_show_create = 1 for "
    : '';

interface Asking {
  readonly version: ServerVersion;
  /** Settings before a statement that reads the catalogue. */
  readonly settings: string;
  readonly askCatalog: AskCatalog;
}

async function asking(driver: Driver): Promise<Asking> {
  const askWith =
    (settings: string): AskCatalog =>
    async (query, values = []) => {
      const names = Object.keys(query.columns);
      const rows = await driver.run([{ text: `${settings}${selectText(query)}`, values }]);
      return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? null])));
    };
  const version = await versionBy(askWith(''));
  const settings = settingsOf(version);
  return { version, settings, askCatalog: askWith(settings) };
}
