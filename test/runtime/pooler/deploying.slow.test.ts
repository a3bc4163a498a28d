import { readFile } from 'node:fs/promises';
import { describeWhere } from '../../support/describe-where.js';
import { blocksOf } from '../../support/documents.js';
import { buildGenerated } from '../../support/generated-program.js';
import { startPgbouncer, type Pgbouncer, type PgbouncerOptions } from '../../support/pgbouncer.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../../support/postgres.js';
import { runProgram } from '../../support/program.js';
import type { RunningServer } from '../../support/running-server.js';
import { startServerHere } from '../../support/server-here.js';
import type { Transpiled } from '../../support/transpile.js';
import { createClient } from '../rest/support/client.js';

/**
 * Follows docs/deploying.md. The role `shop_app` needs an embedded server, because roles belong to
 * the whole server.
 */
let database: TestDatabase;
let program: Transpiled;

beforeAll(async () => {
  database = await createTestDatabase('deploying', 'embedded');
  const schema = new URL('../session/support/shop.sql', import.meta.url);
  await loadSql(database.url, await readFile(schema, 'utf8'));
  for (const block of blocksOf('deploying.md', 'sql')) await loadSql(database.url, block);
  program = await buildGenerated(database.url);
});
afterAll(async () => {
  await program.remove();
  await loadSql(database.url, 'drop owned by shop_app; drop role shop_app');
  await database.drop();
});

/** The variables that the shell blocks of the page export, with this `address` of the database. */
function exported(address: string, pooled: boolean): Readonly<Record<string, string>> {
  const lines = blocksOf('deploying.md', 'sh').flatMap((block) => [
    ...block.matchAll(/(?<= )([A-Z_]+)=('[^']*'|\S+)/g),
  ]);
  const all = lines.map(([, name = '', value = '']) => [name, value.replace(/^'(.*)'$/, '$1')] as const);
  const url = new URL(all.find(([name]) => name === 'DATABASE_URL')?.[1] ?? '');
  [url.host, url.pathname] = [address, new URL(database.url).pathname];
  const kept = all.filter(([name]) => pooled || name !== 'APP_DATASOURCE_POOLER');
  return { ...Object.fromEntries(kept), DATABASE_URL: url.href };
}

const start = (address: string, pooled: boolean): Promise<RunningServer> =>
  startServerHere(program.folder, { ...exported(address, pooled) });

async function serves({ base }: RunningServer): Promise<void> {
  const client = createClient(base);
  expect(await client.ids('/api/v1/goods?order=id')).toEqual([1, 2]);
  const json = { 'content-type': 'application/json' };
  const created = await client.send('POST', '/api/v1/goods', json, '{"id": 3, "name": "rice"}');
  expect([created.status, created.headers['server-timing']]).toEqual([201, undefined]);
  expect((await client.send('DELETE', '/api/v1/goods?id=eq.3')).status).toBe(200);
  const document = JSON.stringify({ query: '{ shopGoods(orderBy: {id: ASC}) { name } }' });
  const { text } = await client.send('POST', '/graphql', json, document);
  expect(JSON.parse(text)).toEqual({ data: { shopGoods: [{ name: 'tea' }, { name: 'salt' }] } });
}

test('the page has its blocks', () => {
  expect(blocksOf('deploying.md', 'sql')).toHaveLength(1);
  expect(blocksOf('deploying.md', 'ini')).toHaveLength(1);
  expect(exported('127.0.0.1:1', true)).toMatchObject({
    NODE_ENV: 'production',
    APP_DATASOURCE_POOLER: 'transaction',
    APP_DATASOURCE_WRITE_TIMEOUT_MS: '30000',
  });
});

test('the role and the environment serve both protocols; the probes answer', async () => {
  const server = await start(new URL(database.url).host, false);
  try {
    await serves(server);
    const probes = blocksOf('deploying.md', 'sh').find((block) => block.includes('curl')) ?? '';
    const { code, stdout, stderr } = await runProgram('sh', [
      '-ec',
      probes.replaceAll('http://127.0.0.1:4000', server.base),
    ]);
    expect({ code, stdout, stderr: code === 0 ? '' : stderr }).toEqual({
      code: 0,
      stdout: '{"status":"live"}{"status":"ready"}',
      stderr: '',
    });
  } finally {
    expect(await server.stop()).toBe(0);
  }
});

describeWhere('pgbouncer')('behind PgBouncer', () => {
  const startBetween = (options: Partial<PgbouncerOptions> = {}): Promise<Pgbouncer> =>
    startPgbouncer({
      server: database.url,
      poolSize: 2,
      users: '"shop_app" "change-me"\n',
      ...options,
    });

  test('the configuration of PgBouncer serves both protocols, with passwords, and needs the setting beside it', async () => {
    const between = await startBetween();
    try {
      const server = await start(between.address, true);
      try {
        await serves(server);
      } finally {
        expect(await server.stop()).toBe(0);
      }
      await expect(start(between.address, false)).rejects.toThrow(/unsupported startup parameter: options/);
      expect(between.log()).toContain('unsupported startup parameter: options');
    } finally {
      await between.stop();
    }
  });

  test('a PgBouncer that is told to ignore the startup options needs the setting beside it all the same', async () => {
    const between = await startBetween({ ignored: 'options' });
    try {
      await expect(start(between.address, false)).rejects.toThrow(/APP_DATASOURCE_POOLER/);
      const server = await start(between.address, true);
      try {
        await serves(server);
      } finally {
        expect(await server.stop()).toBe(0);
      }
    } finally {
      await between.stop();
    }
  });
});
