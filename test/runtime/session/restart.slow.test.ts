import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded, type EmbeddedServer } from '../../support/embedded.js';
import { activity, openShop, until, type Shop, type ShopServer } from './support/shop.js';
import type { Reply } from '../rest/support/client.js';

/** Number of the server's connections. */
const size = 4;

let folder: string;
let postgres: EmbeddedServer;
let shop: Shop;
let server: ShopServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'restart-'));
  postgres = await startEmbedded({ folder });
  shop = await openShop({ url: postgres.url, drop: () => postgres.stop() });
  server = await shop.start({ APP_DATASOURCE_POOL_SIZE: String(size) });
});
afterAll(async () => {
  await shop.drop();
  await rm(folder, { recursive: true });
});

const stopDatabase = () => postgres.stop();
const startDatabase = async (): Promise<void> => {
  postgres = await startEmbedded({ folder, port: Number(new URL(postgres.url).port) });
};

/** Sends a request again and again until it is stopped, and keeps the replies. */
class Asking {
  readonly replies: Reply[] = [];
  #going = true;
  readonly ended: Promise<void>;

  constructor(private readonly request: () => Promise<Reply>) {
    this.ended = this.#ask();
  }

  async #ask(): Promise<void> {
    while (this.#going) this.replies.push(await this.request());
  }

  /** Replies to requests that begin after this call. */
  async since(most: number): Promise<readonly Reply[]> {
    const from = this.replies.length + 1;
    await until(() => Promise.resolve(this.replies.length >= from + most));
    return this.replies.slice(from);
  }

  stop(): Promise<void> {
    this.#going = false;
    return this.ended;
  }
}

test('a database that is stopped and started under load: 503 meanwhile, then everything is answered again', async () => {
  const json = { 'content-type': 'application/json', authorization: `Bearer ${await shop.token('ada')}` };
  const requests: readonly (() => Promise<Reply>)[] = [
    () => server.get('/api/v1/goods'),
    () => server.ask('{ shopGoods { id name } }'),
    () => server.get('/api/v1/notes?limit=1', { authorization: json.authorization }),
    () => server.send('POST', '/api/v1/notes', json, '{"body": "x"}'),
    () => server.ask('mutation { a: createShopNotes(input: {}) { id } b: createShopNotes(input: {}) { id } }', json),
  ];
  const asking = [...requests, ...requests].map((request) => new Asking(request));
  for (let round = 0; round < 3; round += 1) {
    for (const each of asking) {
      for (const { status } of await each.since(5)) expect([200, 201]).toContain(status);
    }
    await stopDatabase();
    for (const each of asking) {
      for (const reply of await each.since(5)) {
        expect([reply.status, reply.headers['retry-after']]).toEqual([503, '1']);
        expect(reply.text).not.toMatch(/127\.0\.0\.1|ECONN|select|terminat/i);
      }
    }
    expect((await server.get('/health/live')).status).toBe(200);
    const readiness = await server.get('/health/ready');
    expect([readiness.status, JSON.parse(readiness.text)]).toEqual([
      503,
      { status: 'database unavailable', reason: 'connection refused' },
    ]);
    await startDatabase();
    // A request succeeds as soon as the database accepts connections: it does not wait for a retry
    // or a timer of the server.
    for (const each of asking) {
      for (const { status } of await each.since(5)) expect([200, 201]).toContain(status);
    }
    expect((await server.get('/health/ready')).status).toBe(200);
  }
  await Promise.all(asking.map((each) => each.stop()));
  const states = (await activity(shop)).map(({ state }) => state);
  expect(states.length).toBeLessThanOrEqual(size);
  expect(new Set(states)).toEqual(new Set(['idle']));
  // An unhandled rejection would end the process with another exit code.
  expect(await server.stop()).toBe(0);
});
