import { createRegistry } from '../../../runtime/src/descriptor/registry.js';
import type { Dialect } from '../../../runtime/src/dialect/dialect.js';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import { mysql } from '../../../runtime/src/dialect/mysql/dialect.js';
import { createDriver } from '../../support/create-driver.js';
import { buildGenerated } from '../../support/generated-program.js';
import { describeOwnMariadb } from '../../support/describe-own-mariadb.js';
import { loadMysql } from '../../support/mysql.js';
import { createOwnMariadb, type OwnMariadb } from '../../support/own-mariadb.js';
import { startGeneratedServer } from '../../support/running-server.js';
import { writeCustom } from '../../support/served-as-role.js';
import { startServerHere } from '../../support/server-here.js';
import { settingsWith } from '../../support/settings.js';
import { openClient, untilLive, watch } from '../changes/support/live.js';

const schema = `create database shop; use shop;
  create table events (id int primary key, at timestamp(3) null, since timestamp default '2024-01-01 00:00:00', seen datetime);
  create table stamps (at timestamp(6) not null primary key, note varchar(20));
  create view days as select id, at, date(at) as day, since from events;
  create trigger sees before insert on events for each row set new.seen = now();`;

describeOwnMariadb('sessions on a database of another time zone', () => {
  let mariadb: OwnMariadb;
  beforeAll(async () => {
    mariadb = await createOwnMariadb([
      '--default-time-zone=+05:30',
      '--log-bin',
      '--binlog-format=ROW',
      '--server-id=9',
    ]);
    await mariadb.start();
    await loadMysql(mariadb.url, schema);
  });
  afterAll(() => mariadb.remove());

  const served = () => ({ schemas: ['shop'], url: `${mariadb.url}shop` });
  const open = async (dialect: Dialect): Promise<Driver> => {
    const settings = settingsWith({ 'app.datasource.url': served().url, 'app.datasource.pool-size': 1 });
    const driver = createDriver(settings, 0, undefined, dialect);
    // A session from before the zone was known.
    await driver.run([zone]);
    await dialect.checkAtStart(driver, createRegistry({ tables: [] }), settings);
    return driver;
  };
  const zone = { text: 'select @@time_zone', values: [] };
  const ofServer = (): Dialect => mysql.forServer?.(served()) ?? mysql;

  test('statements of the compiler have the zone of the database, those of custom code have UTC', async () => {
    const driver = await open(ofServer());
    expect(await driver.run([zone])).toEqual([['+05:30']]);
    const at = new Date('2024-02-29T20:00:00.125Z');
    await driver.transaction(async (run, custom) => {
      expect(await run([zone])).toEqual([['+05:30']]);
      await custom.query({ text: 'insert into shop.events (id, at) values (?, ?)', values: [1, at] });
      const read = { text: 'select at from shop.events where at = ?', values: [at] };
      expect((await custom.query(read)).rows).toEqual([{ at }]);
      expect(await run([zone])).toEqual([['+05:30']]);
    });
    expect(await driver.run([{ text: 'select unix_timestamp(at) from shop.events', values: [] }])).toEqual([
      [(at.getTime() / 1000).toFixed(3)],
    ]);
    expect(await driver.run([zone], { write: true })).toEqual([['+05:30']]);
    await driver.close();
  });

  test('a trigger that sets another zone changes no later statement', async () => {
    const driver = await open(ofServer());
    const write = { text: "set time_zone = '-09:00'", values: [], answers: 'count' as const };
    await driver.run([write], { write: true });
    expect(await driver.run([zone])).toEqual([['+05:30']]);
    await driver.transaction((_run, custom) => custom.query({ text: "set time_zone = '-09:00'", values: [] }));
    expect(await driver.run([zone])).toEqual([['+05:30']]);
    await driver.close();
  });

  test('the catalogue is read as by the generator', async () => {
    const dialect = ofServer();
    const driver = await open(dialect);
    const connection = await dialect.connect(served().url);
    const generated = await dialect.readCatalog(connection, { schemas: ['shop'] });
    await connection.close();
    expect(JSON.parse((await dialect.live?.read(driver, ['shop'])) ?? '')).toEqual(
      JSON.parse(JSON.stringify(generated)),
    );
    await driver.close();
  });

  test('subscribers are told instants in UTC, in keys and rows', async () => {
    const { url } = served();
    const program = await buildGenerated(url);
    const server = await startGeneratedServer(program.folder, { DATABASE_URL: url, APP_CHANGES_SOURCE: 'binlog' });
    await untilLive(server);
    const client = openClient(server);
    const watching = await watch(client, 'subscription { shopStampsChanges { operation key data { at note } } }');
    const at = '2024-02-29T20:00:00.125+00:00';
    await loadMysql(url, "insert into stamps values ('2024-03-01 01:30:00.125', 'new')");
    await watching.until(({ length }) => length >= 1);
    await loadMysql(url, 'delete from stamps');
    await watching.until(({ length }) => length >= 2);
    expect(watching.events).toMatchObject([
      { operation: 'INSERT', key: { at }, data: { at, note: 'new' } },
      { operation: 'DELETE', key: { at }, data: null },
    ]);
    await client.dispose();
    await server.stop();
    await program.remove();
  });

  test('hooks get the rows that the write is about, where a view computes in the zone of the database', async () => {
    const { url } = served();
    const program = await buildGenerated(url);
    await writeCustom(
      program,
      `import { Router } from 'express';
      const seen = [];
      const before = async ({ current, set }) => { seen.push(await current()); return set; };
      const after = ({ rows }) => { seen.push(rows.map(({ after }) => after)); };
      export const custom = {
        hooks: { 'shop.days': { beforeUpdate: before, afterUpdate: after } },
        routes: [Router().get('/seen', (_request, response) => { response.json(seen.splice(0)); })],
      };`,
    );
    await loadMysql(url, "insert into events (id, at) values (20, '2025-03-01 01:30'), (21, '2025-03-01 12:00')");
    const server = await startServerHere(program.folder, { DATABASE_URL: url });
    const since = '2024-06-30T20:00:00.000Z';
    const answer = await fetch(`${server.base}/api/v1/days?day=eq.2025-03-01`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', prefer: 'return=representation' },
      body: JSON.stringify({ since }),
    });
    const day = '2025-03-01';
    expect(await answer.json()).toMatchObject([
      { id: 20, day },
      { id: 21, day },
    ]);
    const rows = [
      { id: 20, at: '2025-02-28T20:00:00.000Z', day: `${day}T00:00:00.000Z` },
      { id: 21, at: '2025-03-01T06:30:00.000Z', day: `${day}T00:00:00.000Z` },
    ];
    const seen = (await (await fetch(`${server.base}/seen`)).json()) as unknown;
    expect(seen).toMatchObject([rows, rows.map((row) => ({ ...row, since }))]);
    await server.stop();
    await program.remove();
  });

  test('databases of tenants are used in UTC: their zones may differ', async () => {
    const ofTenant = await open(mysql.tenants?.dialectOf(served()) ?? mysql);
    expect(await ofTenant.run([zone])).toEqual([['+00:00']]);
    await ofTenant.close();
    const server = ofServer();
    const driver = await open(server);
    server.tenants?.compilers();
    expect(await driver.run([zone])).toEqual([['+00:00']]);
    await driver.close();
  });
});
