import { setTimeout as sleep } from 'node:timers/promises';
import { describeWhere } from '../../support/describe-where.js';
import { lackingEngine } from '../../support/lacking-engine.js';
import { openServed, until, type Served, type ServedServer } from '../../support/served-as-role.js';
import { startStandby } from '../../support/standby.js';

const sql = `
  create schema shop;
  create table shop.goods (id int primary key, name text);
  alter table shop.goods enable row level security;
  create policy everyone on shop.goods using (true);
  insert into shop.goods values (1, 'tea')`;

let shop: Served;

beforeAll(async () => {
  shop = await openServed({ name: 'lacking', schema: 'shop', sql });
});
afterAll(() => shop.drop());

/** The lines of the log that say what the database lacks. */
const lines = (server: ServedServer): readonly string[] =>
  server
    .log()
    .split('\n')
    .filter((line) => line.includes('The database lacks'));

const readiness = async (server: ServedServer): Promise<unknown> =>
  (await fetch(`${server.base}/health/ready`)).json() as Promise<unknown>;

async function serves(server: ServedServer): Promise<void> {
  const headers = { authorization: `Bearer ${await shop.token('ada')}` };
  expect((await server.get('/api/v1/goods?id=eq.1', headers)).status).toBe(200);
}

/** A server on a database whose roles may not call a function of the system. */
async function without(functions: string, environment: Readonly<Record<string, string>>): Promise<ServedServer> {
  await shop.query(`revoke execute on function ${functions} from public`);
  try {
    const server = await shop.start({ APP_LOG_LEVEL: 'info', ...environment });
    await until(() => Promise.resolve(lines(server).length > 0));
    await sleep(1_000);
    return server;
  } finally {
    await shop.query(`grant execute on function ${functions} to public`);
  }
}

test('without LISTEN the server serves, logs one line, and does not ask again', async () => {
  const engine = await lackingEngine(shop.roleUrl, /^listen /);
  const server = await shop.start({ DATABASE_URL: engine.url, APP_LOG_LEVEL: 'info' });
  await until(() => Promise.resolve(lines(server).length > 0));
  await sleep(3_000);
  expect(lines(server)).toEqual([
    expect.stringContaining('The database lacks LISTEN: changes of the schema are noticed only by timers'),
  ]);
  expect(engine.refused()).toBe(1);
  await serves(server);
  expect(await server.stop()).toBe(0);
  await engine.close();
});

test('a change feed that needs LISTEN is off, says so once, and does not ask again', async () => {
  const engine = await lackingEngine(shop.roleUrl, /^listen /);
  const server = await shop.start({
    DATABASE_URL: engine.url,
    APP_CHANGES_SOURCE: 'notify',
    APP_LOG_LEVEL: 'info',
  });
  await until(async () => JSON.stringify(await readiness(server)).includes('interrupted'));
  await sleep(3_000);
  expect(engine.refused()).toBe(2);
  expect(server.log().match(/The database lacks what this change feed needs/g)).toHaveLength(1);
  expect(await readiness(server)).toMatchObject({ status: 'ready', changes: { state: 'interrupted' } });
  await serves(server);
  expect(await server.stop()).toBe(0);
  await engine.close();
});

test('where the catalogue cannot be read, the generated API is served and nothing is stale', async () => {
  const server = await without('hashint8extended(bigint, bigint)', {
    APP_DRIFT_PROBE_MS: '100',
    APP_CACHE_SCHEMA_TTL_MINUTES: '1',
  });
  expect(lines(server)).toEqual([expect.stringContaining('the server does not follow changes of the schema')]);
  expect(await readiness(server)).toEqual({ status: 'ready' });
  await serves(server);
  expect(await server.stop()).toBe(0);
});

test('where policies cannot be read, the server starts without its advice', async () => {
  const server = await without('acldefault("char", oid)', {});
  expect(lines(server)).toEqual([expect.stringContaining('tables without row level security are not reported')]);
  await serves(server);
  expect(await server.stop()).toBe(0);
});

test('where the code of the database cannot be read, requests set all variables', async () => {
  const server = await without('pg_get_ruledef(oid)', { APP_REST_POSTGREST: '/rest/v1' });
  expect(lines(server)).toEqual([expect.stringContaining('each request sets all variables')]);
  await serves(server);
  expect(await server.stop()).toBe(0);
});

describeWhere('postgres')('on a standby', () => {
  test('LISTEN is missing, which is logged once', async () => {
    const standby = await startStandby(sql);
    const server = await shop.start({
      DATABASE_URL: standby.url,
      APP_SECURITY_ALLOW_SUPERUSER: 'true',
      APP_LOG_LEVEL: 'info',
    });
    await until(() => Promise.resolve(lines(server).length > 0));
    await sleep(4_000);
    expect(lines(server)).toEqual([expect.stringContaining('The database lacks LISTEN')]);
    await serves(server);
    expect(await server.stop()).toBe(0);
    await standby.stop();
  });
});
