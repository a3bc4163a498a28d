import { isIP, isIPv4 } from 'node:net';
import type { IncomingMessage } from 'node:http';
import type { Settings } from '../settings/settings.js';

/** The address that a request is counted by. */
export type AddressOf = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string;

/**
 * With `app.server.trust-proxy` the last entry of `X-Forwarded-For` counts, which the nearest proxy
 * has added: a client writes those before it itself, and would have a new address in each request.
 * Source: https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/X-Forwarded-For,
 * "Security and privacy concerns".
 */
export function createAddressOf(settings: Pick<Settings, 'app.server.trust-proxy'>): AddressOf {
  const trusts = settings['app.server.trust-proxy'];
  return ({ headers, socket }) => {
    const forwarded = trusts ? headers['x-forwarded-for']?.toString().split(',').at(-1) : undefined;
    const known = forwarded === undefined ? undefined : networkOf(forwarded);
    return known ?? networkOf(socket.remoteAddress ?? '') ?? 'unknown';
  };
}

/**
 * Returns an IPv4 address unchanged, and the first 64 bits of an IPv6 address, because a household
 * or a rented server has all addresses that begin with these bits (RFC 6177, RFC 4291, 2.5.4).
 * Returns undefined for a text that is not an address.
 */
export function networkOf(text: string): string | undefined {
  const address = text
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/^::ffff:(?=[\d.]+$)/i, '')
    .replace(/%.*$/, '');
  if (isIPv4(address)) return address;
  if (isIP(address) === 0) return undefined;
  // The longest run of zeros may be left out; the last 32 bits may be an IPv4 address.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [before, after] = [groupsOf(head), groupsOf(tail ?? '')];
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => '0');
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`;
}

const groupsOf = (text: string): readonly string[] => (text === '' ? [] : text.split(':'));
