import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { openClient, untilLive, watch } from '../../runtime/changes/support/live.js';
import { createClient, type Client } from '../../runtime/rest/support/client.js';
import { describeWhere } from '../../support/describe-where.js';
import { PATIENT, startGalera, type GaleraNode } from '../../support/galera.js';
import { buildGenerated } from '../../support/generated-program.js';
import { createMysqlDatabase, loadMysql, type MysqlDatabase } from '../../support/mysql.js';
import { startGeneratedServer } from '../../support/running-server.js';
import type { Transpiled } from '../../support/transpile.js';
import { until } from '../../support/until.js';
import { countsOf, statesOf, versionOf } from './support.js';

const json = { 'content-type': 'application/json' };

describeWhere('galera')('a Galera cluster of three nodes', () => {
  let nodes: readonly [GaleraNode, GaleraNode, GaleraNode];
  let database: MysqlDatabase;
  let program: Transpiled;

  const addressOf = ({ url }: GaleraNode): string => {
    const address = new URL(database.url);
    address.port = new URL(url).port;
    address.username = 'app';
    return address.href;
  };

  /** @param order of the nodes in the settings: the first one takes the writes */
  const start = async (order: readonly number[] = [0, 1, 2], environment: Readonly<Record<string, string>> = {}) => {
    const [first = '', ...others] = order.flatMap((at) => nodes.slice(at, at + 1).map(addressOf));
    const server = await startGeneratedServer(program.folder, {
      DATABASE_URL: first,
      APP_DATASOURCE_REPLICAS: others.join(),
      APP_DATASOURCE_REPLICA_MAX_WAIT_MS: '10000',
      APP_DATASOURCE_POOL_SIZE: '4',
      APP_METRICS_PORT: '0',
      ...environment,
    });
    const own = { ...server, ...createClient(server.base) };
    await allIn(own);
    return own;
  };
  type Server = Awaited<ReturnType<typeof start>>;

  const hasStates = (server: { readonly base: string }, states: string): Promise<void> =>
    until(async () => (await statesOf(server)).join() === states);
  const allIn = (server: { readonly base: string }): Promise<void> => hasStates(server, 'primary,in,in');

  /** Reads what every node had committed before: a node applies the others' commits later. */
  const rowsOf = async ({ url }: GaleraNode, sql: string): Promise<readonly RowDataPacket[]> => {
    const connection = await createConnection(url);
    try {
      await connection.query('set session wsrep_sync_wait = 1');
      return (await connection.query<RowDataPacket[]>(sql))[0];
    } finally {
      await connection.end();
    }
  };

  /** The nodes notice soon that another one is gone. They may also take a slow one for dead. */
  const whileImpatient = async (work: () => Promise<void>): Promise<void> => {
    const suspectAfter = (seconds: number) => Promise.all(nodes.map((node) => node.suspectAfter(seconds)));
    await suspectAfter(5);
    await work();
    await suspectAfter(PATIENT);
  };

  const post = (server: Client, body: string) => server.send('POST', '/api/v1/notes', json, JSON.stringify({ body }));
  const ask = (server: Client, query: string, headers: Readonly<Record<string, string>> = {}) =>
    server.send('POST', '/graphql', { ...json, ...headers }, JSON.stringify({ query }));
  const type = (): string => `${database.prefix}Notes`.replace(/^./, (first) => first.toUpperCase());
  const raise = (id: number): string =>
    `n${String(id)}: update${type()}(where: { id: { eq: ${String(id)} } }, input: {}, inc: { count: 1 }) { id }`;

  beforeAll(async () => {
    const [one, two, three] = await startGalera(3);
    if (one === undefined || two === undefined || three === undefined) throw new Error('Three nodes were asked for.');
    nodes = [one, two, three];
    database = await createMysqlDatabase('galera', one.url);
    await loadMysql(
      database.url,
      `create table notes (id int primary key auto_increment, body varchar(50) not null, count int not null default 0);
       create user app@'%'; grant select, insert, update, delete on ${database.name}.* to app@'%';
       grant replication slave, binlog monitor on *.* to app@'%';`,
    );
    program = await buildGenerated(database.url);
  }, 400_000);
  afterAll(async () => {
    await program.remove();
    await Promise.all(nodes.map((node) => node.remove()));
  });

  test('a read with the version of a write sees it on every node, whichever way it was written', async () => {
    const server = await start();
    const two = (body: string): string =>
      `mutation { a: create${type()}(input: { body: "x" }) { id } b: create${type()}(input: { body: "${body}" }) { id } }`;
    const writes = [
      (body: string) => post(server, body),
      (body: string) => server.send('PUT', '/api/v1/notes?id=eq.1', json, JSON.stringify({ id: 1, body, count: 0 })),
      (body: string) => server.send('PATCH', '/api/v1/notes?id=eq.1', json, JSON.stringify({ body })),
      (body: string) => ask(server, two(body)),
      async (body: string) => {
        const rows = ['x', body, 'y'].map((each) => ({ body: each }));
        const reply = await server.send('POST', '/api/v1/notes', json, JSON.stringify(rows));
        // Nodes give their keys in steps of three.
        const data = JSON.parse(reply.text) as readonly { readonly id: number; readonly body: string }[];
        for (const { id, body: written } of data)
          expect(await rowsOf(nodes[0], `select body from ${database.name}.notes where id = ${String(id)}`)).toEqual([
            { body: written },
          ]);
        expect(data.map(({ body: written }) => written)).toEqual(['x', body, 'y']);
        return reply;
      },
    ];
    const before = await countsOf(server);
    for (let round = 0; round < 15; round += 1)
      for (const [at, write] of writes.entries()) {
        const body = `note-${String(round)}-${String(at)}`;
        const version = versionOf(await write(body));
        expect(version['x-data-version']).toMatch(/^[\da-f-]{36}:\d+$/);
        // In turn: two reads are answered by two nodes.
        for (let turn = 0; turn < 2; turn += 1)
          expect((await server.get(`/api/v1/notes?body=eq.${body}`, version)).text).toContain(body);
      }
    const after = await countsOf(server);
    expect(after['primary']).toBe(before['primary']);
    expect((after['replica'] ?? 0) - (before['replica'] ?? 0)).toBe(150);
    expect(await server.stop()).toBe(0);
  });

  test('writes of many clients at once have versions that cover them', async () => {
    const server = await start([0, 1, 2], { APP_DATASOURCE_POOL_SIZE: '16' });
    const work = async (client: number): Promise<void> => {
      for (let at = 0; at < 50; at += 1) {
        const body = `many-${String(client)}-${String(at)}`;
        const version = versionOf(await post(server, body));
        expect((await server.get(`/api/v1/notes?body=eq.${body}`, version)).text).toContain(body);
      }
    };
    await Promise.all(Array.from({ length: 16 }, (_, client) => work(client)));
    expect(await server.stop()).toBe(0);
  });

  test('a server whose writes go to another node reads what it has not received', async () => {
    const [one, other] = [await start([0, 1, 2]), await start([1, 0, 2], { APP_DATASOURCE_REPLICA_MAX_WAIT_MS: '0' })];
    for (let at = 0; at < 60; at += 1) {
      const body = `across-${String(at)}`;
      const version = versionOf(await post(one, body));
      expect((await other.get(`/api/v1/notes?body=eq.${body}`, version)).text).toContain(body);
      const changed = await other.send(
        'PATCH',
        `/api/v1/notes?body=eq.${body}`,
        { ...json, ...version },
        '{"count": 5}',
      );
      expect([changed.status, changed.text.includes(body)]).toEqual([200, true]);
    }
    expect([await one.stop(), await other.stop()]).toEqual([0, 0]);
  });

  test('of writes of one row on two nodes some fail as deadlocks do, and each success counts once', async () => {
    await loadMysql(database.url, `insert into notes (id, body) values (100001, 'hot'), (100002, 'hot')`);
    expect(await rowsOf(nodes[1], `select id from ${database.name}.notes where id > 100000`)).toHaveLength(2);
    const servers = [await start([0, 1, 2]), await start([1, 0, 2])];
    const ends = { ok: 0, failed: 0 };
    const work = async (server: Server): Promise<void> => {
      for (let at = 0; at < 40; at += 1) {
        const document =
          at % 2 === 0 ? `mutation { ${raise(100001)} }` : `mutation { ${raise(100001)} ${raise(100002)} }`;
        const { status, text } = await ask(server, document);
        if (text.includes('"errors"')) {
          expect([status, text]).toEqual([200, expect.stringContaining('"code":"40P01"')]);
          expect(text).toContain('"data":null');
          ends.failed += 1;
        } else ends.ok += text.match(/"id":/g)?.length ?? 0;
      }
    };
    await Promise.all(servers.flatMap((server) => [work(server), work(server)]));
    const rows = await rowsOf(nodes[0], `select sum(count) as n from ${database.name}.notes where id > 100000`);
    expect(Number(rows[0]?.['n'])).toBe(ends.ok);
    expect(ends.failed).toBeGreaterThan(0);
    const patch = (server: Server, at: number) =>
      server.send('PATCH', '/api/v1/notes?id=eq.100001', json, `{"body": "patch-${String(at)}"}`);
    const changes = await Promise.all(
      servers.flatMap((server) => Array.from({ length: 20 }, (_, at) => patch(server, at))),
    );
    for (const { status, text, headers } of changes) {
      expect([200, 409]).toContain(status);
      if (status === 409)
        expect([text, headers['retry-after']]).toEqual([expect.stringContaining('40P01'), expect.any(String)]);
    }
    for (const server of servers) expect(await server.stop()).toBe(0);
  });

  test('a node that falls behind, leaves the component or is killed gets no reads, and comes back', async () => {
    const server = await start();
    const [, second, third] = nodes;
    const reads = async (): Promise<void> => {
      for (let at = 0; at < 20; at += 1) expect((await server.get('/api/v1/notes?limit=1')).status).toBe(200);
    };
    await loadMysql(second.url, 'set global wsrep_desync = 1');
    await hasStates(server, 'primary,behind,in');
    await reads();
    await loadMysql(second.url, 'set global wsrep_desync = 0');
    await allIn(server);

    await whileImpatient(async () => {
      await loadMysql(second.url, `set global wsrep_provider_options = 'gmcast.isolate=1'`);
      await until(async () => {
        await reads();
        return (await statesOf(server)).join() === 'primary,away,in';
      });
      await loadMysql(second.url, `set global wsrep_provider_options = 'gmcast.isolate=0'`);
      await allIn(server);

      await third.stop('SIGKILL');
      await reads();
      await hasStates(server, 'primary,in,away');
      expect((await post(server, 'without the third')).status).toBe(201);
      await third.join();
      await allIn(server);
    });
    expect(await server.stop()).toBe(0);
  });

  test.each(['SIGTERM', 'SIGKILL', 'isolation'] as const)(
    'the node of the writes goes away by %s: the next one takes them, and none is lost or there twice',
    async (end) => {
      const server = await start();
      const kept: string[] = [];
      const refused: string[] = [];
      const unversioned: string[] = [];
      const load = { isOver: false };
      const work = async (name: string): Promise<void> => {
        for (let at = 0; !load.isOver; at += 1) {
          const body = `${end}-${name}-${String(at)}`;
          const written = await post(server, body);
          if (written.status === 201) {
            kept.push(body);
            // A node that goes away after the commit tells no version: once for each client.
            if (written.headers['x-data-version'] === undefined) unversioned.push(body);
            else expect((await server.get(`/api/v1/notes?body=eq.${body}`, versionOf(written))).text).toContain(body);
          } else {
            expect([409, 503]).toContain(written.status);
            if (!written.text.includes('outcome is unknown')) refused.push(body);
          }
        }
      };
      const working = Promise.all(['a', 'b', 'c'].map(work));
      await until(() => Promise.resolve(kept.length > 20));
      const isolate = (is: number) =>
        loadMysql(nodes[0].url, `set global wsrep_provider_options = 'gmcast.isolate=${String(is)}'`);
      await whileImpatient(async () => {
        await (end === 'isolation' ? isolate(1) : nodes[0].stop(end));
        await hasStates(server, 'away,primary,in');
        const before = kept.length;
        await until(() => Promise.resolve(kept.length > before + 20));
        await (end === 'isolation' ? isolate(0) : nodes[0].join());
        await allIn(server);
      });
      const again = kept.length;
      await until(() => Promise.resolve(kept.length > again + 20));
      load.isOver = true;
      await working;
      const rows = await rowsOf(nodes[1], `select body from ${database.name}.notes where body like '${end}-%'`);
      const found = rows.map(({ body }) => String(body));
      expect(new Set(found).size).toBe(found.length);
      const there = new Set(found);
      expect(kept.filter((body) => !there.has(body))).toEqual([]);
      expect(refused.filter((body) => there.has(body))).toEqual([]);
      expect(unversioned.length).toBeLessThanOrEqual(3);
      expect(await server.stop()).toBe(0);
    },
  );

  test('subscribers receive writes of all nodes, and go on at the next node', async () => {
    const server = await start([0, 1, 2], { APP_CHANGES_SOURCE: 'binlog' });
    await untilLive(server);
    const client = openClient(server);
    const watching = await watch(client, `subscription { ${database.prefix}NotesChanges { operation data { body } } }`);
    const arrives = async (body: string): Promise<void> => {
      await loadMysql(nodes[2].url, `insert into ${database.name}.notes (body) values ('${body}')`);
      await watching.until((events) => events.some(({ data }) => data?.['body'] === body));
    };
    await arrives('of another node');
    watching.forget();
    await nodes[0].stop('SIGTERM');
    await hasStates(server, 'away,primary,in');
    await watching.until((events) => events.some(({ operation }) => operation === 'RESYNC'));
    await arrives('after the node');
    await nodes[0].join();
    await client.dispose();
    expect(await server.stop()).toBe(0);
  });
});
