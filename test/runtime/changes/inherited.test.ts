import type { Client } from 'graphql-ws';
import type { ServedServer } from '../../support/served-as-role.js';
import { openClient, openLive, watch, type Live } from './support/live.js';
import { shown } from './support/shown.js';

/** Rows of tables that inherit may have the keys of others: an event is about one row. */
const sql = `create table parent (id int primary key, name text not null);
  create table child (extra text, primary key (id)) inherits (parent);
  create table "Grand Child" (primary key (id)) inherits (child);
  insert into parent values (1, 'own one'), (2, 'own two');
  insert into child values (1, 'inherits', 'e'), (3, 'inherits', 'e');
  insert into "Grand Child" values (3, 'inherits', 'e'), (4, 'inherits', 'e');`;

/** Hides rows of one of the tables. */
const rules = { 'live.child': { read: { or: [{ extra: { isNull: true } }, { extra: { neq: 'secret' } }] } } };

describe.each(['wal', 'notify'] as const)('inherited tables by %s', (source) => {
  let live: Live;
  let server: ServedServer;
  let client: Client;

  beforeAll(async () => {
    const watched = ['parent', 'child', 'Grand Child'].map((name) => ({ schema: 'live', name, key: ['id'] }));
    live = await openLive(source, [], undefined, { rules }, { sql, watched });
    server = await live.start({ APP_LOG_LEVEL: 'warn' });
    client = openClient(server);
  });
  afterAll(async () => {
    await client.dispose();
    await server.stop();
    await live.stop();
  });

  test('a subscriber shows the rows of the table itself that its rule shows', async () => {
    const subscribe = (table: string) =>
      watch(client, `subscription { live${table}Changes(snapshot: true) { operation key data { id name } } }`);
    const tables = [
      { own: 'only live.parent', watched: await subscribe('Parent') },
      { own: `only live.child where extra is distinct from 'secret'`, watched: await subscribe('Child') },
      { own: 'live."Grand Child"', watched: await subscribe('GrandChild') },
    ] as const;
    for (const { watched } of tables) await watched.until((events) => events.length >= 2);
    await live.run(`update live.child set name = 'inherits too'`);
    await live.run(`update live.parent set name = 'all of them'`);
    await live.run(`update only live.parent set name = 'own ' || id`);
    await live.run('delete from only live.child where id = 1');
    await live.run(`update live.child set extra = 'secret' where id = 3`);
    await live.run('delete from live.child where id = 4');
    for (const name of ['parent', 'child', '"Grand Child"'])
      await live.run(`insert into live.${name} (id, name) values (9, 'last')`);
    for (const { watched, own } of tables) {
      await watched.until((events) => events.some(({ data }) => data?.['name'] === 'last'));
      expect(shown(watched.events)).toEqual(await live.run(`select id, name from ${own} order by id`));
      watched.stop();
    }
    expect(JSON.stringify(tables[0].watched.events)).not.toContain('inherits');
  });
});
