import type { Client } from 'graphql-ws';
import { randomBytes } from 'node:crypto';
import { describeWhere } from '../../support/describe-where.js';
import { until, type ServedServer } from '../../support/served-as-role.js';
import { wireTo, type Wire } from '../../support/wire-to.js';
import { allTold, once, openClient, openLive, watch, type Live, type Watching } from './support/live.js';

/** The same contract for every hub: of three server processes, one reads the changes. */
const hubs = [
  ['nats', 'nats://127.0.0.1:4222'],
  ['redis', 'redis://127.0.0.1:6379'],
] as const;

describe.each(hubs)('three processes with the hub %s', (hub, url) => {
  describeWhere(hub)('each change once, or RESYNC', () => {
    let live: Live;
    let wire: Wire;
    let servers: ServedServer[];
    let clients: Client[];
    let watchings: Watching[];

    beforeAll(async () => {
      live = await openLive();
      wire = await wireTo(url);
      const environment = {
        APP_LOG_LEVEL: 'silent',
        APP_CHANGES_HUB: hub,
        APP_CHANGES_HUB_URL: wire.url,
        APP_CHANGES_HUB_SUBJECT: `tablewright.test.${randomBytes(4).toString('hex')}`,
      };
      servers = [
        await live.startProcess(environment),
        await live.startProcess(environment),
        await live.startProcess(environment),
      ];
      clients = servers.map((server) => openClient(server));
      watchings = await Promise.all(
        clients.map((client) =>
          watch(client, 'subscription { liveIssuesChanges { operation key error data { id title } } }'),
        ),
      );
    });
    afterAll(async () => {
      for (const client of clients) await client.dispose();
      await Promise.all(servers.map((server) => server.stop()));
      await wire.close();
      await live.stop();
    });

    const slots = (): ReturnType<Live['run']> => live.run('select slot_name from pg_replication_slots');

    const write = (title: string): ReturnType<Live['run']> =>
      live.run(
        `insert into live.issues (id, title) values (1, $1) on conflict (id) do update set title = excluded.title`,
        [title],
      );

    test('one slot serves all, and each subscriber is told each change once', async () => {
      expect(await slots()).toHaveLength(1);
      for (const watching of watchings) watching.forget();
      for (let id = 100; id < 200; id += 1) await live.run(`insert into live.issues (id, title) values (${id}, 'x')`);
      for (const watching of watchings) {
        await watching.until(({ length }) => length >= 100);
        const ids = watching.events.map(({ operation, key }) => `${operation} ${String(key?.['id'])}`);
        expect(ids).toEqual(Array.from({ length: 100 }, (_, at) => `INSERT ${at + 100}`));
      }
    });

    test('a hub that is lost and found again: RESYNC, and then everything', async () => {
      for (const watching of watchings) watching.forget();
      wire.redirect(url);
      await Promise.all(
        watchings.map(({ until: told }) => told((events) => events.some(({ operation }) => operation === 'RESYNC'))),
      );
      await allTold(watchings, 'back', write);
    });

    test('a network to the hub that forwards nothing: RESYNC by a new connection, and then everything', async () => {
      for (const watching of watchings) watching.forget();
      wire.silence();
      await Promise.all(
        watchings.map(({ until: told }) => told((events) => events.some(({ operation }) => operation === 'RESYNC'))),
      );
      await allTold(watchings, 'heard', write);
    });

    test('two swaps in a row while the hub connects slowly leave one reader, and no connection', async () => {
      const open = wire.size();
      wire.slow(300);
      for (const name of ['a', 'b', 'c', 'd']) {
        await live.run(`create table live.slow_${name} (id integer primary key);
          grant select on live.slow_${name} to public; notify tablewright`);
        await new Promise((resolve) => setTimeout(resolve, 150));
      }
      for (const client of clients)
        await until(async () => {
          const { errors } = await once(client, '{ liveSlowA { id } liveSlowD { id } }').catch(() => ({
            errors: [''],
          }));
          return errors === undefined;
        });
      await allTold(watchings, 'swapped', write);
      await until(async () => (await slots()).length === 1 && wire.size() === open);
      for (const watching of watchings) watching.forget();
      await live.run(`insert into live.issues (id, title) values (5000, 'once')`);
      for (const watching of watchings)
        await watching.until((events) => events.some(({ data }) => data?.['title'] === 'once'));
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      for (const { events } of watchings)
        expect(events.filter(({ data }) => data?.['title'] === 'once')).toHaveLength(1);
      expect([(await slots()).length, wire.size()]).toEqual([1, open]);
      wire.slow(0);
    });

    test('a reader that is killed: another one reads', async () => {
      const [slot] = await slots();
      const reader = Number(String(slot?.['slot_name']).split('_')[1]);
      for (const watching of watchings) watching.forget();
      process.kill(reader, 'SIGKILL');
      const others: Watching[] = [];
      for (const [at, server] of servers.entries()) {
        const watching = watchings[at];
        const answers = await fetch(`${server.base}/health/live`).catch(() => undefined);
        if (answers !== undefined && watching !== undefined) others.push(watching);
      }
      expect(others).toHaveLength(2);
      await Promise.all(
        others.map(({ until: told }) => told((events) => events.some(({ operation }) => operation === 'RESYNC'))),
      );
      await allTold(others, 'after', write);
      expect(await slots()).toHaveLength(1);
    });

    test('a silent network to the hub keeps no server from its end', async () => {
      // A client that does not reach its server for long throws.
      for (const client of clients) await client.dispose();
      wire.silence('and new');
      const codes = await Promise.all(servers.map((server) => server.stop()));
      expect([...codes].sort()).toEqual([0, 0, null]);
    });
  });
});
