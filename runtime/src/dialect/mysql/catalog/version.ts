import { TablewrightError } from '../../../tablewright-error.js';

/** The two servers that speak this protocol. Their catalogues differ in a few columns. */
export interface ServerVersion {
  readonly flavour: 'mariadb' | 'mysql';
  /** Major × 10,000 + minor × 100 + patch: 101119 is 10.11.19. */
  readonly number: number;
}

/** MariaDB 10.11: JSON_OVERLAPS came with 10.9. */
const oldest = 101_100;

/** Reads the answer of `select version()`, e.g. `10.11.19-MariaDB-0+deb12u1` or `8.0.39`. */
export function parseVersion(text: string): ServerVersion {
  // A MariaDB that hides behind a version of MySQL for old clients says 5.5.5- before its own.
  const [, major = '0', minor = '0', patch = '0'] = /^(?:5\.5\.5-)?(\d+)\.(\d+)(?:\.(\d+))?/.exec(text) ?? [];
  return {
    flavour: /mariadb/i.test(text) ? 'mariadb' : 'mysql',
    number: Number(major) * 10_000 + Number(minor) * 100 + Number(patch),
  };
}

/**
 * @param text the answer of `select version()`
 * @throws TablewrightError DATABASE_UNSUPPORTED below MariaDB 10.11, and for MySQL: statements of generated servers are MariaDB's
 */
export function serverVersion(text: string): ServerVersion {
  const version = parseVersion(text);
  if (version.flavour === 'mysql') {
    throw new TablewrightError(
      'DATABASE_UNSUPPORTED',
      `The database server is MySQL ${shown(version.number)}; generated servers speak with MariaDB only.`,
      'Point --url at a MariaDB server, 10.11 or later. MySQL is not supported yet.',
    );
  }
  if (version.number >= oldest) return version;
  throw new TablewrightError(
    'DATABASE_UNSUPPORTED',
    `The database server is MariaDB ${shown(version.number)}; 10.11 or later is needed.`,
    'Upgrade the server to MariaDB 10.11 or later, or point --url at one that is.',
  );
}

const shown = (number: number): string =>
  [Math.floor(number / 10_000), Math.floor(number / 100) % 100, number % 100].map(String).join('.');
