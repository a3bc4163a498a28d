import type { Observer } from '../observe/observation.js';
import type { Settings } from '../settings/settings.js';
import type { Driver } from '../dialect/driver.js';
import { dialectOf } from './dialects.js';

/**
 * The driver of the address in `app.datasource.url`. Opens no connection yet.
 * @param tables how many there are that may be asked for
 * @param observe told of reads that share a connection
 * @throws ServerError when the address is missing or of no kind we know
 */
export function createDriver(settings: Settings, tables = 0, observe: Observer = () => undefined): Driver {
  const { dialect, url } = dialectOf(settings);
  return dialect.createDriver(url, settings, tables, observe);
}
