import type { IncomingHttpHeaders } from 'node:http';

const bearer = /^bearer +(\S+) *$/i;
const jsonWebToken = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * Whether the bearer token says only which project is meant. supabase-js sends the key of the
 * project as `apikey`, and as the bearer token, too, while
 * nobody is logged in. A key that is no JSON Web Token proves nothing, so the request is
 * anonymous; one that is a token is verified.
 */
export function isProjectKey({ apikey, authorization }: IncomingHttpHeaders): boolean {
  if (typeof apikey !== 'string' || authorization === undefined) return false;
  return bearer.exec(authorization)?.[1] === apikey && !jsonWebToken.test(apikey);
}
