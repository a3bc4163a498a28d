import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AuthenticateRequest } from '../execute/custom/authenticate.js';
import { isRecord } from '../is-record.js';
import { misconfigured } from '../errors.js';
import { credentialRefused } from './credentials.js';

export interface SignedHeaderOptions {
  /** Shared with the gateway: 32 bytes or more. */
  readonly secret: string;
  /** Default: `x-identity`. */
  readonly header?: string;
  /** Seconds for which a signature counts. Default: 60. */
  readonly maxAgeSeconds?: number;
}

/** Seconds since 1970, the claims as base64url, and the signature in hexadecimal digits. */
const FORM = /^(\d{1,12})\.([\w-]+)\.([\da-f]{64})$/;

/**
 * Identifies requests by a header that a gateway in front of the server has signed, as
 * `signIdentity` does. Anything else in the header is 401. The gateway has to remove the header
 * from requests of clients.
 */
export function signedHeader({
  secret,
  header = 'x-identity',
  maxAgeSeconds = 60,
}: SignedHeaderOptions): AuthenticateRequest {
  checkSecret(secret);
  const name = header.toLowerCase();
  const authenticate: AuthenticateRequest = ({ headers }) => {
    const value = headers[name];
    if (value === undefined) return undefined;
    const [, seconds = '', payload = '', signature = ''] = FORM.exec(value.toString()) ?? [];
    const expected = signatureOf(`${seconds}.${payload}`, secret);
    const isGenuine =
      signature.length === expected.length && timingSafeEqual(Buffer.from(signature), Buffer.from(expected));
    const age = Math.abs(Date.now() / 1000 - Number(seconds));
    const claims = isGenuine && age <= maxAgeSeconds ? Buffer.from(payload, 'base64url').toString() : undefined;
    if (claims !== undefined && isObject(claims)) return { claims };
    throw credentialRefused(
      'The identity of the gateway is not valid.',
      'Gateway',
      `\`${name}\` is set by the gateway.`,
    );
  };
  return Object.assign(authenticate, { reads: [name] });
}

/**
 * The value of the header for these claims: `<seconds since 1970>.<claims>.<signature>`, where the
 * claims are JSON in base64url, and the signature is the HMAC-SHA-256 of all before it.
 */
export function signIdentity(claims: Readonly<Record<string, unknown>>, secret: string, now = Date.now()): string {
  checkSecret(secret);
  const seconds = String(Math.floor(now / 1000));
  const signed = `${seconds}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
  return `${signed}.${signatureOf(signed, secret)}`;
}

const signatureOf = (signed: string, secret: string): string =>
  createHmac('sha256', secret).update(signed).digest('hex');

function checkSecret(secret: string): void {
  if (Buffer.byteLength(secret) < 32)
    throw misconfigured(
      'The secret of signed headers has fewer than 32 bytes.',
      'Make one with `openssl rand -base64 48`.',
    );
}

function isObject(text: string): boolean {
  try {
    return isRecord(JSON.parse(text));
  } catch {
    return false;
  }
}
