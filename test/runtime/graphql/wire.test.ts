import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDriver } from '../../support/create-driver.js';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import { startGraphqlServer, type GraphqlServer } from '../../support/graphql-server.js';
import { settingsWith } from '../../support/intents.js';
import { extendedSchema } from '../../support/live-schema.js';
import { createFilledDatabase, type TestDatabase } from '../../support/postgres.js';
import { board, boardRegistry, boardSql } from '../../support/registry.js';

let database: TestDatabase;
let wire: { server: Server; port: number; executed: () => number };
let driver: Driver;
let server: GraphqlServer;

beforeAll(async () => {
  database = await createFilledDatabase('graphql_wire', boardSql);
  const address = new URL(database.url);
  wire = await countingProxy(address.hostname, Number(address.port || 5432));
  address.hostname = '127.0.0.1';
  address.port = String(wire.port);
  driver = createDriver(settingsWith({ 'app.datasource.url': address.href, 'app.datasource.pool-size': 1 }));
  server = await startGraphqlServer({
    registry: boardRegistry,
    schema: extendedSchema(board, 'extend type Query { custom: Int }', { 'Query.custom': () => 1 }),
    driver,
  });
  await server.ask('{ kanbanLabels { id } }');
});

afterAll(async () => {
  await server.close();
  await driver.close();
  wire.server.close();
  await database.drop();
});

/**
 * A proxy between the server and the database that counts the server's executed statements by the
 * messages of the protocol.
 */
async function countingProxy(host: string, port: number): Promise<typeof wire> {
  let executed = 0;
  const proxy = createServer((client) => {
    const upstream = connect(port, host);
    pass(
      client,
      upstream,
      countMessages((type) => (executed += type === 'E' || type === 'Q' ? 1 : 0)),
    );
    pass(upstream, client, () => undefined);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('no address');
  return { server: proxy, port: address.port, executed: () => executed };
}

function pass(from: Socket, to: Socket, look: (chunk: Buffer) => void): void {
  from.on('data', (chunk: Buffer) => {
    look(chunk);
    to.write(chunk);
  });
  from.on('close', () => to.destroy());
  from.on('error', () => to.destroy());
}

/**
 * Reports the type of each message of a client. The first message, which starts the session, has no
 * type.
 * Source: https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
function countMessages(seen: (type: string) => void): (chunk: Buffer) => void {
  let pending = Buffer.alloc(0);
  let started = false;
  return (chunk) => {
    pending = Buffer.concat([pending, chunk]);
    for (;;) {
      const head = started ? 1 : 0;
      if (pending.length < head + 4) return;
      const length = head + pending.readInt32BE(head);
      if (pending.length < length) return;
      if (started) seen(String.fromCharCode(pending[0] ?? 0));
      started = true;
      pending = pending.subarray(length);
    }
  };
}

const everything = `query Everything($w: KanbanIssuesWhereInput, $n: Int, $deep: Boolean = true) {
  __typename
  a: kanbanIssues(where: $w, limit: $n, orderBy: [{kanbanProjectId: {name: ASC}}, {id: DESC}]) { ...Issue }
  b: kanbanIssues(or: [{id: {eq: 1}}, {labels: {hasAny: ["ui"]}}]) { id shout }
  kanbanUsersByPk(id: 1) { name kanbanIssues { ...Issue kanbanLabelsViaIssueLabels @include(if: $deep) { name } } }
  kanbanIssuesConnection(first: 2, orderBy: {points: DESC}) { totalCount edges { cursor node { ...Issue } } pageInfo { hasNextPage } }
  kanbanIssuesAggregate(groupBy: [status]) { count groups { key { status } sum { points } } }
  kanbanProjects { name kanbanIssuesAggregate { count max { created_at } } }
  kanbanLog { line }
}
fragment Issue on KanbanIssues { id title status kanbanAssigneeId { name } kanbanBriefs { body } }`;

/**
 * `reset all` and `reset role` end each transaction: they remove the session state of the
 * database's own code.
 */
const RESETS = 2;

test.each([
  ['a document of everything', everything],
  ['the same with another variable shape', everything],
  ['a document with a field of the user', '{ custom kanbanProjects { name kanbanIssues { title } } }'],
  ['a document with introspection', '{ __schema { queryType { name } } kanbanProjects { name } }'],
])('%s is one statement on the wire', async (what, document) => {
  const before = wire.executed();
  const { body } = await server.ask(
    document,
    what.includes('shape') ? { w: { points: { gt: 1 } }, n: 2, deep: false } : {},
  );
  expect(body.errors).toBeUndefined();
  expect(wire.executed() - before).toBe(1 + RESETS);
});

test('what needs no data is no statement', async () => {
  const before = wire.executed();
  await server.ask('{ __schema { types { name } } }');
  await server.ask('{ custom }');
  await server.ask('{ nonsense }');
  expect(wire.executed() - before).toBe(0);
});
