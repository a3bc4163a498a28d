import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServerError, codes } from '../errors.js';
import type { Settings } from '../settings/settings.js';

/** Puts what the origin of a request may do into its answer, and says whether the request was a preflight: then it is answered. */
export type Cors = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Every method that some path takes. A path says itself, with 405 and `Allow`, which ones it does not. */
const methods = 'GET, HEAD, POST, PATCH, PUT, DELETE';

/** What a client may need from an answer, beside the headers that browsers always show to it. */
const exposed = [
  'Allow',
  'Content-Profile',
  'Content-Range',
  'ETag',
  'Location',
  'Preference-Applied',
  'Retry-After',
  'Server-Timing',
  'WWW-Authenticate',
  'X-Request-Id',
].join(', ');

/**
 * Cross-origin requests as `app.cors.*` allows them; undefined when no origin is allowed.
 * Throws ServerError `misconfigured` for what is no origin, and for credentials of every origin.
 * Source: https://fetch.spec.whatwg.org/#http-cors-protocol
 */
export function createCors(settings: Settings): Cors | undefined {
  const origins = new Set(settings['app.cors.origins']);
  const credentials = settings['app.cors.credentials'];
  check(origins, credentials);
  if (origins.size === 0) return undefined;
  const everyone = origins.has('*');
  const maxAge = settings['app.cors.max-age-seconds'];

  return (request, response) => {
    // A cache must not give the answer for one origin to another, also not that of a request without one.
    if (!everyone) response.setHeader('vary', 'Origin');
    const { origin } = request.headers;
    if (!everyone && (origin === undefined || !origins.has(origin))) return false;
    response.setHeader('access-control-allow-origin', everyone ? '*' : (origin ?? ''));
    if (credentials) response.setHeader('access-control-allow-credentials', 'true');
    if (isPreflight(request)) {
      answerPreflight(request, response, maxAge);
      return true;
    }
    response.setHeader('access-control-expose-headers', exposed);
    return false;
  };
}

/** Other OPTIONS requests are the path's own to answer, with `Allow`. */
const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;

/**
 * Answered for every path, also one that is not there: a browser shows a page the 404 of its request only after a preflight that went
 * well. Which headers are sent is the client's affair: the user's own routes may take any.
 */
function answerPreflight(request: IncomingMessage, response: ServerResponse, maxAge: number): void {
  const requested = request.headers['access-control-request-headers'];
  const before = response.getHeader('vary');
  response.setHeader('vary', `${before === undefined ? '' : `${String(before)}, `}Access-Control-Request-Headers`);
  response.setHeader('access-control-allow-methods', methods);
  response.setHeader('access-control-max-age', maxAge);
  if (requested !== undefined) response.setHeader('access-control-allow-headers', requested);
  response.writeHead(204).end();
}

function check(origins: ReadonlySet<string>, credentials: boolean): void {
  for (const origin of origins) {
    if (origin === '*' || isOrigin(origin)) continue;
    throw new ServerError(500, codes.misconfigured, `\`${origin}\` in app.cors.origins is not an origin.`, {
      hint: 'An origin is scheme, host and, where it is not the usual one, port, without a path: https://app.example.com',
    });
  }
  if (!credentials || !origins.has('*')) return;
  throw new ServerError(500, codes.misconfigured, 'app.cors.credentials cannot go with every origin (`*`).', {
    hint: 'Name the origins in app.cors.origins. Tokens in the Authorization header need no credentials.',
  });
}

/** As browsers write it: in lower case, without the port that the scheme implies. Applications have schemes of their own. */
function isOrigin(text: string): boolean {
  if (/^https?:/i.test(text)) return !text.includes('*') && URL.canParse(text) && new URL(text).origin === text;
  return /^[a-z][a-z\d+.-]*:\/\/[a-z\d.:-]+$/.test(text);
}
