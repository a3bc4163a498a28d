import type { Dialect } from '../dialect/dialect.js';
import { mysql } from '../dialect/mysql/dialect.js';
import { codes, ServerError } from '../errors.js';
import type { Settings } from '../settings/settings.js';

/** A kind of database that the server can speak with. */
interface Kind {
  /** The package of its driver: a project installs that of its own database alone. */
  readonly driver: string;
  readonly scheme: RegExp;
  readonly load: () => Promise<Dialect> | Dialect;
}

const kinds: readonly Kind[] = [
  {
    driver: 'pg',
    scheme: /^(postgres(ql)?:\/\/|pglite:)/,
    load: async () => (await import('../dialect/postgres/dialect.js')).postgres,
  },
  {
    driver: 'mysql2',
    scheme: /^(mysql|mariadb):\/\//,
    // It loads its driver when the first connection is made.
    load: () => mysql,
  },
];

/**
 * Those whose driver is installed. The first is the one of a driver that was given without an
 * address.
 */
const dialects: readonly Dialect[] = (await Promise.all(kinds.map(loaded))).filter((each) => each !== undefined);

/**
 * The dialect, for one server, of the address in `app.datasource.url`: `postgres://…`, `mysql://…`,
 * or `pglite:DIR` (`pglite:` alone is in memory).
 * @throws ServerError when the address is missing, of no kind we know, or of a kind whose driver is
 * not installed
 */
export function dialectOf(settings: Settings): { readonly dialect: Dialect; readonly url: string } {
  const url = settings['app.datasource.url'];
  if (url === undefined) throw unusable('There is no database address.');
  const dialect = dialects.find(({ speaks }) => speaks(url));
  if (dialect !== undefined) return { dialect: forServer(dialect), url };
  const kind = kinds.find(({ scheme }) => scheme.test(url));
  if (kind === undefined || dialects.length === kinds.length) {
    throw unusable('The database address is not one we know.');
  }
  throw unusable(
    `The package ${kind.driver}, which speaks with this database, is not installed.`,
    `npm install ${kind.driver}`,
  );
}

/** The dialect, for one server, of a driver that the caller made. */
export function dialectOfGiven(settings: Settings): Dialect {
  const url = settings['app.datasource.url'];
  const dialect = dialects.find(({ speaks }) => url !== undefined && speaks(url)) ?? dialects[0];
  if (dialect !== undefined) return forServer(dialect);
  throw unusable('No package that speaks with a database is installed.', 'npm install pg');
}

const forServer = (dialect: Dialect): Dialect => dialect.forServer?.() ?? dialect;

/** The dialect of this name. Throws TypeError where there is none. */
export function dialectNamed(name: string): Dialect {
  const dialect = dialects.find((each) => each.name === name);
  if (dialect === undefined) throw new TypeError(`No dialect is called ${name}.`);
  return dialect;
}

/** Reads the errors of all of them: for what fails before one is chosen. */
export const anyDialect: Pick<Dialect, 'failure'> = {
  failure: (error) => {
    for (const { failure } of dialects) {
      const found = failure(error);
      if (found !== undefined) return found;
    }
    return undefined;
  },
};

/** Undefined where its driver is not installed. */
async function loaded({ driver, load }: Kind): Promise<Dialect | undefined> {
  try {
    return await load();
  } catch (error) {
    if (isMissing(error, driver)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown, name: string): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes(`'${name}'`);
}

const unusable = (
  message: string,
  hint = 'Set app.datasource.url (DATABASE_URL) to postgres://user@host/name, mysql://user@host/name or pglite:DIR.',
): ServerError => new ServerError(503, codes.unavailable, message, { hint });
