import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { exportSPKI, generateKeyPair, SignJWT, type CryptoKey } from 'jose';
import { createAuthenticator } from '../../runtime/src/auth/authenticator.js';
import { loadSettings } from '../../runtime/src/settings/load-settings.js';
import { median } from '../harness/figures.js';
import { progress, publish, reportOptions } from '../harness/report.js';

interface Cost {
  readonly algorithm: string;
  /** Microseconds to verify a new token. */
  readonly first: number;
  /** Microseconds for a token that the cache has. */
  readonly again: number;
}

const ROUNDS = 5;
const TOKENS = 500;

/**
 * Measures the cost of verification per request: for a new token, and for a token that the cache
 * has.
 */
export async function runToken(args: readonly string[]): Promise<void> {
  const costs: Cost[] = [];
  for (const algorithm of ['RS256', 'PS256', 'ES256', 'EdDSA']) {
    progress(algorithm);
    costs.push(await measure(algorithm));
  }
  publish(
    {
      name: 'token',
      head: ['signed with', 'first time, µs', 'seen before, µs', 'at most'],
      rows: costs.map(({ algorithm, first, again }) => [algorithm, first.toFixed(0), again.toFixed(1), '10']),
      figures: costs,
    },
    reportOptions(args),
  );
}

async function measure(algorithm: string): Promise<Cost> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
  const pem = await exportSPKI(publicKey);
  const settings = loadSettings({ 'app.security.jwt-enabled': true, 'app.security.auth.public-key': pem }, {});
  const tokens = await signMany(algorithm, privateKey);
  const first: number[] = [];
  const again: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const authenticator = createAuthenticator(settings);
    first.push(await perToken(tokens, (request) => authenticator.authenticate(request)));
    again.push(await perToken(tokens, (request) => authenticator.authenticate(request)));
    authenticator.close();
  }
  return { algorithm, first: median(first), again: median(again) };
}

/**
 * The requests are made before the clock starts, each with a string of its own, as an HTTP parser
 * makes them.
 */
async function perToken(tokens: readonly string[], work: (request: IncomingMessage) => unknown): Promise<number> {
  const requests = tokens.map(requestWith);
  const start = performance.now();
  for (const request of requests) {
    const pending = work(request);
    if (pending instanceof Promise) await pending;
  }
  return ((performance.now() - start) * 1000) / requests.length;
}

function requestWith(token: string): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  const authorization = Buffer.from(`Bearer ${token}`).toString('latin1');
  request.rawHeaders = ['Host', 'localhost', 'Accept', '*/*', 'User-Agent', 'bench', 'Authorization', authorization];
  request.headers = { authorization };
  return request;
}

const signMany = (algorithm: string, key: CryptoKey): Promise<string[]> =>
  Promise.all(
    Array.from({ length: TOKENS }, (_, at) =>
      new SignJWT({ sub: `user${at}`, projectId: 'p1', name: 'Somebody', roles: ['reader', 'editor'], exp: 4e9 })
        .setProtectedHeader({ alg: algorithm, kid: 'bench' })
        .sign(key),
    ),
  );
