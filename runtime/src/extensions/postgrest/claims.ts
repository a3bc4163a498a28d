import type { Identity } from '../../dialect/driver.js';
import { isRecord } from '../../is-record.js';
import { onceForEach } from '../../once-for-each.js';
import { parse, stringify } from 'lossless-json';

/**
 * `request.jwt.claims` with the role that the request runs in, also of nobody; undefined where the
 * claims name it already. Numbers keep their digits. Source: PostgREST, "Transaction-scoped
 * settings".
 */
export const claimsWithRole = onceForEach(({ claims, role }: Identity): string | undefined => {
  if (claims === undefined) return JSON.stringify({ role });
  const given: unknown = parse(claims);
  if (role === undefined || !isRecord(given) || given['role'] === role) return undefined;
  return stringify({ ...given, role });
});
