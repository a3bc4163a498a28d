import { once } from 'node:events';
import { createServer, IncomingMessage, type Server } from 'node:http';
import { Socket, type AddressInfo } from 'node:net';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose';
import {
  createAuthenticator,
  type Authenticator,
  type AuthenticatorOptions,
} from '../../../runtime/src/auth/authenticator.js';
import { ServerError } from '../../../runtime/src/errors.js';
import type { Observation } from '../../../runtime/src/observe/observation.js';
import type { Identity } from '../../../runtime/src/dialect/driver.js';
import { settingDefinitions, type Settings } from '../../../runtime/src/settings/settings.js';

/** Default settings with token verification enabled, and the settings of the test. */
export function settingsWith(given: Partial<Settings>): Settings {
  const defaults = Object.entries(settingDefinitions).flatMap(([key, definition]) =>
    'default' in definition ? [[key, definition.default]] : [],
  );
  return { ...(Object.fromEntries(defaults) as Settings), 'app.security.jwt-enabled': true, ...given };
}

export interface TestKey {
  readonly alg: string;
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly pem: string;
  readonly jwk: JWK;
}

export async function createKey(alg = 'ES256', kid = alg): Promise<TestKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' };
  return { alg, kid, privateKey, publicKey, pem: await exportSPKI(publicKey), jwk };
}

/** Seconds since 1970-01-01 UTC at a time that is this many seconds from now. */
export const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

export interface SignOptions {
  readonly header?: Record<string, unknown>;
  /** Absent: one hour from now. Null: no `exp`. */
  readonly exp?: number | null;
}

export async function sign(
  key: TestKey,
  claims: JWTPayload = { sub: 'ada' },
  options: SignOptions = {},
): Promise<string> {
  const { header = {}, exp = inSeconds(3600) } = options;
  const payload = exp === null ? claims : { exp, ...claims };
  return await new SignJWT(payload).setProtectedHeader({ alg: key.alg, kid: key.kid, ...header }).sign(key.privateKey);
}

/** A token made by hand, because no library signs such headers and payloads. */
export const handmade = (header: unknown, payload: unknown, signature = 'c2ln'): string =>
  [JSON.stringify(header), typeof payload === 'string' ? payload : JSON.stringify(payload)]
    .map((part) => Buffer.from(part).toString('base64url'))
    .concat(signature)
    .join('.');

/** The same with a valid ES256 signature. */
export async function handSigned(key: TestKey, header: unknown, payload: unknown): Promise<string> {
  const input = handmade(header, payload, '').slice(0, -1);
  const how = { name: 'ECDSA', hash: 'SHA-256' };
  const signature = await crypto.subtle.sign(how, key.privateKey, Buffer.from(input));
  return `${input}.${Buffer.from(signature).toString('base64url')}`;
}

/**
 * A request as Node parses it: `rawHeaders` has all headers, and `headers` the first header of each
 * name.
 */
export function requestWith(...headers: readonly (readonly [string, string])[]): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.rawHeaders = headers.flat();
  request.headers = Object.fromEntries(headers.toReversed().map(([name, value]) => [name.toLowerCase(), value]));
  return request;
}

export const bearer = (token: string): IncomingMessage => requestWith(['Authorization', `Bearer ${token}`]);

/** Authenticators of one test file; call `closeAll` in afterEach. */
export function authenticators(): {
  readonly create: (given: Partial<Settings>, options?: AuthenticatorOptions) => Authenticator;
  readonly closeAll: () => void;
} {
  const open: Authenticator[] = [];
  return {
    create: (given, options) => {
      const created = createAuthenticator(settingsWith(given), options);
      open.push(created);
      return created;
    },
    closeAll: () => {
      for (const each of open.splice(0)) each.close();
    },
  };
}

export async function identify(authenticator: Authenticator, request: IncomingMessage): Promise<Identity> {
  return await authenticator.authenticate(request);
}

/** The ServerError that a function throws or rejects with. */
export async function failureOf(work: () => unknown): Promise<ServerError> {
  try {
    await work();
  } catch (error) {
    if (error instanceof ServerError) return error;
    throw error;
  }
  throw new Error('It should have failed.');
}

export interface JwksEndpoint {
  readonly url: string;
  /** The number of requests that it has received. */
  readonly requests: () => number;
  serve(keys: readonly JWK[]): void;
  /** Changes its answers to this status and text. */
  answer(status: number, text: string): void;
  /** Stops listening; `start` listens again at the same address. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

export async function createJwksEndpoint(keys: readonly JWK[]): Promise<JwksEndpoint> {
  let reply = { status: 200, text: JSON.stringify({ keys }) };
  let requests = 0;
  let port = 0;
  let server: Server | undefined;
  const start = async (): Promise<void> => {
    server = createServer((_request, response) => {
      requests += 1;
      response.writeHead(reply.status, { 'content-type': 'application/json', connection: 'close' }).end(reply.text);
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  };
  await start();
  return {
    url: `http://127.0.0.1:${port}/jwks.json`,
    requests: () => requests,
    serve: (next) => {
      reply = { status: 200, text: JSON.stringify({ keys: next }) };
    },
    answer: (status, text) => {
      reply = { status, text };
    },
    stop: async () => {
      const stopping = server;
      server = undefined;
      if (stopping === undefined) return;
      stopping.closeAllConnections();
      await new Promise((done) => stopping.close(done));
    },
    start,
  };
}

/** Collects observations. */
export function recorder(): { readonly observe: (each: Observation) => void; readonly seen: Observation[] } {
  const seen: Observation[] = [];
  return { observe: (each) => seen.push(each), seen };
}
