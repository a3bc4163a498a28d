import { ServerError } from '../errors.js';
import type { AuthenticateRequest } from '../execute/custom/authenticate.js';
import type { ActingIdentity } from '../execute/custom/acting-identity.js';
import { isRecord } from '../is-record.js';
import { authorizationOf, opaqueToken } from './bearer.js';
import { IdentityLookup, type LookupOptions } from './credentials.js';
import { introspectionUnavailable, unauthenticated } from './failures.js';
import { fetchText } from './fetch-text.js';

export interface IntrospectionOptions extends LookupOptions {
  /** The introspection endpoint of the authorisation server. */
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The required `iss`, and an audience that `aud` has to name. Default: any. */
  readonly issuer?: string;
  readonly audience?: string;
  /** Milliseconds that an answer may take. Default: 5000. */
  readonly timeoutMs?: number;
}

/**
 * Identifies requests by a bearer token that its issuer is asked about (RFC 7662): opaque tokens,
 * or tokens that can be revoked. A token that is not active is 401; while the issuer does not
 * answer, a request with a token is 503. By default an answer is remembered for 30 seconds, and
 * never beyond the `exp` of the token.
 */
export function tokenIntrospection(options: IntrospectionOptions): AuthenticateRequest {
  const { cacheSeconds = 30 } = options;
  const lookup = new IdentityLookup({ cacheSeconds });
  const authenticate: AuthenticateRequest = async (request) => {
    const authorization = authorizationOf(request);
    if (authorization === undefined) return undefined;
    const token = opaqueToken(authorization);
    const found = await lookup.find(token, () => introspect(token, options));
    if (found === undefined) throw unauthenticated('The token is not active.');
    return found;
  };
  return Object.assign(authenticate, { reads: ['authorization'] });
}

async function introspect(token: string, options: IntrospectionOptions): Promise<ActingIdentity | undefined> {
  const { url, clientId, clientSecret, timeoutMs = 5000 } = options;
  const credentials = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
  try {
    const claims = await fetchText(new URL(url), timeoutMs, new AbortController(), {
      method: 'POST',
      headers: {
        accept: 'application/json',
        authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
      },
      body: new URLSearchParams({ token, token_type_hint: 'access_token' }),
    });
    const said: unknown = JSON.parse(claims);
    if (!isRecord(said) || typeof said['active'] !== 'boolean') throw new TypeError('It is not an answer of RFC 7662.');
    if (!said['active']) return undefined;
    checkClaims(said, options);
    return { claims };
  } catch (error) {
    throw error instanceof ServerError ? error : introspectionUnavailable(error);
  }
}

/** An issuer that answers for a token of another application is not relied on. */
function checkClaims(
  { iss, aud }: Readonly<Record<string, unknown>>,
  { issuer, audience }: IntrospectionOptions,
): void {
  if (issuer !== undefined && iss !== issuer) throw unauthenticated('The token is from another issuer.');
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (audience !== undefined && !audiences.includes(audience))
    throw unauthenticated('The token is for another audience.');
}
