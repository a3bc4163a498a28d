import type { IncomingMessage } from 'node:http';
import type { JWTPayload, JWTVerifyOptions } from 'jose';
import type { Observer } from '../observe/observation.js';
import type { Identity } from '../dialect/driver.js';
import type { Settings } from '../settings/settings.js';
import { authorizationOf, bearerToken } from './bearer.js';
import { unauthenticated, verificationFailure } from './failures.js';
import { anonymousIdentity, identityOf } from './identity.js';
import { createKeySource, type KeySourceTimes } from './key-source.js';
import { createTokenCache } from './token-cache.js';

export interface Authenticator {
  /**
   * The identity of the request. At once for a token seen before, otherwise a promise. No token:
   * the anonymous identity. Throws or rejects with ServerError: 401 for a token that is present and
   * not valid, 403 for a role that is not allowed, 503 while there are no keys.
   */
  readonly authenticate: (request: IncomingMessage) => Promise<Identity> | Identity;
  /** The same for an Authorization value from elsewhere: `connection_init` of a WebSocket. */
  readonly authenticateHeader: (authorization: string | undefined) => Promise<Identity> | Identity;
  /**
   * Whether there are keys to verify tokens with, or none are needed. Tries to get some when there
   * are none.
   */
  readonly hasKeys: () => boolean;
  /** Stops watching the key source. */
  readonly close: () => void;
}

export interface AuthenticatorOptions {
  readonly observe?: Observer;
  /** Intervals of the key source, for tests. */
  readonly times?: KeySourceTimes;
}

/** Clocks of issuer and server may differ by this much. Decisions 7. */
const LEEWAY_SECONDS = 30;

/**
 * Turns `Authorization` into verified claims, if token verification is on. Source: contract 5,
 * decisions 7. With verification off the header is not read. Throws ServerError `misconfigured`
 * when the settings cannot work.
 */
export function createAuthenticator(settings: Settings, options: AuthenticatorOptions = {}): Authenticator {
  if (!settings['app.security.jwt-enabled']) return withoutVerification;
  const anonymous = anonymousIdentity(settings);
  const cache = createTokenCache();
  const observe: Observer = options.observe ?? (() => undefined);
  const keys = createKeySource(settings, { onChange: cache.clear, observe }, options.times);
  const checks = verifyOptions(settings);

  const verify = async (authorization: string): Promise<Identity> => {
    const remember = cache.ticket();
    try {
      const token = bearerToken(authorization);
      const claims = await keys.verify(token, checks);
      checkTimes(claims);
      const identity = identityOf(claims, payloadText(token), settings);
      remember(authorization, { identity, expires: (claims.exp ?? 0) * 1000 });
      return identity;
    } catch (error) {
      throw verificationFailure(error);
    }
  };
  const authenticateHeader = (authorization: string | undefined): Promise<Identity> | Identity => {
    if (authorization === undefined) return anonymous;
    return cache.get(authorization) ?? verify(authorization);
  };
  return {
    authenticate: (request) => authenticateHeader(authorizationOf(request)),
    authenticateHeader,
    hasKeys: keys.hasKeys,
    close: keys.close,
  };
}

/**
 * `1e999` is a number in JSON, but not a time: a token that never expires is a mistake. Throws
 * ServerError 401.
 */
function checkTimes({ exp, nbf }: JWTPayload): void {
  if (!Number.isFinite(exp)) throw unauthenticated('The token has no usable exp claim.');
  if (nbf !== undefined && !Number.isFinite(nbf)) throw unauthenticated('The token has no usable nbf claim.');
}

const nobody: Identity = Object.freeze({});

const withoutVerification: Authenticator = {
  authenticate: () => nobody,
  authenticateHeader: () => nobody,
  hasKeys: () => true,
  close: () => undefined,
};

function verifyOptions(settings: Settings): JWTVerifyOptions {
  const issuer = settings['app.security.auth.issuer'];
  const audience = settings['app.security.auth.audience'];
  return {
    requiredClaims: ['exp'],
    clockTolerance: LEEWAY_SECONDS,
    ...(issuer === undefined ? {} : { issuer }),
    ...(audience === undefined ? {} : { audience }),
  };
}

/** The claims exactly as they were signed; jose has verified and parsed them already. */
function payloadText(token: string): string {
  return Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8');
}
