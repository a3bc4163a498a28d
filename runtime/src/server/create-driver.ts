import type { Dialect } from '../dialect/dialect.js';
import type { Observer } from '../observe/observation.js';
import type { Settings } from '../settings/settings.js';
import type { Driver } from '../dialect/driver.js';
import { dialectOf } from './dialects.js';

/**
 * The driver of the address in `app.datasource.url`. Opens no connection yet.
 * @param tables how many there are that may be asked for
 * @param observe receives reads that share a connection
 * @param dialect of the server that it is for. Default: one of its own
 * @throws ServerError when the address is missing or of no kind we know
 */
export function createDriver(
  settings: Settings,
  tables = 0,
  observe: Observer = () => undefined,
  dialect?: Dialect,
): Driver {
  const { dialect: found, url } = dialectOf(settings);
  return (dialect ?? found).createDriver(url, settings, tables, observe);
}
