import { patientEnvironment } from './patience.js';

/** How to reach a database: its address, and the value of `app.datasource.pooler`. */
export interface Reached {
  readonly url: string;
  readonly pooler: 'none' | 'transaction';
}

/**
 * The way from the tests' servers and drivers to a database: direct, or through the PgBouncer at
 * TEST_POOLER (`host:port`). Set-up and inspection always connect directly.
 */
export function reach(url: string): Reached {
  const pooler = process.env['TEST_POOLER'];
  if (pooler === undefined || pooler === '' || !/^postgres(ql)?:/.test(url)) return { url, pooler: 'none' };
  const address = new URL(url);
  address.host = pooler;
  return { url: address.href, pooler: 'transaction' };
}

/** The same as environment variables of a server. */
export function reachEnvironment(url: string): Readonly<Record<string, string>> {
  const { url: reached, pooler } = reach(url);
  return {
    ...patientEnvironment,
    DATABASE_URL: reached,
    ...(pooler === 'none' ? {} : { APP_DATASOURCE_POOLER: pooler }),
  };
}
