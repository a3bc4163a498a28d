import type { Client } from 'graphql-ws';
import type { ServedServer } from '../../support/served-as-role.js';
import { once, openClient, openLive, watch, type Live } from './support/live.js';

// Subscriptions with the shortest names: of the field, of columns and keys, of relations, in
// filters, and in the row before the change.

const names = { schemaPrefix: 'never', columns: 'camel', relations: 'simple' };

const custom = `
import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Issues } from '../generated/live/issues.table.js';

class Own {
  shout(issue) { return issue.title.toUpperCase() + ' of ' + issue.projectId; }
}
Root()(Own.prototype, 'shout', 0);
FieldResolver(() => String)(Own.prototype, 'shout', Object.getOwnPropertyDescriptor(Own.prototype, 'shout'));
Resolver(() => Issues)(Own);

export const custom = { resolvers: [Own] };`;

describe.each(['wal', 'notify'] as const)('changes by %s under names.columns: camel', (source) => {
  let live: Live;
  let server: ServedServer;
  let client: Client;

  beforeAll(async () => {
    live = await openLive(source, source === 'wal' ? [] : ['wal_level=replica'], custom, { names, relay: {} });
    server = await live.start({ APP_LOG_LEVEL: 'silent' });
    client = openClient(server);
  });
  afterAll(async () => {
    await client.dispose();
    expect(await server.stop()).toBe(0);
    await live.stop();
  });

  test('rows, related ones and fields of the user’s own are told by their names of the API', async () => {
    const watching = await watch(
      client,
      `subscription { issuesChanges(where: { projectId: { eq: 1 } }) {
        operation key error data { id projectId title shout project { name issuesAggregate { count } } } } }`,
    );
    await live.run(`insert into live.issues (id, project_id, title) values (1, 2, 'Other'), (2, 1, 'Mine')`);
    await watching.until(({ length }) => length >= 1);
    await live.run(`update live.issues set title = 'Changed' where id = 2`);
    await watching.until(({ length }) => length >= 2);
    await live.run(`update live.issues set project_id = 2 where id = 2`);
    await watching.until(({ length }) => length >= 3);
    const project = { name: 'one', issuesAggregate: { count: 1 } };
    const row = (title: string, shout: string) => ({ id: 2, projectId: 1, title, shout, project });
    expect(watching.events).toEqual([
      { operation: 'INSERT', key: { id: 2 }, error: null, data: row('Mine', 'MINE of 1') },
      { operation: 'UPDATE', key: { id: 2 }, error: null, data: row('Changed', 'CHANGED of 1') },
      { operation: 'DELETE', key: { id: 2 }, error: null, data: null },
    ]);
    watching.stop();
  });

  test('a row has its global identifier, and had it before its change', async () => {
    const watching = await watch(client, 'subscription { thingsChanges { data { nodeId } old { nodeId name } } }');
    await live.run(`insert into live.things (id, name) values (7, 'a')`);
    await watching.until(({ length }) => length >= 1);
    await live.run(`update live.things set name = 'b' where id = 7`);
    await watching.until(({ length }) => length >= 2);
    const nodeId = Buffer.from('["Things","7"]').toString('base64url');
    expect(watching.events).toMatchObject([{ data: { nodeId } }, { data: { nodeId } }]);
    const [, changed] = watching.events as readonly { old: unknown }[];
    expect(changed?.old).toEqual(source === 'wal' ? { nodeId, name: 'a' } : null);
    watching.stop();
  });

  test('a key has the names of the API, also where it changes', async () => {
    const watching = await watch(client, 'subscription { dayNotesChanges { operation key data { dayNo noteText } } }');
    await live.run(`insert into live.day_notes values (1, 2, 'first')`);
    await watching.until(({ length }) => length >= 1);
    await live.run(`update live.day_notes set note_no = 3`);
    await watching.until(({ length }) => length >= 3);
    const data = { dayNo: 1, noteText: 'first' };
    expect(watching.events).toEqual([
      { operation: 'INSERT', key: { dayNo: 1, noteNo: 2 }, data },
      { operation: 'DELETE', key: { dayNo: 1, noteNo: 2 }, data: null },
      { operation: 'INSERT', key: { dayNo: 1, noteNo: 3 }, data },
    ]);
    watching.stop();
  });

  test('a mutation by these names is told to those who subscribe by them', async () => {
    const watching = await watch(
      client,
      'subscription ($project: Int!) { thingsChanges(where: { projectId: { eq: $project } }) { operation key old { projectId name } data { projectId name } } }',
      { project: 2 },
    );
    const create = 'mutation { createThings(input: { id: 5, name: "new", projectId: 2 }) { projectId } }';
    expect(await once(client, create)).toEqual({ data: { createThings: { projectId: 2 } } });
    await watching.until(({ length }) => length >= 1);
    const update = 'mutation { updateThings(where: { projectId: { eq: 2 } }, input: { name: "newer" }) { name } }';
    expect(await once(client, update)).toEqual({ data: { updateThings: [{ name: 'newer' }] } });
    await watching.until(({ length }) => length >= 2);
    expect(watching.events).toMatchObject([
      { operation: 'INSERT', key: { id: 5 }, old: null, data: { projectId: 2, name: 'new' } },
      { operation: 'UPDATE', key: { id: 5 }, data: { projectId: 2, name: 'newer' } },
    ]);
    const [, changed] = watching.events;
    // Only the database's log has the row before its change.
    expect(changed?.old).toEqual(source === 'wal' ? { projectId: 2, name: 'new' } : null);
    watching.stop();
  });
});
