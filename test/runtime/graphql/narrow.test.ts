import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildClientSchema, getIntrospectionQuery, isObjectType, printSchema, type IntrospectionQuery } from 'graphql';
import { generate } from '../../../src/generate.js';
import { createRegistry } from '../../../runtime/src/descriptor/registry.js';
import { narrowSchema } from '../../../runtime/src/schema/narrow-schema.js';
import { startDemoServer, type DemoServer } from '../../support/demo-server.js';
import { describeCase } from '../../support/describe-database.js';
import { post, type Reply } from '../../support/graphql-server.js';
import { schemaOf } from '../../support/live-schema.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../../support/postgres.js';
import { startServerHere } from '../../support/server-here.js';
import { repository, transpile, type Transpiled } from '../../support/transpile.js';

/**
 * APP_SCHEMAS selects the served schemas (decision 009), which may be fewer than the generated
 * ones.
 */
describe('a server that serves one of two generated schemas', () => {
  let server: DemoServer;

  beforeAll(async () => {
    server = await startDemoServer({ environment: { APP_SCHEMAS: 'shop' } });
  });

  afterAll(() => server.stop());

  const ask = (query: string): Promise<Reply> => post(`${server.base}/graphql`, JSON.stringify({ query }));

  test('answers the served one', async () => {
    const { body } = await ask('{ shopProducts(limit: 1) { id } }');
    expect(body.errors).toBeUndefined();
    expect(body.data?.['shopProducts']).toHaveLength(1);
  });

  test('does not know the other, by field or by type', async () => {
    const refused = await ask('{ kanbanIssues { id } }');
    expect(refused.body.errors?.[0]?.message).toMatch(/^Cannot query field "kanbanIssues"/);
    const { body } = await ask(getIntrospectionQuery());
    const types = Object.keys(buildClientSchema(body.data as unknown as IntrospectionQuery).getTypeMap());
    expect(types).toContain('ShopCustomers');
    expect(types.filter((name) => name.startsWith('Kanban'))).toEqual([]);
  });
});

/** One of the schemas has procedures only. */
describe('a server that was generated from a schema of procedures alone, too', () => {
  const sql = `create schema app; create table app.things (id int primary key, name text); insert into app.things values (1, 'One');
    create procedure app.rename_thing(id int, name text) language sql as 'update app.things t set name = $2 where t.id = $1';
    create schema jobs;
    create procedure jobs.wipe(out left_over int) language plpgsql as $$ begin delete from app.things; left_over := 0; end $$;`;
  let database: TestDatabase;
  let program: Transpiled;

  beforeAll(async () => {
    database = await createTestDatabase('narrow_procedures');
    await loadSql(database.url, sql);
    const generated = `.tmp/${new URL(database.url).pathname.slice(1)}`;
    await generate({ url: database.url, schemas: ['app', 'jobs'], out: join(repository, generated) });
    program = await transpile({ [`${generated}/src`]: 'dist' });
    await rm(join(repository, generated), { recursive: true });
  });

  afterAll(async () => {
    await program.remove();
    await database.drop();
  });

  async function serving<T>(schemas: string, work: (ask: (query: string) => Promise<Reply>) => Promise<T>): Promise<T> {
    const server = await startServerHere(program.folder, {
      DATABASE_URL: database.url,
      APP_SCHEMAS: schemas,
    });
    try {
      return await work((query) => post(`${server.base}/graphql`, JSON.stringify({ query })));
    } finally {
      await server.stop();
    }
  }

  const mutations = async (ask: (query: string) => Promise<Reply>): Promise<readonly string[]> => {
    const { body } = await ask(getIntrospectionQuery());
    const schema = buildClientSchema(body.data as unknown as IntrospectionQuery);
    return Object.keys(schema.getMutationType()?.getFields() ?? {}).filter((name) => name.startsWith('call'));
  };

  test('leaves its procedures out when it is not served', async () => {
    await serving('app', async (ask) => {
      expect(await mutations(ask)).toEqual(['callAppRenameThing']);
      const refused = await ask('mutation { callJobsWipe }');
      expect(refused.body.errors?.[0]?.message).toMatch(/^Cannot query field "callJobsWipe" on type "Mutation"/);
      const { body } = await ask('mutation { callAppRenameThing(id: 1, name: "Two") }');
      expect(body).toEqual({ data: { callAppRenameThing: '{"result":"OK"}' } });
      expect((await ask('{ appThings { name } }')).body).toEqual({ data: { appThings: [{ name: 'Two' }] } });
    });
  });

  test('calls them when it is', async () => {
    await serving('app,jobs', async (ask) => {
      expect(await mutations(ask)).toEqual(['callAppRenameThing', 'callJobsWipe']);
      expect((await ask('mutation { callJobsWipe }')).body).toEqual({ data: { callJobsWipe: '{"left_over":0}' } });
      expect((await ask('{ appThings { name } }')).body).toEqual({ data: { appThings: [] } });
    });
  });
});

describe('a relation to a table that is not served', () => {
  const all = describeCase('relations');

  test.each([
    ['a', 'APeople', 'bAccounts'],
    ['b', 'BAccounts', 'aPersonId'],
  ])('is no field, filter or order of schema %s', (schema, type, relation) => {
    const served = createRegistry({ tables: all.registry.tables.filter((table) => table.schema === schema) });
    const before = printSchema(schemaOf(all));
    expect(before).toContain(relation);
    const after = narrowSchema(schemaOf(all), all.registry, served);
    expect(isObjectType(after.getType(type))).toBe(true);
    expect(printSchema(after)).not.toMatch(new RegExp(`\\b${relation}(Aggregate)?\\b`));
  });
});
