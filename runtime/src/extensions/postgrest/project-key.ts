import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { IdentityRequest } from '../../execute/custom/identity-request.js';

const bearer = /^bearer +(\S+) *$/i;
const jsonWebToken = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * Whether the bearer token only identifies the project. supabase-js sends the key of the project as
 * `apikey`, and also as the bearer token while no user is logged in. A key that is not a JSON Web
 * Token proves nothing, so the request is anonymous; a key that is a token is verified.
 */
export function isProjectKey({ apikey, authorization }: IncomingHttpHeaders): boolean {
  if (typeof apikey !== 'string' || authorization === undefined) return false;
  return bearer.exec(authorization)?.[1] === apikey && !jsonWebToken.test(apikey);
}

/** The request, without a token that only identifies the project. */
export function senderOf(request: IncomingMessage): IdentityRequest {
  if (!isProjectKey(request.headers)) return request;
  const { method, url, rawHeaders, headers } = request;
  return { method, url, rawHeaders, headers: { ...headers, authorization: undefined } };
}
