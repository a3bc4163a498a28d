import type { IncomingMessage } from 'node:http';
import type { Identity } from '../../../dialect/driver.js';
import type { IdentityRequest } from '../../../execute/custom/authenticate.js';
import { isRecord } from '../../../is-record.js';
import { longestTimer } from '../../../longest-timer.js';

/** Clocks may differ: a token is accepted so much after its end. */
const LEEWAY_MS = 30_000;

/** `{Authorization}`, in any case, or the same inside `headers`. */
const authorizationGiven = (payload: unknown): string | undefined =>
  authorizationIn(payload) ?? (isRecord(payload) ? authorizationIn(payload['headers']) : undefined);

/**
 * The request that a WebSocket is identified by: that of the upgrade, with the token of the first
 * message where that has one.
 */
export function requestOf({ method, url, headers, rawHeaders }: IncomingMessage, payload: unknown): IdentityRequest {
  const given = authorizationGiven(payload);
  return {
    method,
    url,
    headers: given === undefined ? headers : { ...headers, authorization: given },
    rawHeaders: given === undefined ? rawHeaders : [],
    connectionParams: payload ?? {},
  };
}

function authorizationIn(payload: unknown): string | undefined {
  if (!isRecord(payload)) return undefined;
  const [name] = Object.keys(payload).filter((each) => each.toLowerCase() === 'authorization');
  const value = name === undefined ? undefined : payload[name];
  // A value that is not a text is no token, and the client is not anonymous either.
  return value === undefined || value === null ? undefined : typeof value === 'string' ? value : '';
}

/** Calls when the token of an identity ends. Answers how that is called off. */
export function onExpiry({ claims }: Identity, expired: () => void): () => void {
  const end = expiryOf(claims);
  if (end === undefined) return () => undefined;
  const at = end > Date.now() ? end : end + LEEWAY_MS;
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    const left = at - Date.now();
    timer = setTimeout(left > longestTimer ? wait : expired, Math.max(0, Math.min(left, longestTimer)));
    timer.unref();
  };
  wait();
  return () => {
    clearTimeout(timer);
  };
}

/** In milliseconds since the epoch. */
function expiryOf(claims: string | undefined): number | undefined {
  if (claims === undefined) return undefined;
  const { exp } = JSON.parse(claims) as { readonly exp?: unknown };
  return typeof exp === 'number' ? exp * 1000 : undefined;
}
