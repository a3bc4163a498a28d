import { createHash, randomBytes } from 'node:crypto';
import type { Authenticate, AuthenticateContext } from '../execute/custom/authenticate.js';
import type { AnyDatabase } from '../execute/hooks/table-hooks.js';
import type { ActingIdentity } from '../execute/custom/acting-identity.js';
import { credentialRefused, IdentityLookup, type LookupOptions } from './credentials.js';

export interface ApiKeyOptions<Database = AnyDatabase> extends LookupOptions {
  /** Default: `x-api-key`. */
  readonly header?: string;
  /**
   * The identity of the key with this hash, as `hashApiKey` makes it; undefined for a key that is
   * not known, or withdrawn.
   */
  readonly find: (
    hash: string,
    context: AuthenticateContext<Database>,
  ) => Promise<ActingIdentity | undefined> | ActingIdentity | undefined;
}

/**
 * Identifies requests by an API key in a header, whose hash is in a table of yours. A key that
 * `find` does not know is 401. By default a key that was found is remembered for 30 seconds.
 */
export function apiKeys<Database = AnyDatabase>(options: ApiKeyOptions<Database>): Authenticate<Database> {
  const { header = 'x-api-key', find, cacheSeconds = 30 } = options;
  const name = header.toLowerCase();
  const lookup = new IdentityLookup({ cacheSeconds });
  const authenticate: Authenticate<Database> = async ({ headers }, context) => {
    const key = headers[name];
    if (key === undefined) return undefined;
    const hash = hashApiKey(key.toString());
    const found = await lookup.find(hash, () => find(hash, context));
    if (found !== undefined) return found;
    throw credentialRefused('The API key is not valid.', 'ApiKey', `Send a valid key in \`${name}\`, or none at all.`);
  };
  return Object.assign(authenticate, { reads: [name] });
}

/**
 * The SHA-256 of a key, in hexadecimal digits. Keys are random, so a slow hash, as for passwords,
 * adds nothing but time.
 */
export const hashApiKey = (key: string): string => createHash('sha256').update(key).digest('hex');

/** A new key of 256 random bits. It is shown to its owner once; the table has its hash. */
export const createApiKey = (prefix = 'tw_'): string => prefix + randomBytes(32).toString('base64url');
