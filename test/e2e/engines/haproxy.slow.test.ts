import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { blocksOf } from '../../support/documents.js';
import { describeWhere } from '../../support/describe-where.js';
import { freePort } from '../../support/free-port.js';
import { found } from '../../support/machine/machine.js';
import { openServed, until, type Served, type ServedProcess } from '../../support/served-as-role.js';

const program = found('haproxy')?.at ?? '';

const sql = `
  create schema shop;
  create table shop.goods (id int primary key, name text);
  insert into shop.goods values (1, 'tea')`;

describeWhere('haproxy')('HAProxy over three processes', () => {
  let shop: Served;
  let servers: readonly ServedProcess[];
  let proxy: ChildProcess;
  let folder: string;
  let port: number;

  beforeAll(async () => {
    shop = await openServed({ name: 'haproxy', schema: 'shop', sql });
    servers = await Promise.all([1, 2, 3].map(() => shop.startProcess({ APP_SECURITY_JWT_ENABLED: 'false' })));
    port = await freePort();
    folder = await mkdtemp(join(tmpdir(), 'haproxy-'));
    // The configuration of the page, with the addresses of this machine.
    const [block = ''] = blocksOf('scaling.md', 'haproxy');
    const addresses = servers.map(({ base }) => new URL(base).host);
    const text = block
      .replace('*:80', `127.0.0.1:${String(port)}`)
      .replaceAll(/10\.0\.0\.\d:4000/g, () => addresses.shift() ?? '');
    await writeFile(join(folder, 'haproxy.cfg'), text);
    proxy = spawn(program, ['-db', '-f', join(folder, 'haproxy.cfg')], { stdio: 'ignore' });
    await until(() =>
      fetch(`http://127.0.0.1:${String(port)}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
  });
  afterAll(async () => {
    const ended = once(proxy, 'exit');
    proxy.kill('SIGKILL');
    await ended;
    // The first one was killed.
    await Promise.all(servers.slice(1).map((server) => server.stop()));
    await shop.drop();
    await rm(folder, { recursive: true });
  });

  /** The status of a read, or the error of its connection. */
  const read = (agent: Agent): Promise<number | string> =>
    new Promise((resolve) => {
      const sent = request({ host: '127.0.0.1', port, agent, path: '/api/v1/goods?id=eq.1' }, (answer) => {
        answer.resume();
        answer.on('end', () => {
          resolve(answer.statusCode ?? 0);
        });
        answer.on('error', (error) => {
          resolve(error.message);
        });
      });
      sent.on('error', (error) => {
        resolve(error.message);
      });
      sent.end();
    });

  test('one process is killed: nothing fails but what it was answering', async () => {
    const agents = Array.from({ length: 8 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    const failed: (number | string)[] = [];
    let answered = 0;
    let isOver = false;
    const clients = agents.map(async (agent) => {
      while (!isOver) {
        const result = await read(agent);
        if (result === 200) answered += 1;
        else failed.push(result);
        await sleep(2);
      }
    });
    await until(() => answered > 200);
    const victim = servers[0];
    if (victim === undefined) throw new Error('There are three servers.');
    process.kill(victim.pid, 'SIGKILL');
    // HAProxy finds out meanwhile.
    await sleep(4_000);
    await until(() => answered > 400);
    isOver = true;
    await Promise.all(clients);
    for (const agent of agents) agent.destroy();
    // One request at most for each client.
    expect(failed.length).toBeLessThanOrEqual(agents.length);
  });

  test('WebSockets pass through it', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${String(port)}/graphql`, 'graphql-transport-ws');
    await once(socket, 'open');
    const say = async (message: object): Promise<unknown> => {
      socket.send(JSON.stringify(message));
      const [answer] = (await once(socket, 'message')) as [Buffer];
      return JSON.parse(answer.toString());
    };
    expect(await say({ type: 'connection_init' })).toMatchObject({ type: 'connection_ack' });
    const asked = { id: '1', type: 'subscribe', payload: { query: '{ shopGoods { name } }' } };
    expect(await say(asked)).toMatchObject({ type: 'next', payload: { data: { shopGoods: [{ name: 'tea' }] } } });
    socket.close();
    await once(socket, 'close');
  });
});
