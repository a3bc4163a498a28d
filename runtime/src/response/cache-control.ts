import type { Identity } from '../dialect/driver.js';

/**
 * A read may be kept, but is asked about each time; what somebody in particular sees, by that client alone. Source: RFC 9111, 5.2.2.
 */
export function cacheControl(method: string | undefined, { claims }: Identity): string {
  if (method !== 'GET' && method !== 'HEAD') return 'no-store';
  return claims === undefined ? 'no-cache' : 'private, no-cache';
}
