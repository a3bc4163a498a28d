import type { LiveCatalog } from '../../dialect.js';
import type { Driver } from '../../driver.js';
import type { BoundStatement } from '../../statement.js';
import { catalogQuery } from '../catalog/query.js';
import { catalogSettings } from '../catalog/read.js';
import { parseRawCatalog } from '../catalog/view-sources.js';
import { serverVersion } from '../catalog/version.js';
import { writeArrayLiteral } from '../parameters/array-literal.js';
import { listen } from './listen.js';
import { probeQuery } from './probe.js';

/**
 * The catalogue of PostgreSQL over the server's own connections: one more statement among those of
 * requests.
 */
export const liveCatalog: LiveCatalog = {
  probe: async (driver) => textOf(await driver.run([{ text: probeQuery, values: [] }])),
  read: async (driver, schemas) => {
    const version = serverVersion(Number(textOf(await driver.run([numberQuery]))));
    const values = [schemas === undefined ? null : writeArrayLiteral(schemas)];
    return textOf(await driver.run([printing, { text: catalogQuery(version), values }]));
  },
  parse: parseRawCatalog,
  listen,
};

const numberQuery: BoundStatement = { text: "select current_setting('server_version_num')", values: [] };

/** Set for the transaction of the query alone. */
const printing: BoundStatement = {
  text: `select ${Object.keys(catalogSettings)
    .map((_, at) => `set_config($${String(2 * at + 1)}, $${String(2 * at + 2)}, true)`)
    .join(', ')}`,
  values: Object.entries(catalogSettings).flat(),
};

const textOf = (rows: Awaited<ReturnType<Driver['run']>>): string => rows[0]?.[0] ?? '';
