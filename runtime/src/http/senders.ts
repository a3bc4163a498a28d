import { isIPv4 } from 'node:net';
import { ServerError, codes } from '../errors.js';
import type { IdentityRequest, SendingPage } from '../execute/custom/authenticate.js';
import type { Settings } from '../settings/settings.js';

/** Throws ServerError 403 if a request at this address, or of this page, is not answered. */
export type CheckSender = (request: IdentityRequest) => void;

/** Methods that change nothing: any page may send a request with one of them. */
const reading: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses requests to a host that is not known, and requests that may write and come from a page
 * that is neither the server's own nor allowed by `app.cors.origins`. CORS alone hides only the
 * answer: a browser sends a POST without media type, or from a form, without asking. Clients that
 * are no browsers send none of these headers.
 */
export function createCheckSender(settings: Settings): CheckSender {
  const isForeign = createIsForeign(settings);
  const checkHost = createCheckHost(settings);
  return (request) => {
    checkHost(request);
    if (reading.has(request.method ?? '') || !isForeign(request)) return;
    throw new ServerError(403, codes.refused, 'A page of this origin may not send requests that write.', {
      hint: 'Name the origin in app.cors.origins. Behind a proxy that changes Host, set app.server.trust-proxy.',
    });
  };
}

/** Whether a page sends the request that is neither the server's own nor of an allowed origin. */
export function createIsForeign(settings: Settings): (request: IdentityRequest) => boolean {
  const all = settings['app.cors.origins'].includes('*');
  const pageOf = createPageOf(settings);
  return (request) => pageOf(request) === 'foreign' && !all;
}

/**
 * Which page sends a request. `Sec-Fetch-Site` comes first, because the browser compares with the
 * address that it sees: that holds behind any proxy. Browsers leave it out on plain HTTP, except
 * for loopback addresses.
 * Source: https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header
 */
export function createPageOf(settings: Settings): (request: IdentityRequest) => SendingPage {
  const listed = new Set(settings['app.cors.origins']);
  const address = createAddress(settings);
  return (request) => {
    const { origin, 'sec-fetch-site': site } = request.headers;
    if (origin === undefined && site === undefined) return 'none';
    if (site === 'same-origin' || site === 'none') return 'own';
    if (origin === undefined) return 'foreign';
    if (listed.has(origin)) return 'listed';
    return site === undefined && isOwn(origin, address(request)) ? 'own' : 'foreign';
  };
}

/**
 * Throws ServerError 403 for a host that is not known. In development the console and the API show
 * their tables to everybody who reaches the server. A page of another site reaches it if the name
 * of that site is made to resolve to 127.0.0.1 (DNS rebinding), but then its requests name that
 * site in `Host`. In production a proxy and tokens decide.
 */
export function createCheckHost(settings: Settings): CheckSender {
  return settings['app.server.production'] ? () => undefined : checkBy(createIsKnownHost(settings));
}

/** The same for the console, also of the name at which a trusted proxy was asked. */
export function createCheckConsoleHost(settings: Settings): CheckSender {
  return settings['app.server.production'] ? () => undefined : checkBy(createIsKnownAddress(settings));
}

const checkBy =
  (isKnown: (request: IdentityRequest) => boolean): CheckSender =>
  (request) => {
    if (isKnown(request)) return;
    throw new ServerError(403, codes.refused, 'In development this server does not answer at this host name.', {
      hint: 'Use http://localhost, or name the host in app.console-hosts.',
    });
  };

/** Whether a request names this machine in `Host`, or a host of the settings. */
function createIsKnownHost(settings: Settings): (request: IdentityRequest) => boolean {
  const isKnown = createIsKnownName(settings);
  // Clients repeat their host with every request.
  let last: string | undefined;
  return ({ headers: { host = '' } }) => {
    if (host === last) return true;
    const known = isKnown(host);
    if (known) last = host;
    return known;
  };
}

/** The forwarded host counts besides `Host`: a page at a rebound name can send that header. */
function createIsKnownAddress(settings: Settings): (request: IdentityRequest) => boolean {
  const isKnown = createIsKnownName(settings);
  const address = createAddress(settings);
  return (request) => isKnown(request.headers.host ?? '') && isKnown(address(request).host ?? '');
}

function createIsKnownName(settings: Settings): (host: string) => boolean {
  const known = new Set([...settings['app.console-hosts'], settings['app.server.host']].map((name) => hostname(name)));
  return (host) => {
    const name = hostname(host);
    return name !== '' && (isLoopback(name) || known.has(name));
  };
}

/**
 * Throws ServerError 403 for a page that may not call tools. A page may call them if its origin is
 * listed, or if it is the server's own page at a known host: a page at a rebound name is not.
 * Clients other than browsers send no origin, and may.
 * Source: Model Context Protocol, Transports, "Security Warning".
 */
export function createCheckToolPage(settings: Settings): CheckSender {
  const all = settings['app.cors.origins'].includes('*');
  const pageOf = createPageOf(settings);
  const isKnown = createIsKnownAddress(settings);
  return (request) => {
    const page = pageOf(request);
    if (all || page === 'none' || page === 'listed' || (page === 'own' && isKnown(request))) return;
    throw new ServerError(403, codes.refused, 'A page of this origin may not call tools.', {
      hint: 'Name the origin in app.cors.origins, or the host of a page of this server in app.console-hosts.',
    });
  };
}

/** The address of the server as its client sees it, without a path; undefined without `Host`. */
export function createBaseOf(settings: Settings): (request: IdentityRequest) => string | undefined {
  const address = createAddress(settings);
  return (request) => {
    const { host, scheme } = address(request);
    const url = `${scheme?.toLowerCase() ?? 'http'}://${host ?? ''}`;
    return host !== undefined && URL.canParse(url) ? new URL(url).origin : undefined;
  };
}

interface Address {
  /** With the port. */
  readonly host: string | undefined;
  /** Known only from a proxy: the proxy encrypts, and this server does not see it. */
  readonly scheme: string | undefined;
}

/** The address that the client sent the request to, as far as the server can know it. */
function createAddress(settings: Settings): (request: IdentityRequest) => Address {
  if (!settings['app.server.trust-proxy']) return ({ headers: { host } }) => ({ host, scheme: undefined });
  return ({ headers }) => ({
    host: first(headers['x-forwarded-host']) ?? headers.host,
    scheme: first(headers['x-forwarded-proto']),
  });
}

/** Several proxies make a list; the first entry is what the client sent. */
const first = (header: string | readonly string[] | undefined): string | undefined =>
  header?.toString().split(',')[0]?.trim();

/** A page is the server's own if it has its host and port, whatever encrypts in between. */
function isOwn(origin: string, { host, scheme }: Address): boolean {
  if (host === undefined || !URL.canParse(origin)) return false;
  const page = new URL(origin);
  if (scheme !== undefined && page.protocol !== `${scheme.toLowerCase()}:`) return false;
  const own = `${page.protocol}//${host}`;
  return page.host !== '' && URL.canParse(own) && new URL(own).host === page.host;
}

/** Without the port, in lower case; an IPv6 address in brackets. Empty for what is no host. */
function hostname(host: string): string {
  const bracketed = host.includes(':') && /^[\da-f:.]+$/i.test(host) && !/^[^:]*:\d+$/.test(host) ? `[${host}]` : host;
  const url = `http://${bracketed}`;
  return URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') : '';
}

const isLoopback = (name: string): boolean =>
  name === 'localhost' || name.endsWith('.localhost') || name === '[::1]' || (isIPv4(name) && name.startsWith('127.'));
