import type { Identity } from '../dialect/driver.js';
import { isRecord } from '../is-record.js';
import { onceForEach } from '../once-for-each.js';
import { leewaySeconds } from './claim-times.js';
import { unauthenticated } from './failures.js';

/**
 * Refuses a token that claims to be issued in the future, as PostgREST does. Source: PostgREST,
 * "JWT Claims Validation".
 */
export function checkIssuedAt(identity: Identity): Identity {
  const seconds = issuedAt(identity);
  if (seconds === undefined || seconds <= Date.now() / 1000 + leewaySeconds) return identity;
  throw unauthenticated('The token is issued in the future.', undefined, { problem: 'issuedLater' });
}

const issuedAt = onceForEach((identity: Identity): number | undefined => {
  const claims: unknown = identity.claims === undefined ? undefined : JSON.parse(identity.claims);
  const iat = isRecord(claims) ? claims['iat'] : undefined;
  return typeof iat === 'number' ? iat : undefined;
});
