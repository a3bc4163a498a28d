import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { environmentName, settingDefinitions } from '../../runtime/src/settings/settings.js';
import { freePort } from '../support/free-port.js';
import { buildGenerated } from '../support/generated-program.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../support/postgres.js';
import { hasEnded } from '../support/running-server.js';
import { takePlace } from '../support/places/place.js';
import type { Transpiled } from '../support/transpile.js';
import { until } from '../support/until.js';

/**
 * The password of an address is in no line of the log and in no answer, whatever setting the
 * address is for, and however it fails: nobody listens, the other end hangs up, or the address can
 * be read in two ways or in none.
 */
const secret = 'sesame';

let database: TestDatabase;
let program: Transpiled;
/** Hangs up at once. */
let rude: Server;
beforeAll(async () => {
  rude = createServer((socket) => socket.destroy());
  rude.listen(0, '127.0.0.1');
  await once(rude, 'listening');
  database = await createTestDatabase('addresses');
  await loadSql(database.url, 'create table notes (id int primary key, body text)');
  program = await buildGenerated(database.url);
});
afterAll(async () => {
  rude.close();
  await program.remove();
  await database.drop();
});

/** By their kind: what follows the scheme. */
const addresses: Readonly<Record<string, () => string>> = {
  'that nobody listens at': () => `user:${secret}@127.0.0.1:1/0`,
  'whose other end hangs up': () => `user:${secret}@127.0.0.1:${String((rude.address() as AddressInfo).port)}/0`,
  'with an @ and a slash in the password': () => `user:open@${secret}/x@127.0.0.1:1/0`,
  'with a percent sign in the password': () => `user:${secret}%@127.0.0.1:1/0`,
  'with a port that is none': () => `user:${secret}@127.0.0.1:port/0`,
};

const redisRates = { APP_LIMITS_RATES: '[{"per":"address","requests":100,"seconds":60}]' };
const withChanges = { APP_CHANGES_SOURCE: 'notify' };
/** The variable that takes the address, its scheme, and what else makes the server use it. */
const settings: readonly (readonly [string, string, Readonly<Record<string, string>>])[] = [
  ['DATABASE_URL', 'postgres', {}],
  ['DATABASE_URL', 'mysql', {}],
  ['APP_DATASOURCE_REPLICAS', 'postgres', {}],
  ['APP_CHANGES_URL', 'postgres', withChanges],
  ['APP_CHANGES_URL', 'postgres', { APP_CHANGES_SOURCE: 'wal' }],
  ['APP_CHANGES_HUB_URL', 'redis', { ...withChanges, APP_CHANGES_HUB: 'redis' }],
  ['APP_CHANGES_HUB_URL', 'nats', { ...withChanges, APP_CHANGES_HUB: 'nats' }],
  ['APP_LIMITS_RATE_STORE', 'redis', redisRates],
  ['APP_SECURITY_AUTH_JWKS_URL', 'http', { APP_SECURITY_JWT_ENABLED: 'true' }],
];

/** The setting that messages name: `APP_CHANGES_HUB_URL` is `app.changes.hub-url`. */
const settingOf = (variable: string): string =>
  Object.keys(settingDefinitions).find((name) => environmentName(name) === variable) ?? '';

/** Everything that a server says from its start to its end, and how it ended. */
async function everythingSaid(environment: Readonly<Record<string, string>>): Promise<{ said: string; code: unknown }> {
  await takePlace();
  const port = String(await freePort());
  const child = spawn(process.execPath, ['dist/main.js'], {
    cwd: program.folder,
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      APP_LOG_LEVEL: 'debug',
      ...environment,
      PORT: port,
      HOST: '127.0.0.1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = once(child, 'close');
  const base = `http://127.0.0.1:${port}`;
  const ask = async (path: string, init: RequestInit): Promise<void> => {
    const answer = await fetch(`${base}${path}`, init);
    said += `${path}: ${String(answer.status)} ${await answer.text()}\n`;
  };
  const listens = (): Promise<boolean> =>
    fetch(`${base}/health/live`).then(
      () => true,
      () => false,
    );
  await until(async () => hasEnded(child) || (await listens()));
  if (!hasEnded(child)) {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      authorization: 'Bearer eyJhbGciOiJFUzI1NiIsImtpZCI6ImEifQ.e30.c2ln',
    };
    const body = JSON.stringify({ query: '{ notes { id } }' });
    for (const path of ['/health/ready', '/api/v1/notes', '/metrics']) await ask(path, { headers });
    await ask('/graphql', { method: 'POST', headers, body });
    child.kill('SIGTERM');
  }
  const [code] = (await ended) as [unknown];
  return { said, code };
}

describe.each(settings)('%s with %s', (variable, scheme, others) => {
  const key = variable === 'DATABASE_URL' ? variable : settingOf(variable);
  test.each(Object.entries(addresses))('an address %s', async (_, rest) => {
    const { said, code } = await everythingSaid({ ...others, [variable]: `${scheme}://${rest()}` });
    // A server that does not start says which setting is wrong.
    expect(said).toContain(code === 0 ? '/graphql: ' : key);
    expect(said.toLowerCase()).not.toContain(secret);
  });
});
