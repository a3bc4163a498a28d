/** How a database is reached: its address, and what `app.datasource.pooler` has to be. */
export interface Reached {
  readonly url: string;
  readonly pooler: 'none' | 'transaction';
}

/**
 * The way from the servers and drivers of tests to a database: direct, or through the PgBouncer at
 * TEST_POOLER (`host:port`). Set-up and looking behind the scenes stay direct.
 */
export function reach(url: string): Reached {
  const pooler = process.env['TEST_POOLER'];
  if (pooler === undefined || pooler === '' || !/^postgres(ql)?:/.test(url)) return { url, pooler: 'none' };
  const address = new URL(url);
  address.host = pooler;
  return { url: address.href, pooler: 'transaction' };
}

/** The same as the environment of a server. */
export function reachEnvironment(url: string): Readonly<Record<string, string>> {
  const { url: reached, pooler } = reach(url);
  return { DATABASE_URL: reached, ...(pooler === 'none' ? {} : { APP_DATASOURCE_POOLER: pooler }) };
}
