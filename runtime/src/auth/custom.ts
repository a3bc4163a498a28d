import type { Authenticate, AuthenticateContext, IdentityRequest } from '../execute/custom/authenticate.js';
import type { ActingIdentity } from '../execute/custom/acting-identity.js';
import type { Identity } from '../dialect/driver.js';
import type { Settings } from '../settings/settings.js';
import { actingIdentity } from './acting.js';
import type { Authenticator } from './authenticator.js';
import { checkClaimTimes } from './claim-times.js';
import { roleRefused } from './failures.js';

/**
 * Asks the user's code first. A request that it does not know is judged by its token.
 * @param context has the database, so it is made when the server is complete
 */
export function withCustom(
  tokens: Authenticator,
  authenticate: Authenticate,
  context: AuthenticateContext,
  settings: Settings,
): Authenticator {
  const decide = (request: IdentityRequest, found: ActingIdentity | undefined): Promise<Identity> | Identity =>
    found === undefined ? tokens.authenticate(request) : identityOf(found, settings);
  return {
    ...tokens,
    authenticate: (request) => {
      const found = authenticate(request, context);
      return found instanceof Promise ? found.then((each) => decide(request, each)) : decide(request, found);
    },
  };
}

/**
 * The first identity that one of these gives. An invalid credential refuses the request at once.
 */
export function firstIdentity<Database>(...all: readonly Authenticate<Database>[]): Authenticate<Database> {
  const authenticate: Authenticate<Database> = async (request, context) => {
    for (const each of all) {
      const found = await each(request, context);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return Object.assign(authenticate, { reads: all.flatMap(({ reads = [] }) => reads) });
}

/**
 * The server has checked only the roles of the settings at its start. Throws ServerError 403 for
 * another one, and 401 for claims whose times are over.
 */
function identityOf(found: ActingIdentity, settings: Settings): Identity {
  checkClaimTimes(found);
  const { role } = found;
  const known = [
    ...settings['app.security.allowed-roles'],
    settings['app.security.default-role'],
    settings['app.security.anonymous-role'],
  ];
  if (role !== undefined && !known.includes(role)) throw roleRefused(role);
  return actingIdentity(found, settings);
}
