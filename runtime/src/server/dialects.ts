import type { Dialect } from '../dialect/dialect.js';
import { pairsOf } from '../dialect/schema-names.js';
import { codes, misconfigured, ServerError } from '../errors.js';
import type { TenantAddress } from '../execute/custom/tenants.js';
import { isMissing } from '../optional-package.js';
import type { Settings } from '../settings/settings.js';

/** A kind of database that the server can speak with. */
interface Kind {
  /** The name of its dialect. */
  readonly name: string;
  /** The package of its driver: a project installs that of its own database alone. */
  readonly driver: string;
  readonly scheme: RegExp;
  readonly load: () => Promise<Dialect>;
}

const kinds: readonly Kind[] = [
  {
    name: 'PostgreSQL',
    driver: 'pg',
    scheme: /^(postgres(ql)?:\/\/|pglite:)/,
    load: async () => (await import('../dialect/postgres/dialect.js')).postgres,
  },
  {
    name: 'MariaDB',
    driver: 'mysql2',
    scheme: /^(mysql|mariadb):\/\//,
    load: async () => (await import('../dialect/mysql/dialect.js')).mysql,
  },
];

/** The dialects that servers of this process use: the others are not loaded. */
const loaded = new Set<Dialect>();

/**
 * The dialect, for one server, of the address in `app.datasource.url`: `postgres://…`, `mysql://…`,
 * or `pglite:DIR` (`pglite:` alone is in memory). Rejects with ServerError when the address is
 * missing, of no kind we know, or of a kind whose driver is not installed.
 * @param schemas that are served
 */
export async function dialectOf(settings: Settings, schemas: readonly string[]): Promise<Dialect> {
  const url = settings['app.datasource.url'];
  if (url === undefined) throw unusable('There is no database address.');
  const kind = kinds.find(({ scheme }) => scheme.test(url));
  if (kind === undefined) throw unusable('The scheme of the database address is unknown.');
  const dialect = await load(kind);
  if (dialect?.speaks(url) === true) return forServer(dialect, settings, schemas);
  if (dialect !== undefined) throw unusable('The scheme of the database address is unknown.');
  throw unusable(
    `The package ${kind.driver}, the driver of this database, is not installed.`,
    `npm install ${kind.driver}`,
  );
}

/**
 * The dialect, for one server, of a driver that the caller made: of the address if there is one,
 * otherwise the first whose driver is installed.
 */
export async function dialectOfGiven(settings: Settings, schemas: readonly string[]): Promise<Dialect> {
  const url = settings['app.datasource.url'];
  const named = kinds.filter(({ scheme }) => url !== undefined && scheme.test(url));
  for (const kind of [...named, ...kinds]) {
    const dialect = await load(kind);
    if (dialect !== undefined) return forServer(dialect, settings, schemas);
  }
  throw unusable('No database driver is installed.', 'npm install pg');
}

/**
 * The same dialect for the database of a tenant. Throws ServerError `misconfigured` for an address
 * of another kind, and for one that names schemas which are not served.
 * @param configured whether the configuration says which schemas the API has
 */
export function dialectOfTenant(
  { tenants, speaks }: Dialect,
  { url, schemas: names = {} }: TenantAddress,
  schemas: readonly string[],
  configured: boolean,
): Dialect {
  const hint = 'Correct custom.tenants.';
  if (tenants === undefined || !speaks(url))
    throw misconfigured('The address of a tenant is of another kind than app.datasource.url.', hint);
  const named = Object.entries(names);
  const unknown = named.find(([schema]) => !schemas.includes(schema));
  if (unknown !== undefined)
    throw misconfigured(`A tenant has another name for the schema ${unknown[0]}, which is not served.`, hint);
  if (named.length > 0 && !configured)
    throw misconfigured(
      'Tenants have schemas of their own, but the API is made from every schema of its database.',
      'Name its schemas: `schemas` in the configuration. Then generate again.',
    );
  return tenants.dialectOf({ schemas, named, url });
}

const forServer = (dialect: Dialect, settings: Settings, schemas: readonly string[]): Dialect =>
  dialect.forServer?.({
    schemas,
    named: pairsOf(settings['app.datasource.databases']),
    url: settings['app.datasource.url'],
  }) ?? dialect;

/** The dialect of this name. Rejects with TypeError where there is none. */
export async function dialectNamed(name: string): Promise<Dialect> {
  const kind = kinds.find((each) => each.name === name);
  const dialect = kind === undefined ? undefined : await load(kind);
  if (dialect !== undefined) return dialect;
  throw new TypeError(`No dialect is called ${name}.`);
}

/**
 * Reads errors by every dialect that is loaded, for failures before the dialect of the server is
 * known.
 */
export const anyDialect: Pick<Dialect, 'failure'> = {
  failure: (error) => {
    for (const { failure } of loaded) {
      const found = failure(error);
      if (found !== undefined) return found;
    }
    return undefined;
  },
};

/** Undefined where its driver is not installed. */
async function load({ driver, load: open }: Kind): Promise<Dialect | undefined> {
  try {
    const dialect = await open();
    loaded.add(dialect);
    return dialect;
  } catch (error) {
    if (isMissing(error, driver)) return undefined;
    throw error;
  }
}

const unusable = (
  message: string,
  hint = 'Set app.datasource.url (DATABASE_URL) to postgres://user@host/name, mysql://user@host/name or pglite:DIR.',
): ServerError => new ServerError(503, codes.unavailable, message, { hint });
