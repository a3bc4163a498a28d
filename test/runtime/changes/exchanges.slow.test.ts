import type { Client } from 'graphql-ws';
import { exchangeConfig, exchangedNames, exchangeSchema, exchangeTables } from '../../support/exchanged-names.js';
import { followingServer } from '../../support/following-server.js';
import type { ServedServer } from '../../support/served-as-role.js';
import { openClient, openLive, untilLive, watch, type Live, type Watching } from './support/live.js';

/**
 * Names that a migration exchanges show subscribers nothing that `exclude`, `hide` or a rule names
 * after the server has noticed it: neither those of before nor those of later.
 */
const columnsOf: Readonly<Record<string, string>> = {
  staff: 'id name bonus room desk',
  logs: 'id owner body',
  papers: 'id owner body author',
  board: 'id line',
};

describe.each(['wal', 'notify'] as const)('exchanged names and subscriptions by %s', (source) => {
  let live: Live;
  let server: ServedServer;
  let client: Client;
  const { ready, until } = followingServer(() => server);

  beforeAll(async () => {
    live = await openLive(source, [], undefined, exchangeConfig('live'), {
      sql: exchangeSchema,
      watched: ['staff', 'logs', 'papers', 'vault', 'board'].map((name) => ({ schema: 'live', name, key: ['id'] })),
    });
  });
  afterAll(() => live.stop());

  const state = async (): Promise<string> => JSON.stringify(await ready());
  const subscribe = (table: string): Promise<Watching> =>
    watch(
      client,
      `subscription { ${table}Changes(snapshot: true) { operation key data { ${columnsOf[table] ?? ''} } } }`,
    );
  const subscribeToAll = (): Promise<readonly Watching[]> =>
    Promise.all(Object.keys(columnsOf).map((table) => subscribe(table)));

  /** An update of every row, whatever its table is called now. */
  async function touchEverything(): Promise<void> {
    const there = await live.run(
      `select relname as name from pg_class where relnamespace = 'live'::regnamespace and relkind = 'r' and relname = any($1)`,
      [exchangeTables],
    );
    for (const { name } of there) await live.run(`update live."${String(name)}" set id = id`);
  }

  /** Waits for changes of a table that no migration touches: they are later than all others. */
  async function untilToldLater(id: number): Promise<void> {
    const later = await watch(client, 'subscription { projectsChanges { key } }');
    for (let turn = 0; turn < 2; turn += 1) {
      await live.run(`insert into live.projects values ($1, 'later')`, [id + turn]);
      await later.until((events) => events.some(({ key }) => key?.['id'] === id + turn));
    }
    later.stop();
  }

  test.each(exchangedNames.map((each, at) => [each.what, at, each] as const))('%s', async (_what, at, exchange) => {
    server = await live.start({ APP_LOG_LEVEL: 'error', APP_DRIFT_PROBE_MS: '100' });
    client = openClient(server);
    const migrate = (sql: string) => live.run(`set search_path to live; ${sql} reset search_path`);
    try {
      const before = await subscribeToAll();
      for (const each of before) await each.until((events) => events.length > 0);
      expect(JSON.stringify(before.map(({ events }) => events))).toContain('mine');
      await migrate(exchange.change);
      await until(async () => (await state()).includes('"schema"'));
      await untilLive(server);
      await touchEverything();
      const after = await subscribeToAll();
      await touchEverything();
      await untilToldLater(1000 + 100 * at);
      const told = [...before, ...after].map(({ events, errors }) => [events, errors]);
      expect(JSON.stringify(told)).not.toContain('SECRET');

      await migrate(exchange.undo);
      await until(async () => !(await state()).includes('"schema"'));
      const again = await subscribe('staff');
      await again.until((events) => events.length > 0);
      expect(again.events[0]).toMatchObject({ operation: 'SNAPSHOT', data: { name: 'Ada', bonus: 'b', desk: 'd' } });
      for (const each of [...before, ...after, again]) each.stop();
    } finally {
      await client.dispose();
      await server.stop();
    }
  });
});
