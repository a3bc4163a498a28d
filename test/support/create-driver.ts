import type { Dialect } from '../../runtime/src/dialect/dialect.js';
import type { Driver } from '../../runtime/src/dialect/driver.js';
import { mysql } from '../../runtime/src/dialect/mysql/dialect.js';
import { postgres } from '../../runtime/src/dialect/postgres/dialect.js';
import type { Observer } from '../../runtime/src/observe/observation.js';
import type { Settings } from '../../runtime/src/settings/settings.js';

/** The driver of the address in `app.datasource.url`. Default: with a dialect of its own. */
export function createDriver(
  settings: Settings,
  tables = 0,
  observe: Observer = () => undefined,
  dialect?: Dialect,
): Driver {
  const url = settings['app.datasource.url'] ?? '';
  const found = dialect ?? [postgres, mysql].find(({ speaks }) => speaks(url)) ?? postgres;
  return (dialect ?? found.forServer?.() ?? found).createDriver(url, settings, tables, observe);
}
