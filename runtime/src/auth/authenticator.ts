import type { JWTPayload, JWTVerifyOptions } from 'jose';
import type { Observer } from '../observe/observation.js';
import type { Identity } from '../dialect/driver.js';
import type { Settings } from '../settings/settings.js';
import { authorizationOf, bearerToken } from './bearer.js';
import { leewaySeconds } from './claim-times.js';
import { unauthenticated } from './failures.js';
import { anonymousIdentity, identityOf, roleFinder } from './identity.js';
import { createKeySource, type KeySourceTimes } from './key-source.js';
import { createTokenCache } from './token-cache.js';
import { isAudience, verificationFailure } from './verification-failure.js';
import { withoutVerification, type Authenticator } from './without-verification.js';

export type { Authenticator } from './without-verification.js';

export interface AuthenticatorOptions {
  readonly observe?: Observer;
  /** The identity of every request where tokens are not verified. Default: nothing is set. */
  readonly unknown?: Identity;
  /** Intervals of the key source, for tests. */
  readonly times?: KeySourceTimes;
}

/**
 * Turns `Authorization` into verified claims, if token verification is on. Source: decision 007.
 * With verification off the header is not read. Throws ServerError `misconfigured`
 * when the settings cannot work.
 */
export function createAuthenticator(settings: Settings, options: AuthenticatorOptions = {}): Authenticator {
  if (!settings['app.security.jwt-enabled']) return withoutVerification(options.unknown);
  const anonymous = anonymousIdentity(settings);
  roleFinder(settings);
  const cache = createTokenCache();
  const observe: Observer = options.observe ?? (() => undefined);
  const listeners = new Set<() => void>();
  const changed = (): void => {
    cache.clear();
    for (const listener of listeners) listener();
  };
  const keys = createKeySource(settings, { onChange: changed, observe }, options.times);
  const checks = verifyOptions(settings);

  const verify = async (authorization: string): Promise<Identity> => {
    const remember = cache.ticket();
    try {
      const token = bearerToken(authorization);
      const claims = await keys.verify(token, checks);
      checkForms(claims);
      const identity = identityOf(claims, payloadText(token), settings);
      remember(authorization, { identity, expires: (claims.exp ?? 0) * 1000 });
      return identity;
    } catch (error) {
      throw verificationFailure(error);
    }
  };
  return {
    authenticate: (request) => {
      const authorization = authorizationOf(request);
      return authorization === undefined ? anonymous : (cache.get(authorization) ?? verify(authorization));
    },
    hasKeys: keys.hasKeys,
    onKeysChanged: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    close: keys.close,
  };
}

/**
 * `1e999` is a number in JSON, but not a time: a token that never expires is a mistake. The forms
 * of the other claims are checked whether or not the server looks at their values. Throws
 * ServerError 401.
 */
function checkForms({ exp, nbf, aud }: JWTPayload): void {
  if (!Number.isFinite(exp)) throw unauthenticated('The token has no usable exp claim.', undefined, { problem: 'exp' });
  if (nbf !== undefined && !Number.isFinite(nbf))
    throw unauthenticated('The token has no usable nbf claim.', undefined, { problem: 'nbf' });
  if (!isAudience(aud)) throw unauthenticated('The token has no usable aud claim.', undefined, { problem: 'aud' });
}

function verifyOptions(settings: Settings): JWTVerifyOptions {
  const issuer = settings['app.security.auth.issuer'];
  const audience = settings['app.security.auth.audience'];
  return {
    requiredClaims: ['exp'],
    clockTolerance: leewaySeconds,
    ...(issuer === undefined ? {} : { issuer }),
    ...(audience === undefined ? {} : { audience }),
  };
}

/** The claims exactly as they were signed; jose has verified and parsed them already. */
function payloadText(token: string): string {
  return Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8');
}
