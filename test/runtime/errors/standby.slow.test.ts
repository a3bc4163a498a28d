import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeWhere } from '../../support/describe-where.js';
import { startStandby, type Standby } from '../../support/standby.js';
import { startWriteServer, type WriteServer } from '../write/support/server.js';
import { createDriver } from '../../support/create-driver.js';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import { startGraphqlServer, type GraphqlServer } from '../../support/graphql-server.js';
import { schemaOf } from '../../support/live-schema.js';
import { settingsWith } from '../../support/intents.js';
import { describeDatabase } from '../../support/describe-database.js';

describeWhere('postgres')('on a hot standby', () => {
  let standby: Standby;
  let rest: WriteServer;
  let graphql: GraphqlServer;
  let driver: Driver;

  beforeAll(async () => {
    standby = await startStandby(
      `create schema app; create table app.notes (id int generated always as identity primary key, body text);
       insert into app.notes (body) values ('here');`,
    );
    const read = await describeDatabase(standby.url, { schemas: ['app'] });
    rest = await startWriteServer({ ...read, roleUrl: standby.url });
    driver = createDriver(settingsWith({ 'app.datasource.url': standby.url }));
    graphql = await startGraphqlServer({ registry: read.registry, schema: schemaOf(read), driver });
  });

  afterAll(async () => {
    await graphql.close();
    await driver.close();
    await rest.stop();
    await standby.stop();
  });

  test('reads are answered', async () => {
    expect(await rest.rows('/api/v1/notes')).toEqual([{ id: 1, body: 'here' }]);
  });

  test.each([
    ['POST', '/api/v1/notes', '{"body":"x"}'],
    ['POST', '/api/v1/notes', '[{"body":"x"},{"body":"y"}]'],
    ['PATCH', '/api/v1/notes?id=eq.1', '{"body":"x"}'],
    ['PUT', '/api/v1/notes?id=eq.1', '{"body":"x"}'],
    ['DELETE', '/api/v1/notes?id=eq.1', undefined],
  ])('%s %s %s: 503 with Retry-After, nothing of a text search configuration', async (method, path, body) => {
    // Several attempts: the session state after a failed write must not change the answer.
    for (let attempt = 0; attempt < 3; attempt++) {
      const reply = await rest.send(method, path, { 'content-type': 'application/json' }, body);
      expect({ status: reply.status, retryAfter: reply.headers['retry-after'] }).toEqual({
        status: 503,
        retryAfter: '1',
      });
      expect(reply.text).not.toMatch(/full-text|configuration/);
    }
  });

  test('the same over GraphQL, for one field and for several', async () => {
    const field = (as: string) => `${as}: deleteAppNotes(where: {id: {eq: 1}}) { id }`;
    for (const document of [`mutation { ${field('a')} }`, `mutation { ${field('a')} ${field('b')} }`]) {
      const { status, headers, body } = await graphql.ask(document);
      expect({ status, retryAfter: headers.get('retry-after') }).toEqual({ status: 503, retryAfter: '1' });
      expect(body).toMatchObject({ data: null, errors: [{ path: ['a'] }] });
      expect(body.errors?.[0]?.message).toMatch(/accepts no writes|is read only|not available/);
    }
  });
});
