import { encodingHint, isCertainAddress, isReadableAddress, shownAddress } from '../../../certain-address.js';
import { TablewrightError } from '../../../tablewright-error.js';

export interface Address {
  readonly url: URL;
  /** The database that the address names, or undefined. */
  readonly database: string | undefined;
  /** The address without its password, for messages. */
  readonly display: string;
}

const form = 'Write mysql://user:password@host:3306/database.';

/** Whether an address is one of a MySQL-style server. */
export const isMysqlAddress = (text: string): boolean => /^(mysql|mariadb):\/\//i.test(text);

/**
 * Reads `mysql://…` or `mariadb://…`. No message repeats the address: what cannot be read may hold
 * a password anywhere.
 * @throws TablewrightError USAGE when it cannot be read
 */
export function parseAddress(text: string): Address {
  if (!isReadableAddress(text) || !isCertainAddress(text)) throw unreadable();
  const url = new URL(text);
  const database = decodeURIComponent(url.pathname.slice(1));
  return { url, database: database === '' ? undefined : database, display: shownAddress(url) };
}

/** The database that an address names. */
export const databaseIn = (address: string): string | undefined => parseAddress(address).database;

/** The address with the only one of these databases: names in the user's SQL are found there. */
export function inDatabase(address: string, databases: readonly string[]): string {
  const [only, ...more] = databases;
  if (only === undefined || more.length > 0) return address;
  const url = new URL(address);
  url.pathname = `/${encodeURIComponent(only)}`;
  return url.href;
}

const unreadable = (): TablewrightError =>
  new TablewrightError('USAGE', 'The database address cannot be read.', `${form} ${encodingHint}`);
