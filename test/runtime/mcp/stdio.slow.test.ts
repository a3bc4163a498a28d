import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ResourceListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { bin } from '../../support/cli.js';
import { describeMysql } from '../../support/mysql.js';
import { openServed, type Served } from '../../support/served-as-role.js';
import { until } from '../../support/until.js';
import { onMysql } from '../rules/support/ruled.js';
import { connectBy, type Agent } from './support/agent.js';

const sql = `create schema shop; create table shop.items (id int primary key, name text not null);
  insert into shop.items values (1, 'one')`;

const start = (args: readonly string[], env: Readonly<Record<string, string>>): Promise<Agent> =>
  connectBy(
    new StdioClientTransport({
      command: process.execPath,
      args: [bin, 'mcp', ...args],
      env: { ...env },
      stderr: 'pipe',
    }),
  );

describe('agents over standard input and output', () => {
  let served: Served;
  beforeAll(async () => {
    served = await openServed({ name: 'mcp_stdio', sql, schema: 'shop' });
  });
  afterAll(() => served.drop());

  /** The server that the command starts, by its connections. */
  const connections = async (): Promise<number> =>
    (await served.query('select 1 from pg_stat_activity where usename = $1', [new URL(served.roleUrl).username]))
      .length;

  test('the command starts the server of the project, tells of changes, and ends with its client', async () => {
    const agent = await start(['--out', served.folder], { DATABASE_URL: served.roleUrl, APP_DRIFT_PROBE_MS: '100' });
    const changes: string[] = [];
    agent.client.setNotificationHandler(ResourceListChangedNotificationSchema, ({ method }) => {
      changes.push(method);
    });
    expect(agent.client.getServerCapabilities()).toMatchObject({ tools: { listChanged: true } });
    expect((await agent.call('query_rows', { table: 'items' })).value).toMatchObject({
      data: [{ id: 1, name: 'one' }],
    });
    expect(await agent.call('query_rows', { table: 'item' })).toMatchObject({
      isError: true,
      value: { hint: 'Did you mean "items"?' },
    });
    await served.query('alter table shop.items add column size int');
    await until(() => Promise.resolve(changes.length > 0));
    expect((await agent.call('describe_tables', { tables: ['items'] })).text).toContain('"size"');
    await agent.close();
    await until(async () => (await connections()) === 0);
  });

  test('the server ends when the command is killed', async () => {
    const child = spawn(process.execPath, [bin, 'mcp', '--out', served.folder], {
      env: { ...process.env, DATABASE_URL: served.roleUrl },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    child.stdin.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } } })}\n`,
    );
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await until(async () => (await connections()) === 0);
  });

  test('a running server is named by its address, and the caller by a token', async () => {
    const server = await served.start({ APP_MCP: 'true', APP_MCP_ANONYMOUS: 'false' });
    const token = await served.token('ada');
    const agent = await start(['--server', server.base], { TABLEWRIGHT_TOKEN: token });
    expect((await agent.call('query_rows', { table: 'items' })).isError).toBe(false);
    await agent.close();
    await expect(start(['--server', server.base], {})).rejects.toThrow('Agents need a token here.');
    await server.stop();
  });
});

describeMysql('agents over standard input and output, on MariaDB', () => {
  test('answer as over HTTP', async () => {
    const served = await onMysql({
      name: 'mcp_stdio',
      sql: `create table items (id int primary key, name text not null); insert into items values (1, 'one')`,
      rules: () => ({}),
      environment: { APP_MCP: 'true' },
    });
    const agent = await start(['--server', served.base], {});
    expect((await agent.call('query_rows', { table: 'items' })).value).toMatchObject({
      data: [{ id: 1, name: 'one' }],
    });
    await agent.close();
    await served.stop();
  });
});
