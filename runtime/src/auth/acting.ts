import type { Identity } from '../dialect/driver.js';
import type { ActingIdentity } from '../execute/custom/acting-identity.js';
import type { Settings } from '../settings/settings.js';
import { anonymousIdentity, identityOf } from './identity.js';

/**
 * The identity that the user's code acts with: the identity of a verified token with these claims.
 * `userId`, `projectId` and `role` replace those of the claims. Without claims, `userId` and
 * `projectId` it is the anonymous identity. Throws ServerError for claims that a token must not
 * have.
 */
export function actingIdentity(
  { claims, userId, projectId, role, tenant }: ActingIdentity,
  settings: Settings,
): Identity {
  const said = {
    ...(userId === undefined ? {} : { userId }),
    ...(projectId === undefined ? {} : { projectId }),
    ...(role === undefined ? {} : { role }),
    ...(tenant === undefined ? {} : { tenant }),
  };
  if (claims === undefined && userId === undefined && projectId === undefined)
    return Object.freeze({ ...anonymousIdentity(settings), ...said });
  const text = typeof claims === 'string' ? claims : JSON.stringify(claims ?? { userId, projectId });
  return Object.freeze({ ...identityOf(claimsOf(text), text, settings), ...said });
}

function claimsOf(text: string): Readonly<Record<string, unknown>> {
  const claims: unknown = JSON.parse(text);
  if (typeof claims !== 'object' || claims === null || Array.isArray(claims))
    throw new TypeError('Claims are an object, or the JSON text of one.');
  return claims as Readonly<Record<string, unknown>>;
}
