import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { startDelay, type Delay } from '../../../bench/harness/delay.js';

const MILLISECONDS = 20;

let server: Server;
let delay: Delay;
let address: URL;

beforeAll(async () => {
  // Echoes all data, and ends after its client has ended.
  server = createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `postgres://user:secret@127.0.0.1:${(server.address() as AddressInfo).port}/name?a=b`;
  delay = await startDelay(url, MILLISECONDS);
  address = new URL(delay.via(url));
});
afterAll(async () => {
  await delay.stop();
  server.close();
  await once(server, 'close');
});

const dial = () => connect({ host: address.hostname, port: Number(address.port), allowHalfOpen: true });

it('leads to the same database by another port', () => {
  expect([address.username, address.password, address.pathname, address.search]).toEqual([
    'user',
    'secret',
    '/name',
    '?a=b',
  ]);
  expect(Number(address.port)).not.toBe((server.address() as AddressInfo).port);
});

it('takes at least as long as it is told, there and back', async () => {
  const socket = dial();
  await once(socket, 'connect');
  const begin = performance.now();
  socket.write('x');
  await once(socket, 'data');
  // Timers count whole milliseconds.
  expect(performance.now() - begin).toBeGreaterThanOrEqual(2 * MILLISECONDS - 2);
  socket.destroy();
});

it('loses, doubles and turns round nothing, however much it is, and passes on the end', async () => {
  const sent = randomBytes(20_000_000);
  const socket = dial();
  socket.end(sent);
  const received = await buffer(socket);
  const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
  expect([received.length, digest(received)]).toEqual([sent.length, digest(sent)]);
});

it('loses nothing to a client that takes its answer late', async () => {
  const sent = randomBytes(20_000_000);
  const socket = dial();
  socket.end(sent);
  // By then the server has sent as much as the buffers hold, and the end is on its way.
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect((await buffer(socket)).equals(sent)).toBe(true);
});

it('passes on that the other end is gone', async () => {
  const socket = dial();
  const [far] = await Promise.all([once(server, 'connection'), once(socket, 'connect')]);
  (far[0] as ReturnType<typeof dial>).destroy();
  socket.resume();
  await once(socket, 'end');
  socket.destroy();
});
