import type { Client } from 'graphql-ws';
import type { ServedServer } from '../../support/served-as-role.js';
import { openClient, openLive, watch, type Live } from './support/live.js';
import { shown } from './support/shown.js';

/** Rows of tables that inherit may have the keys of others: an event is about one row. */
const sql = `create table parent (id int primary key, name text not null);
  create table child (extra text, primary key (id)) inherits (parent);
  insert into parent values (1, 'own one'), (2, 'own two');
  insert into child values (1, 'inherits', 'e'), (3, 'inherits', 'e');`;

describe.each(['wal', 'notify'] as const)('inherited tables by %s', (source) => {
  let live: Live;
  let server: ServedServer;
  let client: Client;

  beforeAll(async () => {
    const watched = ['parent', 'child'].map((name) => ({ schema: 'live', name, key: ['id'] }));
    live = await openLive(source, [], undefined, undefined, { sql, watched });
    server = await live.start({ APP_LOG_LEVEL: 'warn' });
    client = openClient(server);
  });
  afterAll(async () => {
    await client.dispose();
    await server.stop();
    await live.stop();
  });

  test('a subscriber shows the rows of the table itself', async () => {
    const subscribe = (table: string) =>
      watch(client, `subscription { live${table}Changes(snapshot: true) { operation key data { id name } } }`);
    const [parents, children] = [await subscribe('Parent'), await subscribe('Child')];
    for (const each of [parents, children]) await each.until((events) => events.length >= 2);
    await live.run(`update live.child set name = 'inherits too'`);
    await live.run(`update live.parent set name = 'all of them'`);
    await live.run(`update only live.parent set name = 'own ' || id`);
    await live.run('delete from only live.child where id = 1');
    await live.run(`insert into live.parent values (9, 'last')`);
    await live.run(`insert into live.child values (9, 'last', null)`);
    for (const each of [parents, children])
      await each.until((events) => events.some(({ data }) => data?.['name'] === 'last'));
    for (const [{ events }, table] of [
      [parents, 'only live.parent'],
      [children, 'live.child'],
    ] as const)
      expect(shown(events)).toEqual(await live.run(`select id, name from ${table} order by id`));
    expect(JSON.stringify(parents.events)).not.toContain('inherits');
    for (const each of [parents, children]) each.stop();
  });
});
