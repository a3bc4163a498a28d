import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { until, type ServedServer } from '../../support/served-as-role.js';
import { createKey, sign } from '../auth/support.js';
import { openLive, type Live } from './support/live.js';

/** Connections that stay open, and the key of their tokens. */
let live: Live;
let folder: string;
let server: ServedServer;

const file = (): string => join(folder, 'key.pem');

async function writeKey(pem: string): Promise<void> {
  await writeFile(`${file()}.new`, pem);
  await rename(`${file()}.new`, file());
}

beforeAll(async () => {
  live = await openLive();
  folder = await mkdtemp(join(tmpdir(), 'tablewright-keys-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await live.stop();
});

interface Open {
  readonly acknowledged: () => boolean;
  /** The code of the close, once it is closed. */
  readonly code: () => number | undefined;
  readonly close: () => void;
}

function open(token: string | undefined, where: 'upgrade' | 'payload'): Open {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const socket = new WebSocket(`${server.base.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
    headers: where === 'upgrade' ? headers : {},
  });
  let [code, acknowledged]: [number | undefined, boolean] = [undefined, false];
  socket.on('open', () => {
    socket.send(JSON.stringify({ type: 'connection_init', payload: where === 'payload' ? headers : undefined }));
  });
  socket.on('message', (text: Buffer) => (acknowledged ||= text.toString().includes('connection_ack')));
  socket.on('close', (given) => (code = given));
  const close = (): void => {
    socket.close();
  };
  return { acknowledged: () => acknowledged, code: () => code, close };
}

test('end when the token no longer verifies, with 4403; others stay', async () => {
  const [first, second] = [await createKey('EdDSA'), await createKey('EdDSA')];
  await writeKey(first.pem);
  server = await live.start({
    APP_SECURITY_AUTH_PUBLIC_KEY: '',
    APP_SECURITY_AUTH_PUBLIC_KEY_FILE: file(),
    APP_LOG_LEVEL: 'silent',
  });
  const token = await sign(first, { sub: 'ada' });
  const sockets = [open(token, 'payload'), open(token, 'upgrade')];
  const anonymous = open(undefined, 'payload');
  await until(() => Promise.resolve([...sockets, anonymous].every(({ acknowledged }) => acknowledged())));
  const stream = await fetch(`${server.base}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({ query: 'subscription { liveIssuesChanges { operation } }' }),
  });
  expect(stream.status).toBe(200);
  let isOver = false;
  const text = stream.text().finally(() => (isOver = true));

  // A change that leaves the key in use ends nothing. A token of another key was refused meanwhile.
  await writeKey(`${first.pem}\n`);
  const notYet = await sign(second, { sub: 'ada' });
  const authorized = async (): Promise<boolean> =>
    (await server.get('/api/v1/projects', { authorization: `Bearer ${notYet}` })).status === 200;
  expect(await authorized()).toBe(false);
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect([...sockets, anonymous].map(({ code }) => code())).toEqual([undefined, undefined, undefined]);
  expect(isOver).toBe(false);

  await writeKey(second.pem);
  await until(authorized);
  await until(() => Promise.resolve(sockets.every(({ code }) => code() !== undefined)));
  expect(sockets.map(({ code }) => code())).toEqual([4403, 4403]);
  expect(await text).not.toContain('event: complete');
  expect(anonymous.code()).toBeUndefined();
  anonymous.close();
  expect(await server.stop()).toBe(0);
});
