import type { Identity } from '../../dialect/driver.js';
import { isRecord } from '../../is-record.js';
import { parse, stringify } from 'lossless-json';

const texts = new WeakMap<Identity, { readonly text: string | undefined }>();

/**
 * `request.jwt.claims` with the role that the request runs in, also of nobody; undefined where the
 * claims name it already. Numbers keep their digits. Source: PostgREST, "Transaction-scoped
 * settings".
 */
export function claimsWithRole(identity: Identity): string | undefined {
  const known = texts.get(identity);
  if (known !== undefined) return known.text;
  const text = withRole(identity);
  texts.set(identity, { text });
  return text;
}

function withRole({ claims, role }: Identity): string | undefined {
  if (claims === undefined) return JSON.stringify({ role });
  const given: unknown = parse(claims);
  if (role === undefined || !isRecord(given) || given['role'] === role) return undefined;
  return stringify({ ...given, role });
}
