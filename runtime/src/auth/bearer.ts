import type { IdentityRequest } from '../execute/custom/authenticate.js';
import { unauthenticated, type TokenReason } from './failures.js';

/**
 * Longest Authorization value that is looked at: as much as Node takes for all headers together by
 * default.
 */
const MAX_LENGTH = 16_384;

/**
 * RFC 6750, section 2.1: the scheme in any case, one or more spaces, a b64token. A JWT is three
 * such parts.
 */
const BEARER = /^bearer +([\w-]+\.[\w-]+\.[\w-]+) *$/i;

/**
 * The raw Authorization value of a request, or undefined when there is none. Node keeps the first
 * of several headers. A proxy may have checked another one, so several headers are refused. Throws
 * ServerError 401.
 */
export function authorizationOf(request: IdentityRequest): string | undefined {
  const value = request.headers.authorization;
  if (value !== undefined && countHeaders(request.rawHeaders) > 1) {
    throw unauthenticated('The request has more than one Authorization header.');
  }
  return value;
}

/**
 * The token of an Authorization value. Accepted: `Bearer a.b.c`, `bearer a.b.c`, `BEARER a.b.c`.
 * Refused with 401, never taken for anonymous: an empty value, `Bearer`, `Basic …`, `Bearer a.b`,
 * `Bearer a.b.c, Bearer d.e.f`, `a.b.c`, 16 KB and more.
 */
export function bearerToken(authorization: string): string {
  if (authorization.length >= MAX_LENGTH) throw unauthenticated('The token is too long.');
  const token = BEARER.exec(authorization)?.[1];
  if (token !== undefined) return token;
  throw unauthenticated('The Authorization header is not a Bearer token.', undefined, reasonOf(authorization));
}

function reasonOf(authorization: string): TokenReason | undefined {
  const token = /^bearer(?: +(.*?))? *$/i.exec(authorization);
  if (token === null) return undefined;
  if (token[1] === undefined || token[1] === '') return { problem: 'empty' };
  const parts = token[1].split('.').length;
  return parts === 3 ? { problem: 'malformed' } : { problem: 'parts', parts };
}

/** The same for a token of any form: RFC 6750, section 2.1. */
export function opaqueToken(authorization: string): string {
  if (authorization.length >= MAX_LENGTH) throw unauthenticated('The token is too long.');
  const token = /^bearer +([\w.~+/-]+=*) *$/i.exec(authorization)?.[1];
  if (token === undefined) throw unauthenticated('The Authorization header is not a Bearer token.');
  return token;
}

/**
 * Names and values alternate in `rawHeaders`. The length test keeps this to a few comparisons for a
 * usual request.
 */
function countHeaders(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 13 && name.toLowerCase() === 'authorization') count += 1;
  }
  return count;
}
