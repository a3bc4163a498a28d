import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded, type EmbeddedServer } from '../../support/embedded.js';
import { errorOf, type Reply } from '../rest/support/client.js';
import { openShop, until, type Shop, type ShopServer } from './support/shop.js';

/** A server on a hot standby answers reads, and after a failover writes, too. */
let folder: string;
let postgres: EmbeddedServer;
let promoted: Promise<EmbeddedServer>;
let shop: Shop;
let server: ShopServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'standby-'));
  postgres = await startEmbedded({ folder });
  shop = await openShop({ url: postgres.url, drop: () => postgres.stop() });
  await postgres.stop();
  await writeFile(join(folder, 'standby.signal'), '');
  // startEmbedded waits until the database accepts writes, so the promise stays pending until the
  // promotion.
  promoted = startEmbedded({ folder, port: Number(new URL(postgres.url).port) });
  await until(() =>
    shop.query('select 1').then(
      () => true,
      () => false,
    ),
  );
  server = await shop.start({ APP_DATASOURCE_POOL_SIZE: '2' });
});
afterAll(async () => {
  expect(await server.stop()).toBe(0);
  await shop.drop();
  await rm(folder, { recursive: true });
});

const connections = async (): Promise<readonly number[]> =>
  (
    await shop.query<{ pid: number }>('select pid from pg_stat_activity where usename = $1 order by pid', [
      new URL(shop.roleUrl).username,
    ])
  ).map(({ pid }) => pid);

test('reads are answered, writes are 503 on a connection that is not used again, and are written after the failover', async () => {
  const json = { 'content-type': 'application/json', authorization: `Bearer ${await shop.token('ada')}` };
  const one = '{"body": "x"}';
  const writes: readonly (() => Promise<Reply>)[] = [
    () => server.send('POST', '/api/v1/notes', json, one),
    () => server.send('POST', '/api/v1/notes', { ...json, prefer: 'max-affected=1' }, one),
    () => server.send('PATCH', '/api/v1/notes?id=eq.1', json, one),
    () => server.ask('mutation { createShopNotes(input: {}) { id } }', json),
    () => server.ask('mutation { a: createShopNotes(input: {}) { id } b: createShopNotes(input: {}) { id } }', json),
  ];
  for (const write of writes) {
    expect((await server.get('/api/v1/goods')).status).toBe(200);
    const before = await connections();
    const reply = await write();
    expect([reply.status, reply.headers['retry-after']]).toEqual([503, '1']);
    expect(reply.text).toContain('TW013');
    expect(reply.text).toContain('The database is read only at the moment: nothing was written.');
    // A new connection may have replaced the connection that is not used again.
    await until(async () => {
      const now = await connections();
      return before.some((pid) => !now.includes(pid));
    });
  }
  expect(errorOf(await server.send('DELETE', '/api/v1/notes?id=eq.1', json)).code).toBe('TW013');
  expect((await server.get('/health/ready')).status).toBe(200);
  await shop.query('select pg_promote()');
  postgres = await promoted;
  for (const write of writes) expect([200, 201]).toContain((await write()).status);
});
