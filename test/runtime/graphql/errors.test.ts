import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { ServerError, codes } from '../../../runtime/src/errors.js';
import { createDriver } from '../../support/create-driver.js';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import { startGraphqlServer, type GraphqlServer } from '../../support/graphql-server.js';
import { settingsWith } from '../../support/intents.js';
import { schemaOf } from '../../support/live-schema.js';
import { createFilledDatabase, loadSql, type TestDatabase } from '../../support/postgres.js';
import { board, boardRegistry, boardSql } from '../../support/registry.js';

/** Roles belong to the whole database server, which other runs may share. */
const nobody = `graphql_errors_${randomBytes(5).toString('hex')}`;

let database: TestDatabase;
let driver: Driver;
let server: GraphqlServer;

beforeAll(async () => {
  database = await createFilledDatabase('graphql_errors', boardSql);
  await loadSql(
    database.url,
    `CREATE OR REPLACE FUNCTION kanban.issues_shout(issue kanban.issues) RETURNS text LANGUAGE plpgsql STABLE AS $$
    BEGIN RAISE EXCEPTION 'the secret of % is hunter2', issue.title; END $$;
    CREATE ROLE ${nobody} NOLOGIN;`,
  );
  driver = createDriver(settingsWith({ 'app.datasource.url': database.url }));
  server = await startGraphqlServer({ registry: boardRegistry, schema: schemaOf(board), driver });
});

afterAll(async () => {
  await server.close();
  await driver.close();
  await loadSql(database.url, `DROP ROLE ${nobody}`);
  await database.drop();
});

beforeEach(() => {
  server.forget();
});

describe('errors while a statement runs', () => {
  test('a malformed raw search: 200 with an error that says where', async () => {
    const { status, body } = await server.ask('{ found: kanbanIssues(where: {search: {rawSearch: "a &"}}) { id } }');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      data: null,
      errors: [{ path: ['found'], locations: [{ line: 1, column: 3 }], extensions: { code: '42601' } }],
    });
  });

  test('a value that is not of its type keeps its SQLSTATE and loses its text', async () => {
    const { status, body, text } = await server.ask('{ kanbanIssues(where: {created_at: {gt: "hunter2"}}) { id } }');
    expect(status).toBe(200);
    expect(body.errors?.[0]).toMatchObject({ path: ['kanbanIssues'], extensions: { code: '22007' } });
    expect(text).not.toContain('hunter2');
  });

  test("what the database's author raises is told: decision 006", async () => {
    const { body } = await server.ask('{ kanbanIssues { shout } }');
    expect(body).toMatchObject({
      data: null,
      errors: [{ message: expect.stringContaining('hunter2') as unknown, extensions: { code: 'P0001' } }],
    });
  });

  test('an error of a document with several fields names the one that fails, though one statement answers them all', async () => {
    const { body } = await server.ask('{ b: kanbanLabels { id } a: kanbanIssues { shout } c: kanbanLabels { id } }');
    expect(body).toMatchObject({ data: null, errors: [{ path: ['a'], locations: [{ line: 1, column: 26 }] }] });
  });

  test('a malformed value, a wrong type, an unknown key: all have path, locations and `data: null`', async () => {
    const fields = [
      'kanbanIssues(where: {search: {rawSearch: "a &"}}) { id }',
      'kanbanIssues(where: {created_at: {gt: "hunter2"}}) { id }',
      'kanbanIssues(where: {title: {eq: null}}) { id }',
      'kanbanIssues(where: {title: {like: "a\\\\"}}) { id }',
      'kanbanIssuesConnection(after: "nonsense") { nodes { id } }',
      'kanbanIssuesAggregate(groupBy: [status]) { groups { key { id } count } }',
    ];
    for (const field of fields) {
      const { status, body } = await server.ask(`{ ok: kanbanLabels { id } it: ${field} }`);
      expect({ field, status, body }).toMatchObject({
        ...{ field, status: 200 },
        body: { data: null, errors: [{ path: ['it'], locations: [{ line: 1, column: 27 }] }] },
      });
    }
  });

  test('the planner refuses before the database is asked', async () => {
    const { body } = await server.ask('{ kanbanIssuesAggregate(groupBy: [status]) { groups { key { id } count } } }');
    expect(body).toMatchObject({
      data: null,
      errors: [{ path: ['kanbanIssuesAggregate'], extensions: { code: 'TW003' } }],
    });
    expect(server.rounds).toHaveLength(0);
    const cursor = await server.ask('{ kanbanIssuesConnection(after: "nonsense") { nodes { id } } }');
    expect(cursor.body).toMatchObject({ data: null, errors: [{ path: ['kanbanIssuesConnection'] }] });
  });
});

describe('who asks', () => {
  const refused = (error: ServerError): Promise<GraphqlServer> =>
    startGraphqlServer({
      registry: boardRegistry,
      schema: schemaOf(board),
      driver,
      authenticate: () => Promise.reject(error),
    });

  test('an invalid token: 401 with the body of decision 007', async () => {
    const closed = await refused(
      new ServerError(401, codes.invalidToken, 'The token is not valid.', {
        headers: { 'www-authenticate': 'Bearer' },
      }),
    );
    const { status, headers, text } = await closed.ask('{ kanbanIssues { id } }');
    await closed.close();
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe('Bearer');
    expect(text).toBe('{"errors":[{"message":"The token is not valid.","extensions":{"code":"UNAUTHENTICATED"}}]}');
  });

  test('the read is run as the one who asks; the driver sets that in the same round trip', async () => {
    const known = await startGraphqlServer({
      registry: boardRegistry,
      schema: schemaOf(board),
      driver,
      authenticate: () => ({ userId: 'ada', claims: '{"sub":"ada"}' }),
    });
    const { body } = await known.ask('{ kanbanLabelsByPk(id: 1) { id } }');
    expect(body.errors).toBeUndefined();
    expect(known.rounds).toHaveLength(1);
    expect(known.identities).toEqual([{ userId: 'ada', claims: '{"sub":"ada"}' }]);
    await known.close();
  });

  test('a role that may not read: FORBIDDEN, as for a write', async () => {
    const poor = await startGraphqlServer({
      registry: boardRegistry,
      schema: schemaOf(board),
      driver,
      authenticate: () => ({ role: nobody }),
    });
    const { status, body } = await poor.ask('{ kanbanLabels { id } }');
    await poor.close();
    expect(status).toBe(200);
    expect(body).toMatchObject({ data: null, errors: [{ extensions: { code: 'FORBIDDEN' } }] });
  });
});

test('a database that is not there: 503 with Retry-After', async () => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  const port = typeof address === 'object' ? address?.port : undefined;
  const away = createDriver(settingsWith({ 'app.datasource.url': `postgres://nobody@127.0.0.1:${port ?? 1}/none` }));
  const lost = await startGraphqlServer({ registry: boardRegistry, schema: schemaOf(board), driver: away });
  const { status, headers, body } = await lost.ask('{ kanbanLabels { id } }');
  await lost.close();
  await away.close();
  expect(status).toBe(503);
  expect(headers.get('retry-after')).toBe('1');
  expect(body.errors?.[0]?.extensions.code).toBe('TW013');
});
