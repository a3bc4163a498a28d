import { connect } from 'node:net';
import { once } from 'node:events';
import { createServer } from '../../../runtime/src/extensions/create-server.js';
import { createFilledDatabase } from '../../support/postgres.js';
import { readDatabase } from '../../support/read-database.js';
import { recordModules } from '../../support/loaded-modules.js';
import { openServed, type Served, type ServedServer } from '../../support/served-as-role.js';
import { logged, until } from '../../support/until.js';
import { connectAgent } from './support/agent.js';

const sql = `create schema shop; create table shop.items (id int primary key, name text not null);
  insert into shop.items select n, repeat(md5(n::text), 6250) from generate_series(1, 30) n;
  create view shop.slow as select pg_sleep(3600)::text as slept`;

const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const message = (name: string, given: object, id = 1): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: given } });

describe('a server with agents', () => {
  let served: Served;
  beforeAll(async () => {
    served = await openServed({ name: 'mcp_server', sql, schema: 'shop' });
  });
  afterAll(() => served.drop());

  const withServer = async (
    environment: Readonly<Record<string, string>>,
    work: (server: ServedServer) => Promise<void>,
  ): Promise<void> => {
    const server = await served.start({ APP_MCP: 'true', ...environment });
    try {
      await work(server);
    } finally {
      await server.stop();
    }
  };

  test('is off by default, and loads nothing of the protocol then', async () => {
    const modules = await recordModules(served.folder);
    const server = await served.start({ NODE_OPTIONS: modules.option });
    expect((await server.send('POST', '/mcp', json, message('list_tables', {}))).status).toBe(404);
    expect((await server.get('/.well-known/oauth-protected-resource')).status).toBe(404);
    await server.stop();
    expect([...(await modules.packages())]).not.toContain('@modelcontextprotocol/sdk');
    expect((await modules.runtime()).filter((path) => path.startsWith('extensions/mcp'))).toEqual([]);
  });

  test('tells clients of OAuth who issues its tokens', async () => {
    const environment = {
      APP_MCP_ANONYMOUS: 'false',
      APP_SECURITY_AUTH_ISSUER: 'https://login.example.com/',
      APP_SERVER_TRUST_PROXY: 'true',
    };
    await withServer(environment, async (server) => {
      const proxied = { 'x-forwarded-host': 'api.example.com', 'x-forwarded-proto': 'https' };
      const refused = await server.send('POST', '/mcp', { ...json, ...proxied }, message('list_tables', {}));
      expect(refused.status).toBe(401);
      const metadata = 'https://api.example.com/.well-known/oauth-protected-resource/mcp';
      expect(refused.headers['www-authenticate']).toBe(`Bearer resource_metadata="${metadata}"`);
      const wrong = await server.send(
        'POST',
        '/mcp',
        { ...json, authorization: 'Bearer a.b.c' },
        message('list_tables', {}),
      );
      expect([wrong.status, wrong.headers['www-authenticate']]).toEqual([
        401,
        expect.stringMatching(
          /^Bearer error="invalid_token", .*, resource_metadata="http:\/\/127.*\/oauth-protected-resource\/mcp"$/,
        ),
      ]);
      for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp']) {
        const { status, text } = await server.get(path, proxied);
        expect([status, JSON.parse(text)]).toEqual([
          200,
          {
            resource: 'https://api.example.com/mcp',
            authorization_servers: ['https://login.example.com/'],
            bearer_methods_supported: ['header'],
            resource_name: 'tablewright',
          },
        ]);
      }
      const token = await served.token('ada', { iss: 'https://login.example.com/' });
      const agent = await connectAgent(server.base, { authorization: `Bearer ${token}` });
      expect((await agent.call('list_tables')).isError).toBe(false);
      await agent.close();
    });
  });

  test('counts calls against the rates, once each', async () => {
    const rates = JSON.stringify([
      { per: 'address', requests: 8, seconds: 600 },
      { per: 'user', requests: 3, seconds: 600 },
    ]);
    await withServer({ APP_LIMITS_RATES: rates }, async (server) => {
      const own = { ...json, authorization: `Bearer ${await served.token('ada')}` };
      const send = async (name: string, given: object) =>
        (await server.send('POST', '/mcp', own, message(name, given))).text;
      for (const [name, given] of [
        ['query_rows', { table: 'items', columns: ['id'] }],
        ['list_tables', {}],
        ['query_rows', { table: 'items', columns: ['id'] }],
      ] as const)
        expect(await send(name, given)).not.toContain('TW019');
      expect(await send('query_rows', { table: 'items', columns: ['id'] })).toContain('TW019');
      expect(await send('list_tables', {})).toContain('TW019');
      const wrong = { ...json, authorization: 'Bearer a.b.c' };
      const statuses: number[] = [];
      for (let at = 0; at < 5; at += 1)
        statuses.push((await server.send('POST', '/mcp', wrong, message('list_tables', {}))).status);
      expect(statuses).toEqual([401, 401, 401, 429, 429]);
    });
  });

  test('limits answers, and clients that never read them', async () => {
    const limits = { APP_MCP_ANSWER_BYTES: '10000000', APP_LIMITS_SEND_TIMEOUT_MS: '500', APP_LOG_LEVEL: 'info' };
    await withServer(limits, async (server) => {
      const { hostname, port } = new URL(server.base);
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      socket.pause();
      const body = message('query_rows', { table: 'items' });
      const head = Object.entries(json).map(([name, value]) => `${name}: ${value}\r\n`);
      const request = `POST /mcp HTTP/1.1\r\nhost: ${hostname}:${port}\r\n${head.join('')}content-length: ${String(body.length)}\r\n\r\n${body}`;
      for (let at = 0; at < 40; at += 1) socket.write(request);
      await logged(server, 'client did not read its answer and was disconnected');
      const agent = await connectAgent(server.base);
      expect((await agent.call('query_rows', { table: 'items' })).isError).toBe(false);
      await agent.close();
      socket.destroy();
    });
    await withServer({ APP_MCP_ANSWER_BYTES: '5000' }, async (server) => {
      const agent = await connectAgent(server.base);
      const { isError, value, text } = await agent.call('query_rows', { table: 'items' });
      expect([isError, (value as { code: string }).code]).toEqual([true, 'TW011']);
      expect(text.length).toBeLessThan(5000);
      await agent.close();
    });
  });

  test('a call is cancelled when its client goes away', async () => {
    await withServer({ APP_DATASOURCE_STATEMENT_TIMEOUT_MS: '0' }, async (server) => {
      const leaving = new AbortController();
      const body = message('query_rows', { table: 'slow' });
      const gone = fetch(`${server.base}/mcp`, { method: 'POST', headers: json, body, signal: leaving.signal });
      const sleeping = async (): Promise<number> =>
        (
          await served.query(
            "select 1 from pg_stat_activity where state = 'active' and query like '%slept%' and pid <> pg_backend_pid()",
          )
        ).length;
      await until(async () => (await sleeping()) > 0);
      leaving.abort();
      await expect(gone).rejects.toThrow();
      await until(async () => (await sleeping()) === 0);
      expect((await server.get('/health/ready')).status).toBe(200);
    });
  });
});

describe('a thousand tables', () => {
  const many = `create schema wide;
    ${Array.from({ length: 1000 }, (_, at) => `create table wide.table_${String(at)} (id int primary key, name text, ${Array.from({ length: 20 }, (__, each) => `column_${String(each)} int`).join(', ')}); comment on table wide.table_${String(at)} is 'Rows of kind ${String(at)}, which have a long comment.';`).join('\n')}
    create table wide.widest (id int primary key, ${Array.from({ length: 1200 }, (_, at) => `a_rather_long_column_name_${String(at)} int`).join(', ')})`;

  test('the lists stay short', async () => {
    const database = await createFilledDatabase('mcp_thousand', many);
    const { generated } = await readDatabase(database.url);
    const environment = {
      DATABASE_URL: database.url,
      APP_MCP: 'true',
      PORT: '0',
      APP_SECURITY_ALLOW_SUPERUSER: 'true',
    };
    const server = createServer({ generated, environment, observe: () => undefined });
    await server.listen({ ownsProcess: false });
    const agent = await connectAgent(server.address ?? '');
    const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
    expect(bytes(await agent.client.listTools())).toBeLessThan(17_000);
    const { text } = await agent.call('list_tables');
    expect(text.length).toBeLessThan(20_000);
    expect(JSON.parse(text)).toMatchObject({ total: 1001 });
    const names = Array.from({ length: 20 }, (_, at) => `wide.table_${String(at)}`);
    expect((await agent.call('describe_tables', { tables: names })).text.length).toBeLessThan(100_000);
    const widest = await agent.call('describe_tables', { tables: ['widest', 'table_1'] });
    expect(widest.text.length).toBeLessThan(100_000);
    expect(await agent.call('describe_tables', { tables: [...names, 'wide.table_20'] })).toMatchObject({
      isError: true,
    });
    expect((await agent.call('query_rows', { table: 'table_999' })).isError).toBe(false);
    const [schema] = (await agent.client.readResource({ uri: 'tablewright://schema' })).contents;
    expect(bytes(schema)).toBeLessThan(120_000);
    await agent.close();
    await server.close();
    await database.drop();
  });
});
