import type { JWTPayload } from 'jose';
import { parse as parseLossless } from 'lossless-json';
import type { Identity } from '../dialect/driver.js';
import { onceForEach } from '../once-for-each.js';
import type { Settings } from '../settings/settings.js';
import { createFindRole, type FindRole } from './claim-path.js';
import { roleRefused, unauthenticated } from './failures.js';

/**
 * NUL, which PostgreSQL's text cannot hold, and lone surrogates, which all become the same U+FFFD:
 * two users would be one.
 */
const UNREPRESENTABLE = /[\0\p{Surrogate}]/u;

/**
 * The identity that verified claims give: decision 007. `text` is the token's
 * payload as it was signed, so `request.jwt.claims` has every digit of its numbers. Throws
 * ServerError 401 for a claim that cannot be passed on faithfully, 403 for a role that is not on
 * the list.
 */
export function identityOf(claims: JWTPayload, text: string, settings: Settings): Identity {
  const userId = textClaim(claims, 'userId', text) ?? textClaim(claims, 'sub', text);
  const projectId = textClaim(claims, 'projectId', text);
  const role = roleOf(claims, settings);
  return Object.freeze({
    ...(userId === undefined ? {} : { userId }),
    ...(projectId === undefined ? {} : { projectId }),
    claims: text,
    ...(role === undefined ? {} : { role }),
  });
}

/** The identity of a request without a token, in the anonymous role if it is set. */
export function anonymousIdentity(settings: Settings): Identity {
  const role = settings['app.security.anonymous-role'];
  return Object.freeze(role === undefined ? {} : { role });
}

/**
 * The text of an identity claim. A string is its own text, a whole number is written in digits, and
 * any other value is written as JSON. Undefined for a claim that is null or missing.
 */
function textClaim(claims: JWTPayload, name: string, payload: string): string | undefined {
  const value = claimOf(claims, name);
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number') return wholeNumber(value, numberText(payload, name));
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (UNREPRESENTABLE.test(text)) throw unauthenticated('An identity claim has a character that no text can hold.');
  return text;
}

/**
 * JSON.parse has already rounded the number: with more digits than it holds, two ids could have
 * become one.
 */
function wholeNumber(value: number, text: string): string {
  if (!Number.isInteger(value))
    throw unauthenticated('An identity claim is a fraction; a number has to be a whole number.');
  const isExact = /^-?\d+$/.test(text) ? Number.isSafeInteger(value) : text.replace(/\D/g, '').length <= EXACT_DIGITS;
  if (!isExact) throw unauthenticated('An identity claim is a number too large to be exact; it has to be a string.');
  return String(value);
}

/** Number of decimal digits that every JavaScript number holds exactly. */
const EXACT_DIGITS = 15;

/** A number as it was signed. */
function numberText(payload: string, name: string): string {
  try {
    const claims = parseLossless(payload, undefined, (text) => text) as Readonly<Record<string, unknown>>;
    return String(claims[name]);
  } catch {
    // The same claim twice, with two values.
    throw unauthenticated('The token is malformed.');
  }
}

function roleOf(claims: JWTPayload, settings: Settings): string | undefined {
  const role = roleFinder(settings)(claims);
  if (role === undefined || role === null) return settings['app.security.default-role'];
  if (typeof role !== 'string' || !settings['app.security.allowed-roles'].includes(role)) throw roleRefused(role);
  return role;
}

/** Read once for a server. Throws ServerError `misconfigured` for a path that cannot be read. */
export const roleFinder = onceForEach((settings: Settings): FindRole => {
  const claim = settings['app.security.role-claim'];
  return claim === undefined ? () => undefined : createFindRole(claim, settings['app.security.allowed-roles']);
});

/** Own properties only: a role claim named `constructor` is just a claim. */
function claimOf(claims: JWTPayload, name: string): unknown {
  return Object.hasOwn(claims, name) ? claims[name] : undefined;
}
