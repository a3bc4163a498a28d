import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { describeOwnMariadb } from '../../support/describe-own-mariadb.js';
import { createClient, type Client } from '../../runtime/rest/support/client.js';
import { buildGenerated } from '../../support/generated-program.js';
import { createMysqlDatabase, loadMysql, type MysqlDatabase } from '../../support/mysql.js';
import { createOwnMariadb, type OwnMariadb } from '../../support/own-mariadb.js';
import { startGeneratedServer } from '../../support/running-server.js';
import type { Transpiled } from '../../support/transpile.js';
import { until } from '../../support/until.js';
import { countsOf, statesOf, versionOf } from './support.js';

/** A MariaDB and a replica that follows it by GTID. */
let primary: OwnMariadb;
let replica: OwnMariadb;
let database: MysqlDatabase;
let program: Transpiled;

const open = (id: number) =>
  createOwnMariadb([`--server-id=${id}`, '--log-bin', '--log-slave-updates', '--skip-slave-start']);

const addressOf = ({ url }: OwnMariadb, user = 'app'): string => {
  const address = new URL(database.url);
  address.port = new URL(url).port;
  address.username = user;
  return address.href;
};

async function rowsOf(server: OwnMariadb, sql: string): Promise<readonly RowDataPacket[]> {
  const connection = await createConnection(server.url);
  try {
    return (await connection.query<RowDataPacket[]>(sql))[0];
  } finally {
    await connection.end();
  }
}

const start = async (environment: Readonly<Record<string, string>> = {}) => {
  const server = await startGeneratedServer(program.folder, {
    DATABASE_URL: addressOf(primary),
    APP_DATASOURCE_REPLICAS: addressOf(replica),
    APP_DATASOURCE_REPLICA_MAX_WAIT_MS: '10000',
    APP_DATASOURCE_POOL_SIZE: '3',
    APP_METRICS_PORT: '0',
    ...environment,
  });
  return { ...server, ...createClient(server.base) };
};

const json = { 'content-type': 'application/json' };
const post = (server: Client, body: string) => server.send('POST', '/api/v1/notes', json, JSON.stringify({ body }));

describeOwnMariadb('', () => {
  beforeAll(async () => {
    [primary, replica] = await Promise.all([open(1), open(2)]);
    await Promise.all([primary.start(), replica.start()]);
    await loadMysql(replica.url, 'reset master');
    await loadMysql(
      replica.url,
      `change master to master_host = '127.0.0.1', master_port = ${new URL(primary.url).port}, master_user = 'root', master_use_gtid = slave_pos`,
    );
    await loadMysql(replica.url, 'set global read_only = 1');
    await loadMysql(replica.url, 'start slave');
    database = await createMysqlDatabase('replicas', primary.url);
    await loadMysql(
      database.url,
      `create table notes (id int primary key auto_increment, body varchar(50) not null);
     create user app@'%'; grant select, insert, update, delete on ${database.name}.* to app@'%';`,
    );
    program = await buildGenerated(database.url);
  });
  afterAll(async () => {
    await program.remove();
    await Promise.all([primary.remove(), replica.remove()]);
  });

  test('an account that may write on replicas is refused', async () => {
    await expect(start({ DATABASE_URL: addressOf(primary, 'root') })).rejects.toThrow('READ_ONLY ADMIN');
  });

  test('a read with the version of a write waits for the replica; after a failover the new primary takes the writes', async () => {
    const server = await start();
    await until(async () => (await statesOf(server)).join() === 'primary,in');
    const two = `mutation($body: String!) { a: create${field()}(input: { body: "x" }) { id } b: create${field()}(input: { body: $body }) { id } }`;
    const writes = [
      (body: string) => post(server, body),
      (body: string) => server.send('PUT', '/api/v1/notes?id=eq.1', json, JSON.stringify({ id: 1, body })),
      (body: string) => server.send('PATCH', '/api/v1/notes?id=eq.1', json, JSON.stringify({ body })),
      (body: string) => server.send('POST', '/graphql', json, JSON.stringify({ query: two, variables: { body } })),
    ];
    for (const [at, write] of writes.entries()) {
      const body = `note-${at}`;
      await loadMysql(replica.url, 'stop slave sql_thread');
      const written = await write(body);
      const version = versionOf(written);
      expect((await server.get(`/api/v1/notes?body=eq.${body}`)).text).toContain('"data":[]');
      const waiting = server.get(`/api/v1/notes?body=eq.${body}`, version);
      await loadMysql(replica.url, 'start slave sql_thread');
      expect((await waiting).text).toContain(body);
    }
    const counts = await countsOf(server);
    expect([counts['waited'], counts['primary']]).toEqual([writes.length, 0]);
    expect((await server.get('/api/v1/notes', { 'x-data-version': '0-1' })).status).toBe(400);
    expect((await server.get('/api/v1/notes', { 'x-data-version': '0-9-1' })).status).toBe(200);

    await until(
      async () => (await rowsOf(replica, `select id from ${database.name}.notes where body = 'note-3'`)).length === 1,
    );
    await primary.stop('SIGKILL');
    expect((await post(server, 'nowhere')).status).toBe(503);
    expect((await server.get('/api/v1/notes')).status).toBe(200);
    await loadMysql(replica.url, 'stop slave');
    await loadMysql(replica.url, 'set global read_only = 0');
    await until(async () => (await post(server, 'kept')).status === 201);
    await primary.start();
    await until(async () => (await statesOf(server)).join() === 'fenced,primary');
    const still = await post(server, 'still');
    expect((await server.get('/api/v1/notes?body=eq.still', versionOf(still))).text).toContain('still');
    expect(await rowsOf(primary, `select id from ${database.name}.notes where body in ('kept', 'still')`)).toEqual([]);
    expect(await server.stop()).toBe(0);
  });

  test('a primary that becomes a replica refuses a write, which runs at the new one', async () => {
    await loadMysql(primary.url, 'set global read_only = 0');
    await loadMysql(replica.url, 'set global read_only = 1');
    const server = await start();
    await until(async () => (await statesOf(server))[0] === 'primary');
    await loadMysql(primary.url, 'set global read_only = 1');
    await loadMysql(replica.url, 'set global read_only = 0');
    expect((await post(server, 'moved')).status).toBe(201);
    expect(await rowsOf(replica, `select id from ${database.name}.notes where body = 'moved'`)).toHaveLength(1);
    expect(await server.stop()).toBe(0);
  });

  const field = (): string => `${database.prefix}Notes`.replace(/^./, (first) => first.toUpperCase());
});
