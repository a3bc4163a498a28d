import { codes, ServerError } from '../errors.js';
import type { Settings } from '../settings.js';
import type { Driver } from './driver.js';
import { createPgDriver } from './drivers/pg.js';
import { createPgliteDriver } from './drivers/pglite.js';

/**
 * The driver of the address in `app.datasource.url`: `postgres://…` or `pglite:DIR` (`pglite:` alone is in memory).
 * Opens no connection yet.
 * @param tables how many there are that may be asked for: with more of them, connections keep more statements
 * @throws ServerError when the address is missing or of no kind we know
 */
export function createDriver(settings: Settings, tables = 0): Driver {
  const url = settings['app.datasource.url'];
  if (url === undefined) throw unusable('There is no database address.');
  if (/^postgres(ql)?:\/\//.test(url) && URL.canParse(url)) return createPgDriver(url, settings, tables);
  if (url.startsWith('pglite:')) return createPgliteDriver(url.slice('pglite:'.length), settings);
  throw unusable('The database address is not one we know.');
}

const unusable = (message: string): ServerError =>
  new ServerError(503, codes.unavailable, message, {
    hint: 'Set app.datasource.url (DATABASE_URL) to postgres://user@host/name or pglite:DIR.',
  });
