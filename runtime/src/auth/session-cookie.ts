import { cookiesOf } from '../cookies.js';
import { codes, ServerError } from '../errors.js';
import type {
  Authenticate,
  AuthenticateContext,
  IdentityRequest,
  SendingPage,
} from '../execute/custom/authenticate.js';
import type { AnyDatabase } from '../execute/hooks/table-hooks.js';
import type { ActingIdentity } from '../execute/custom/acting-identity.js';
import { credentialRefused, IdentityLookup, type LookupOptions } from './credentials.js';

export interface SessionCookieOptions<Database = AnyDatabase> extends LookupOptions {
  /** The name of the cookie: `__Host-session`. */
  readonly cookie: string;
  /** The identity of the session with this value; undefined for a session that has ended. */
  readonly find: (
    value: string,
    context: AuthenticateContext<Database>,
  ) => Promise<ActingIdentity | undefined> | ActingIdentity | undefined;
}

/** Methods that change nothing. */
const reading: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Pages whose requests a cookie may authorise to write. */
const trusted: ReadonlySet<SendingPage> = new Set(['own', 'listed']);

/**
 * Identifies requests by a session cookie. A browser sends a cookie with requests of every page, so
 * a request that may write, and every WebSocket, counts only if the browser says that it comes from
 * the server's own page, or from an origin in `app.cors.origins` by its name: any other is 403
 * (cross-site request forgery). A cookie of no session is 401. Sessions are not remembered unless
 * `cacheSeconds` says so.
 */
export function sessionCookie<Database = AnyDatabase>(options: SessionCookieOptions<Database>): Authenticate<Database> {
  const { cookie, find } = options;
  const lookup = new IdentityLookup(options);
  const authenticate: Authenticate<Database> = async (request, context) => {
    const values = cookiesOf(request.headers.cookie).flatMap(([name, value]) => (name === cookie ? [value] : []));
    const [value, ...more] = values;
    if (value === undefined) return undefined;
    if (mayWrite(request) && !trusted.has(context.pageOf(request))) throw forged();
    // A page of a neighbouring host may have set the other one.
    const found = more.length > 0 ? undefined : await lookup.find(value, () => find(value, context));
    if (found !== undefined) return found;
    throw credentialRefused('The session is not valid.', 'Cookie', 'Sign in again, or send no session cookie.');
  };
  return Object.assign(authenticate, { reads: ['cookie'] });
}

const mayWrite = ({ method = '', headers, connectionParams }: IdentityRequest): boolean =>
  !reading.has(method) || headers.upgrade !== undefined || connectionParams !== undefined;

const forged = (): ServerError =>
  new ServerError(403, codes.refused, 'A session cookie writes only from a page of this server.', {
    hint: 'Name the origin of the page in app.cors.origins. Clients that are not browsers send `Origin`, or a token instead of a cookie.',
  });
