import type { IncomingHttpHeaders } from 'node:http';

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
