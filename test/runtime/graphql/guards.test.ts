import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildGenerated } from '../../support/generated-program.js';
import { post, type Reply } from '../../support/graphql-server.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../../support/postgres.js';
import { startGeneratedServer, type RunningServer } from '../../support/running-server.js';
import type { Transpiled } from '../../support/transpile.js';
import { until } from '../../support/until.js';

/**
 * Custom guards, middlewares and resolvers on generated fields take effect: the generated file
 * shows the code that runs.
 */
const sql = `
  create schema app;
  create type app.place as (street text, city text);
  create table app.people (id int primary key, name text not null, salary numeric, secret text, home app.place);
  create table app.notes (id int primary key, person_id int references app.people, body text not null);
  insert into app.people values
    (1, 'Ada', 12345678901234567890.10, 'a', row('Long Lane', 'Rome')), (2, 'Linus', 1.50, 'b', null);
  insert into app.notes values (1, 1, 'first'), (2, 1, 'second'), (3, 2, 'third');
`;

/**
 * Decorators are called as functions, because this is JavaScript. An operation with the name
 * Trusted may read everything.
 */
const guarded = `
import { Authorized, FieldResolver, Resolver, Root, UseMiddleware } from 'type-graphql';
import { AppPeople, AppPeopleResolver } from '../generated/app/people.table.js';
import { AppNotes, AppNotesResolver, appNotesRoutes } from '../generated/app/notes.table.js';
import { AppPlace } from '../generated/app/composites.js';

Authorized('payroll')(AppPeople.prototype, 'salary');
Authorized('payroll')(AppPeople.prototype, 'appNotes');
Authorized('payroll')(AppPlace.prototype, 'street');
Authorized('payroll')(AppPeopleResolver.prototype, 'deleteAppPeople');
Authorized('payroll')(AppPeopleResolver.prototype, 'appPeopleAggregate');
UseMiddleware(async (_action, next) => 'Dr. ' + (await next()))(AppPeople.prototype, 'name');

class Masked {
  secret(person) { return '*'.repeat(person.id); }
}
Root()(Masked.prototype, 'secret', 0);
FieldResolver(() => String)(Masked.prototype, 'secret', Object.getOwnPropertyDescriptor(Masked.prototype, 'secret'));
Resolver(() => AppPeople)(Masked);

class Notes extends AppNotesResolver {
  async appNotes(context, info) {
    const notes = await super.appNotes(context, info);
    return notes.slice(1);
  }
}
Resolver(() => AppNotes)(Notes);

const { list } = appNotesRoutes;
appNotesRoutes.list = (exchange) => {
  console.log('The generated route was called.');
  return list(exchange);
};

export const custom = {
  resolvers: [Masked, Notes],
  authChecker: ({ info }) => info.operation.name?.value === 'Trusted',
  hooks: { 'app.people': { beforeDelete: () => console.log('A delete was begun.') } },
};
`;

const everywhere = `
export const custom = {
  globalMiddlewares: [
    ({ context, info }, next) => {
      console.log('Called: ' + info.parentType.name + '.' + info.fieldName + ' by ' + (context.identity.userId ?? 'nobody'));
      if (info.operation.name?.value === 'Refused') throw new Error('The middleware refuses.');
      return next();
    },
  ],
};
`;

let database: TestDatabase;
let program: Transpiled;
let server: RunningServer;

beforeAll(async () => {
  database = await createTestDatabase('graphql_guards');
  await loadSql(database.url, sql);
  program = await buildGenerated(database.url);
});

afterAll(async () => {
  await program.remove();
  await database.drop();
});

async function start(custom: string): Promise<void> {
  await writeFile(join(program.folder, 'dist/custom/index.js'), custom);
  server = await startGeneratedServer(program.folder, { DATABASE_URL: database.url, APP_LOG_LEVEL: 'error' });
}

/** The server's log line may arrive after its answer. The test's own time limit applies. */
const logged = (text: string): Promise<void> => until(() => Promise.resolve(server.log().includes(text)));

const ask = (query: string): Promise<Reply> => post(`${server.base}/graphql`, JSON.stringify({ query }));

const paths = ({ body }: Reply): unknown => body.errors?.map(({ path }) => path);

describe('what the user puts on generated fields', () => {
  beforeAll(() => start(guarded));
  afterAll(() => server.stop());

  test('@Authorized on a column: refused, or the database’s own digits', async () => {
    const refused = await ask('{ appPeople(orderBy: {id: ASC}) { id salary } }');
    expect(refused.body.data).toEqual({
      appPeople: [
        { id: 1, salary: null },
        { id: 2, salary: null },
      ],
    });
    expect(paths(refused)).toEqual([
      ['appPeople', 0, 'salary'],
      ['appPeople', 1, 'salary'],
    ]);
    const { text } = await ask('query Trusted { appPeople(orderBy: {id: ASC}) { pay: salary id } }');
    expect(text.match(/\{"pay.*?\}/g)).toEqual(['{"pay":12345678901234567890.10,"id":1}', '{"pay":1.50,"id":2}']);
  });

  test('@Authorized on a relation, and on an attribute of a composite type', async () => {
    const document =
      '{ appPeopleByPk(id: 1) { home { city street } appNotes(orderBy: {id: DESC}, limit: 1) { body } } }';
    const refused = await ask(document);
    expect(paths(refused)).toEqual([
      ['appPeopleByPk', 'home', 'street'],
      ['appPeopleByPk', 'appNotes'],
    ]);
    const trusted = await ask(`query Trusted ${document}`);
    expect(trusted.body).toEqual({
      data: { appPeopleByPk: { home: { city: 'Rome', street: 'Long Lane' }, appNotes: [{ body: 'second' }] } },
    });
  });

  test('@UseMiddleware on a column, wherever the row is', async () => {
    const { body } = await ask(
      '{ appPeopleByPk(id: 2) { name } appNotesByPk(id: 1) { appPersonId { name } } appPeopleConnection(first: 1) { nodes { name } } }',
    );
    expect(body).toEqual({
      data: {
        appPeopleByPk: { name: 'Dr. Linus' },
        appNotesByPk: { appPersonId: { name: 'Dr. Ada' } },
        appPeopleConnection: { nodes: [{ name: 'Dr. Ada' }] },
      },
    });
  });

  test('@Authorized on a root field; the others are answered', async () => {
    const { body } = await ask('query Trusted { appPeopleAggregate { count } }');
    expect(body).toEqual({ data: { appPeopleAggregate: { count: 2 } } });
    const refused = await ask('{ appNotesByPk(id: 3) { body } appPeopleAggregate { count } }');
    expect(paths(refused)).toEqual([['appPeopleAggregate']]);
  });

  test('@Authorized on a mutation: nothing is begun', async () => {
    const refused = await ask('mutation { deleteAppPeople(id: 2) { id } }');
    expect(refused.body.data).toBeNull();
    expect(paths(refused)).toEqual([['deleteAppPeople']]);
    expect(server.log()).not.toContain('A delete was begun.');
    const { body } = await ask('{ appPeopleByPk(id: 2) { id } }');
    expect(body).toEqual({ data: { appPeopleByPk: { id: 2 } } });
  });

  test('a field resolver in place of a column', async () => {
    const { body } = await ask('{ appPeople(orderBy: {id: ASC}) { secret } }');
    expect(body).toEqual({ data: { appPeople: [{ secret: '*' }, { secret: '**' }] } });
  });

  test('a method in place of a generated one, which it calls', async () => {
    const { body } = await ask('{ appNotes(orderBy: {id: ASC}) { id body } }');
    expect(body).toEqual({
      data: {
        appNotes: [
          { id: 2, body: 'second' },
          { id: 3, body: 'third' },
        ],
      },
    });
  });

  test('what the statement reports is the document’s error, as without a guard', async () => {
    const { status, body } = await ask(
      'query Trusted { appPeopleAggregate { avg { salary } } appNotes(limit: -1) { id } }',
    );
    expect({ status, data: body.data, errors: body.errors?.length }).toEqual({ status: 200, data: null, errors: 1 });
  });

  test('the route of a generated file is what REST calls', async () => {
    const answer = await fetch(`${server.base}/api/v1/notes?id=eq.1`);
    expect(await answer.json()).toMatchObject({ data: [{ body: 'first' }] });
    await logged('The generated route was called.');
  });
});

describe('global middlewares', () => {
  beforeAll(() => start(everywhere));
  afterAll(() => server.stop());

  test('are called for every root field, and see who asks', async () => {
    const { body } = await ask('{ appNotesByPk(id: 1) { body } all: appPeople(limit: 1) { name } }');
    expect(body).toEqual({ data: { appNotesByPk: { body: 'first' }, all: [{ name: 'Ada' }] } });
    await logged('Called: Query.appPeople');
    expect(server.log().match(/Called: .*/g)).toEqual([
      'Called: Query.appNotesByPk by nobody',
      'Called: Query.appPeople by nobody',
    ]);
  });

  test('may refuse: a write is not begun', async () => {
    const refused = await ask('mutation Refused { updateAppNotes(id: 3, input: {body: "changed"}) { body } }');
    expect(refused.body.data).toBeNull();
    const { body } = await ask('{ appNotesByPk(id: 3) { body } }');
    expect(body).toEqual({ data: { appNotesByPk: { body: 'third' } } });
  });

  test('are around writes of no rows, too', async () => {
    const { body } = await ask('mutation { createManyAppNotes(inputs: []) { id } }');
    expect(body).toEqual({ data: { createManyAppNotes: [] } });
    await logged('Called: Mutation.createManyAppNotes by nobody');
  });
});
