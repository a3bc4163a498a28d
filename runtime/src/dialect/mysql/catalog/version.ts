import { TablewrightError } from '../../../tablewright-error.js';

/** The two servers that speak this protocol. Their catalogues differ in a few columns. */
export interface ServerVersion {
  readonly flavour: 'mariadb' | 'mysql';
  /** Major × 10,000 + minor × 100 + patch: 101119 is 10.11.19. */
  readonly number: number;
}

/**
 * The oldest server of each kind: MariaDB 10.11, for JSON_OVERLAPS (10.9) and JSON_EQUALS (10.7);
 * MySQL 8.0.19, for correlated derived tables (8.0.14), CAST to DOUBLE and JSON_OVERLAPS (8.0.17),
 * and the table's name in the message of a duplicate key (8.0.19).
 */
const oldest = {
  mariadb: { name: 'MariaDB', number: 101_100, shown: '10.11' },
  mysql: { name: 'MySQL', number: 80_019, shown: '8.0.19' },
} as const;

/** The servers that are supported, in a sentence. */
export const supported = 'MariaDB 10.11 or later, or MySQL 8.0.19 or later';

/** Reads the answer of `select version()`, e.g. `10.11.19-MariaDB-0+deb12u1` or `8.0.39`. */
export function parseVersion(text: string): ServerVersion {
  // For old clients MariaDB may print 5.5.5- before its own version.
  const [, major = '0', minor = '0', patch = '0'] = /^(?:5\.5\.5-)?(\d+)\.(\d+)(?:\.(\d+))?/.exec(text) ?? [];
  return {
    flavour: /mariadb/i.test(text) ? 'mariadb' : 'mysql',
    number: Number(major) * 10_000 + Number(minor) * 100 + Number(patch),
  };
}

/**
 * @param text the answer of `select version()`
 * @throws TablewrightError DATABASE_UNSUPPORTED below MariaDB 10.11 and MySQL 8.0.19
 */
export function serverVersion(text: string): ServerVersion {
  const version = parseVersion(text);
  const { name, shown: needed } = oldest[version.flavour];
  if (!isTooOld(version)) return version;
  throw new TablewrightError(
    'DATABASE_UNSUPPORTED',
    `The database server is ${name} ${shown(version.number)}; ${needed} or later is needed.`,
    `Upgrade the server to ${name} ${needed} or later, or point --url at one that is.`,
  );
}

export const isTooOld = ({ flavour, number }: ServerVersion): boolean => number < oldest[flavour].number;

const shown = (number: number): string =>
  [Math.floor(number / 10_000), Math.floor(number / 100) % 100, number % 100].map(String).join('.');
