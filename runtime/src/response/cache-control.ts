import type { Identity } from '../dialect/driver.js';

/**
 * Caches may keep a read if they revalidate it each time; a read of a user only in that client's
 * cache. Source: RFC 9111, 5.2.2.
 */
export function cacheControl(method: string | undefined, { claims }: Identity): string {
  if (method !== 'GET' && method !== 'HEAD') return 'no-store';
  return claims === undefined ? 'no-cache' : 'private, no-cache';
}
