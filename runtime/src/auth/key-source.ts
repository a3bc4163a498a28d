import type { Settings } from '../settings/settings.js';
import { misconfigured } from '../errors.js';
import { createJwksSource, type JwksTimes } from './jwks-source.js';
import { createSecretSource } from './secret-source.js';
import { createPemFileSource, createPemSource } from './pem-source.js';
import type { KeySource, KeySourceContext } from './verification-keys.js';

export interface KeySourceTimes extends JwksTimes {
  /** Milliseconds between two looks at a PEM file. */
  readonly filePollMs?: number;
}

const keySettings = [
  'app.security.auth.jwks-url',
  'app.security.auth.public-key',
  'app.security.auth.public-key-file',
  'app.security.auth.secret',
] as const;

/**
 * The one key source that the settings name. Throws ServerError `misconfigured` when they name none
 * or several, or when the one is unusable. Source: decision 007.
 */
export function createKeySource(settings: Settings, context: KeySourceContext, times: KeySourceTimes = {}): KeySource {
  const given = keySettings.filter((key) => settings[key] !== undefined && settings[key] !== '');
  if (given.length !== 1) throw wrongNumber(given);
  const {
    [keySettings[0]]: url,
    [keySettings[1]]: pem,
    [keySettings[2]]: file = '',
    [keySettings[3]]: secret,
  } = settings;
  if (url) return createJwksSource(url, context, times);
  if (pem) return createPemSource(pem);
  if (secret) return createSecretSource(secret);
  return createPemFileSource(file, context, times.filePollMs);
}

function wrongNumber(given: readonly string[]): Error {
  const found = given.length === 0 ? 'none is set' : `${given.join(' and ')} are set`;
  return misconfigured(
    `Token verification is on and needs exactly one key source, but ${found}.`,
    `Set one of ${keySettings.join(', ')}; or turn verification off with app.security.jwt-enabled=false.`,
  );
}
