import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServerError, codes } from '../errors.js';
import type { Settings } from '../settings/settings.js';

/**
 * Sets the headers that tell the origin of a request which requests it may make. Returns whether
 * the request was a preflight, which is then answered.
 */
export type Cors = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Every method of any path. A path that lacks a method answers it with 405 and `Allow`. */
const methods = 'GET, HEAD, POST, PATCH, PUT, DELETE';

/**
 * Headers of an answer that a script may need. Browsers hide all but a few unless the server names
 * them.
 */
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
];

/**
 * Allows cross-origin requests according to `app.cors.*`; undefined if no origin is allowed. Throws
 * ServerError `misconfigured` for a text that is not an origin, and for credentials together with
 * `*`. Source: https://fetch.spec.whatwg.org/#http-cors-protocol
 * @param others headers of answers that extensions set
 */
export function createCors(settings: Settings, others: readonly string[] = []): Cors | undefined {
  const origins = new Set(settings['app.cors.origins']);
  const credentials = settings['app.cors.credentials'];
  check(origins, credentials);
  if (origins.size === 0) return undefined;
  const everyone = origins.has('*');
  const named = [...exposed, ...others].join(', ');
  const maxAge = settings['app.cors.max-age-seconds'];

  return (request, response) => {
    // A cache must not reuse the answer for one origin, or for no origin, for a request of another.
    if (!everyone) response.setHeader('vary', 'Origin');
    const { origin } = request.headers;
    if (!everyone && (origin === undefined || !origins.has(origin))) return false;
    response.setHeader('access-control-allow-origin', everyone ? '*' : (origin ?? ''));
    if (credentials) response.setHeader('access-control-allow-credentials', 'true');
    if (isPreflight(request)) {
      answerPreflight(request, response, maxAge);
      return true;
    }
    response.setHeader('access-control-expose-headers', named);
    return false;
  };
}

/** The path itself answers other OPTIONS requests, with `Allow`. */
const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;

/**
 * Answers for every path, even for a path that does not exist: only after a successful preflight
 * does the browser show the 404 of the request to the page. All headers are allowed, because the
 * user's own routes may read any header.
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
  throw new ServerError(500, codes.misconfigured, 'app.cors.credentials cannot be combined with every origin (`*`).', {
    hint: 'Name the origins in app.cors.origins. Tokens in the Authorization header need no credentials.',
  });
}

/**
 * Whether a text is an origin as browsers write it: in lower case, and without the default port of
 * the scheme. Applications may have schemes other than HTTP.
 */
function isOrigin(text: string): boolean {
  if (/^https?:/i.test(text)) return !text.includes('*') && URL.canParse(text) && new URL(text).origin === text;
  return /^[a-z][a-z\d+.-]*:\/\/[a-z\d.:-]+$/.test(text);
}
