import { anonymousIdentity } from '../auth/identity.js';
import { withoutVerification, type Authenticator } from '../auth/without-verification.js';
import type { Identity } from '../dialect/driver.js';
import type { AuthenticateContext } from '../execute/custom/authenticate.js';
import { createPageOf } from '../http/senders.js';
import type { Observer } from '../observe/observation.js';
import type { Settings } from '../settings/settings.js';
import type { CustomServer } from './custom.js';

/**
 * The settings of a server whose custom code identifies requests. Policies, sessions of the
 * database and the checks at the start are then the same as with verified tokens, whichever way an
 * identity was found.
 */
export const withIdentities = (settings: Settings, { authenticate }: CustomServer): Settings =>
  authenticate === undefined ? settings : { ...settings, 'app.security.jwt-enabled': true };

export interface Authentication extends Authenticator {
  /** The names of the headers that requests are identified by. */
  readonly identifiedBy: readonly string[];
}

/**
 * Creates what identifies requests: `custom.authenticate` first, if there is one, then tokens.
 * Loads only the modules that the settings need.
 * @param settings as they were given: whether tokens are verified
 */
export async function createAuthentication(
  settings: Settings,
  { authenticate }: CustomServer,
  observe: Observer,
  as: AuthenticateContext['as'],
): Promise<Authentication> {
  const byTokens = settings['app.security.jwt-enabled'] ? ['authorization'] : [];
  const verifier = settings['app.security.jwt-enabled'] ? await import('../auth/authenticator.js') : undefined;
  const tokensOr = (unknown?: Identity): Authenticator =>
    verifier?.createAuthenticator(settings, { observe }) ?? withoutVerification(unknown);
  if (authenticate === undefined) return { ...tokensOr(), identifiedBy: byTokens };
  const tokens = tokensOr(anonymousIdentity(settings));
  const { withCustom } = await import('../auth/custom.js');
  const { reads = ['authorization', 'cookie'] } = authenticate;
  return {
    ...withCustom(tokens, authenticate, { as, pageOf: createPageOf(settings) }, settings),
    identifiedBy: [...new Set([...byTokens, ...reads.map((name) => name.toLowerCase())])],
  };
}
