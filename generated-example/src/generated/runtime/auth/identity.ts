import type { JWTPayload } from 'jose';
import type { Identity } from '../session/driver.js';
import type { Settings } from '../settings.js';
import { roleRefused, unauthenticated } from './failures.js';

/** NUL, which PostgreSQL's text cannot hold, and lone surrogates, which all become the same U+FFFD: two users would be one. */
const UNREPRESENTABLE = /[\0\p{Surrogate}]/u;

/**
 * The identity that verified claims give: contract 2.6 and decisions 7. `text` is the token's payload as it was signed, so
 * `request.jwt.claims` has every digit of its numbers. Throws ServerError 401 for a claim that cannot be passed on faithfully, 403
 * for a role that is not on the list.
 */
export function identityOf(claims: JWTPayload, text: string, settings: Settings): Identity {
  const userId = textClaim(claims, 'userId') ?? textClaim(claims, 'sub');
  const projectId = textClaim(claims, 'projectId');
  const role = roleOf(claims, settings);
  return Object.freeze({
    ...(userId === undefined ? {} : { userId }),
    ...(projectId === undefined ? {} : { projectId }),
    claims: text,
    ...(role === undefined ? {} : { role }),
  });
}

/** Who has no token: nobody, in the anonymous role where there is one. */
export function anonymousIdentity(settings: Settings): Identity {
  const role = settings['app.security.anonymous-role'];
  return Object.freeze(role === undefined ? {} : { role });
}

/** The text of a claim: a string as it is, anything else as JSON. A claim that is null or missing is absent. */
function textClaim(claims: JWTPayload, name: string): string | undefined {
  const value = claimOf(claims, name);
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    // JSON.parse has already rounded it: two ids could have become one.
    throw unauthenticated('An identity claim is a number too large to be exact; it has to be a string.');
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (UNREPRESENTABLE.test(text)) throw unauthenticated('An identity claim has a character that no text can hold.');
  return text;
}

function roleOf(claims: JWTPayload, settings: Settings): string | undefined {
  const name = settings['app.security.role-claim'];
  const role = name === undefined ? undefined : claimOf(claims, name);
  if (role === undefined || role === null) return settings['app.security.default-role'];
  if (typeof role !== 'string' || !settings['app.security.allowed-roles'].includes(role)) throw roleRefused();
  return role;
}

/** Own properties only: a role claim named `constructor` is just a claim. */
function claimOf(claims: JWTPayload, name: string): unknown {
  return Object.hasOwn(claims, name) ? claims[name] : undefined;
}
