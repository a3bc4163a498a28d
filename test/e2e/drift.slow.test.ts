import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTablewright } from '../support/cli.js';
import { followingServer, type RestAnswer } from '../support/following-server.js';
import { freePort } from '../support/free-port.js';
import { buildGenerated } from '../support/generated-program.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../support/postgres.js';
import { startGeneratedServer, type RunningServer } from '../support/running-server.js';
import { generate } from '../support/served-database.js';
import { markdownBlocks } from '../support/readme.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { startStrictClient } from '../support/strict-client.js';
import { type Transpiled } from '../support/transpile.js';

/** A running server follows its database: nothing is compiled, and no process ends. */
const sql = `
  create schema app;
  create table app.people (id int primary key, name text not null, secret text);
  create table app.notes (id int primary key, person_id int references app.people, body text not null);
  create schema other;
  create table other.things (id int primary key);
  insert into app.people values (1, 'Ada', 'a'), (2, 'Linus', 'b');
  insert into app.notes values (1, 1, 'first'), (2, 2, 'second');
`;

/** Custom code of every kind. Decorators are called as functions, because this is JavaScript. */
const customCode = `
import { Arg, Authorized, Field, FieldResolver, InputType, InterfaceType, ObjectType, Query, Resolver, Root, createUnionType } from 'type-graphql';
import { AppPeople, AppPeopleWhereInput } from '../generated/app/people.table.js';
import { AppNotes, appNotesRoutes } from '../generated/app/notes.table.js';

const describe = (target, name) => Object.getOwnPropertyDescriptor(target.prototype, name);

class Named {}
Field(() => String)(Named.prototype, 'label');
InterfaceType({ resolveType: () => 'Badge' })(Named);
class Badge extends Named {}
Field(() => AppPeople, { nullable: true })(Badge.prototype, 'holder');
ObjectType({ implements: Named })(Badge);
class Size {}
Field(() => String)(Size.prototype, 'name');
InputType()(Size);
const Anything = createUnionType({ name: 'AppAnything', types: () => [Badge, AppNotes], resolveType: (value) => value.label ? 'Badge' : 'AppNotes' });

class Extra {
  shout(person) { return person.name.toUpperCase(); }
  badges(size) { return [{ label: size.name }]; }
  anything() { return [{ label: 'one' }]; }
  matching(where) { return JSON.stringify(where); }
}
Root()(Extra.prototype, 'shout', 0);
FieldResolver(() => String)(Extra.prototype, 'shout', describe(Extra, 'shout'));
Arg('size', () => Size)(Extra.prototype, 'badges', 0);
Query(() => [Named])(Extra.prototype, 'badges', describe(Extra, 'badges'));
Query(() => [Anything])(Extra.prototype, 'anything', describe(Extra, 'anything'));
Arg('where', () => AppPeopleWhereInput)(Extra.prototype, 'matching', 0);
Query(() => String)(Extra.prototype, 'matching', describe(Extra, 'matching'));
Resolver(() => AppPeople)(Extra);

Authorized('nobody')(AppPeople.prototype, 'secret');

const { list } = appNotesRoutes;
appNotesRoutes.list = (exchange) => { console.log('The replaced route was called.'); return list(exchange); };

export const custom = {
  resolvers: [Extra],
  
  authChecker: () => false,
  hooks: { 'app.notes': { beforeInsert: ({ rows }) => rows.map((row) => ({ ...row, body: row.body + '!' })) } },
};
`;

let database: TestDatabase;
let program: Transpiled;
let server: Omit<RunningServer, 'pid'>;

beforeAll(async () => {
  database = await createTestDatabase('drift');
  await loadSql(database.url, sql);
  program = await buildGenerated(database.url);
});

afterAll(async () => {
  await program.remove();
  await database.drop();
});

async function start(custom: string, environment: Readonly<Record<string, string>> = {}): Promise<RunningServer> {
  await writeFile(join(program.folder, 'dist/custom/index.js'), custom);
  return startGeneratedServer(program.folder, {
    DATABASE_URL: database.url,
    APP_LOG_LEVEL: 'info',
    APP_SCHEMAS: 'app',
    ...environment,
  });
}

const migrate = (text: string): Promise<void> => loadSql(database.url, `${text}; notify tablewright`);

const { ask, rest, ready, hasField, until, logged } = followingServer(() => server);

describe('a server without code of the user’s', () => {
  beforeAll(async () => {
    server = await start('export const custom = {};');
  });
  afterAll(async () => {
    await loadSql(database.url, 'alter table app.people drop column if exists email');
    await server.stop();
  });

  test('is ready as it was generated', async () => {
    expect(await ready()).toEqual({ status: 'ready' });
    expect(await hasField('AppPeople', 'email')).toBe(false);
  });

  test('serves a new column on both protocols, in introspection and in OpenAPI, together', async () => {
    await migrate(
      `alter table app.people add email text default 'x@y'; comment on column app.people.email is 'Where mail goes'`,
    );
    await until(() => hasField('AppPeople', 'email'));
    expect(await ask('{ appPeopleByPk(id: 1) { name email appNotes { body } } }')).toEqual({
      data: { appPeopleByPk: { name: 'Ada', email: 'x@y', appNotes: [{ body: 'first' }] } },
    });
    expect((await rest('/people?id=eq.1&select=email')).text).toContain('{"email":"x@y"}');
    expect((await rest('')).text).toContain('Where mail goes');
    expect(await ready()).toEqual({ status: 'ready', schema: { state: 'followed' } });
    await logged('The column app.people.email is new.');
    expect(await ask('mutation { createAppPeople(input: {id: 9, name: "New", email: "n@w"}) { id email } }')).toEqual({
      data: { createAppPeople: { id: 9, email: 'n@w' } },
    });
    await loadSql(database.url, 'delete from app.people where id = 9');
  });

  test('serves a new table with its relations and its routes, and no table of a schema that is not served', async () => {
    await migrate(
      'create table app.tags (id int primary key, note_id int references app.notes); insert into app.tags values (1, 1)',
    );
    await until(async () => (await rest('/tags')).status === 200);
    expect(await ask('{ appTags { appNoteId { body appTags { id } } } }')).toEqual({
      data: { appTags: [{ appNoteId: { body: 'first', appTags: [{ id: 1 }] } }] },
    });
    expect((await rest('/things')).status).toBe(404);
    expect(await hasField('Query', 'otherThings')).toBe(false);
  });

  test('notices what nobody announced when a statement fails, and is as generated again', async () => {
    await loadSql(database.url, 'drop table app.tags; alter table app.people drop column email');
    // There is no notification: the read itself fails, and the new API answers it.
    const answers = await Promise.all([
      rest('/people?id=eq.1'),
      rest('/people/1'),
      rest('/people?select=email'),
      ask('{ appPeopleByPk(id: 1) { email } }'),
    ]);
    const [list, row, gone, document] = answers;
    expect(list.status).toBe(200);
    expect(list.text).toContain('"name":"Ada"');
    expect(row.text).toBe('{"id":1,"name":"Ada","secret":"a"}');
    expect(gone.status).toBe(400);
    expect(gone.text).toContain('TW002');
    expect(JSON.stringify(document.errors)).toContain('Cannot query field');
    expect(await ready()).toEqual({ status: 'ready' });
    // The log omits the failed statement: for an operator, the line about the new API says enough.
    expect(server.log()).not.toContain('"42703"');
  });

  test('a write that fails for a column that is gone changes nothing, is 500, and may be repeated', async () => {
    await migrate('alter table app.people add email text');
    await until(() => hasField('AppPeople', 'email'));
    await loadSql(database.url, 'alter table app.people drop column email');
    const write = (): Promise<RestAnswer> =>
      rest('/people', {
        method: 'POST',
        headers: { 'content-type': 'application/json', prefer: 'return=representation' },
        body: JSON.stringify({ id: 5, name: 'Grace' }),
      });
    const failed = await write();
    expect(failed.status).toBe(500);
    expect(JSON.parse(failed.text)).toMatchObject({ code: '42703' });
    expect(failed.headers.get('retry-after')).toBe('1');
    await until(async () => !(await hasField('AppPeople', 'email')));
    expect((await write()).status).toBe(201);
    await loadSql(database.url, 'delete from app.people where id = 5');
  });

  test('follows what an event trigger announces, as docs/drift.md says', async () => {
    const block = markdownBlocks('docs/drift.md').find(({ text }) => text.includes('create event trigger'));
    await loadSql(database.url, block?.text ?? '');
    try {
      await loadSql(database.url, 'create table app.announced (id int primary key)');
      await until(() => hasField('Query', 'appAnnounced'));
    } finally {
      await loadSql(
        database.url,
        'drop event trigger tablewright_announce; drop function public.announce_schema_change(); drop table app.announced; notify tablewright',
      );
    }
    await until(async () => !(await hasField('Query', 'appAnnounced')));
  });

  test('takes a renamed and a retyped column, a label of an enum and a table that is gone', async () => {
    await migrate(`create type app.mood as enum ('good'); create table app.days (id int primary key, mood app.mood)`);
    await until(() => hasField('Query', 'appDays'));
    await migrate(`alter type app.mood add value 'bad'`);
    await until(async () =>
      JSON.stringify(await ask('{ __type(name: "AppMood") { enumValues { name } } }')).includes('bad'),
    );
    await migrate('alter table app.days alter id type bigint; alter table app.days rename mood to feeling');
    await until(() => hasField('AppDays', 'feeling'));
    expect(await ask('{ __type(name: "AppDays") { fields { name type { ofType { name } } } } }')).toMatchObject({
      data: { __type: { fields: [{ name: 'id', type: { ofType: { name: 'BigInt' } } }, { name: 'feeling' }] } },
    });
    await migrate('drop table app.days; drop type app.mood');
    await until(async () => (await rest('/days')).status === 404);
  });

  test('answers every request of strict clients through twenty swaps', async () => {
    const document = JSON.stringify({ query: '{ appPeople(orderBy: {id: ASC}) { id name appNotes { body } } }' });
    const client = startStrictClient(
      server.base,
      [
        { method: 'GET', path: '/api/v1/people?select=id,name,notes(body)' },
        // Each reads all columns while one of them is added or dropped. Some statements fail in the
        // database, and the new API answers them.
        { method: 'GET', path: '/api/v1/people' },
        { method: 'GET', path: '/api/v1/people/1' },
        { method: 'POST', path: '/graphql', body: document },
        { method: 'POST', path: '/graphql', body: JSON.stringify({ query: '{ __schema { queryType { name } } }' }) },
      ],
      { keepAlive: 6, fresh: 2, idle: 4 },
    );
    for (let swap = 1; swap <= 10; swap += 1) {
      await migrate(
        `create table app.swap_${String(swap)} (id int primary key, person_id int references app.people); alter table app.people add swapped text`,
      );
      await until(() => hasField('Query', `appSwap${String(swap)}`));
      await migrate(`drop table app.swap_${String(swap)}; alter table app.people drop swapped`);
      await until(async () => !(await hasField('Query', `appSwap${String(swap)}`)));
    }
    const { requests, failures } = await client.stop();
    expect(failures).toEqual([]);
    expect(requests).toBeGreaterThan(200);
  });

  test('never serves an empty database, and waits for a second word where a schema is empty', async () => {
    await migrate('alter table app.notes set schema other; alter table app.people set schema other');
    await logged('All tables of the schema app are gone.');
    expect(await ready()).toEqual({
      status: 'ready',
      schema: { state: 'stale', reason: 'All tables of the schema app are gone.' },
    });
    expect(await hasField('Query', 'appPeople')).toBe(true);
    await migrate('alter table other.people set schema app; alter table other.notes set schema app');
    await until(async () => JSON.stringify(await ready()) === '{"status":"ready"}');
    await logged('the API matches the database again');
  });
});

describe('code of the user’s', () => {
  beforeAll(async () => {
    server = await start(customCode);
  });
  afterAll(() => server.stop());

  const everything =
    '{ appPeople(orderBy: {id: ASC}) { name shout } badges(size: {name: "XL"}) { __typename label } anything { ... on Badge { label } ... on AppNotes { body } } matching(where: {id: {eq: 1}}) }';
  const expected = {
    appPeople: [
      { name: 'Ada', shout: 'ADA' },
      { name: 'Linus', shout: 'LINUS' },
    ],
    badges: [{ __typename: 'Badge', label: 'XL' }],
    anything: [{ label: 'one' }],
    matching: '{"id":{"eq":1}}',
  };

  test('is part of the changed schema: fields, types, interfaces, unions, arguments, guards, hooks and routes', async () => {
    expect(await ask(everything)).toEqual({ data: expected });
    await migrate('alter table app.people add age int default 7');
    await until(() => hasField('AppPeople', 'age'));
    expect(await ask(everything)).toEqual({ data: expected });
    expect(await ask('{ appPeopleByPk(id: 1) { shout age } }')).toEqual({
      data: { appPeopleByPk: { shout: 'ADA', age: 7 } },
    });
    const guarded = await ask('{ appPeopleByPk(id: 1) { id secret } }');
    expect(guarded).toMatchObject({
      data: { appPeopleByPk: { id: 1, secret: null } },
      errors: [{ path: ['appPeopleByPk', 'secret'] }],
    });
    expect(await ask('mutation { createAppNotes(input: {id: 7, body: "Hey"}) { body } }')).toEqual({
      data: { createAppNotes: { body: 'Hey!' } },
    });
    const before = server.log().split('The replaced route was called.').length;
    await rest('/notes');
    expect(server.log().split('The replaced route was called.').length).toBe(before + 1);
  });

  test.each<readonly [what: string, change: string, undo: string, reason: string]>([
    [
      'a column that takes the name of a field',
      'alter table app.people add shout text',
      'alter table app.people drop shout',
      'The field AppPeople.shout of your code has the name that the column app.people.shout takes now.',
    ],
    [
      'a table that takes the name of a type',
      'create table app.anything (id int primary key)',
      'drop table app.anything',
      'The type AppAnything of your code has the name that the table app.anything takes now.',
    ],
    [
      'a guarded column under another name',
      'alter table app.people rename secret to hidden',
      'alter table app.people rename hidden to secret',
      'Your code has a part in the field AppPeople.secret, which is gone.',
    ],
    [
      'a table with hooks under another name',
      'alter table app.notes rename to remarks',
      'alter table app.remarks rename to notes',
      "The hooks['app.notes'] of your code need the table app.notes, which is gone.",
    ],
  ])('refuses %s, and the old API goes on', async (_what, change, undo, reason) => {
    await migrate(change);
    await logged(reason);
    expect(await ready()).toEqual({ status: 'ready', schema: { state: 'stale', reason } });
    expect(await hasField('AppPeople', 'shout')).toBe(true);
    await migrate(undo);
    await until(async () => !JSON.stringify(await ready()).includes('stale'));
    expect(await ask('{ appPeopleByPk(id: 1) { shout } }')).toEqual({ data: { appPeopleByPk: { shout: 'ADA' } } });
  });
});

describe('tablewright dev', () => {
  test('serves a change without a new process, and writes the files beside it', async () => {
    await loadSql(database.url, 'alter table app.people drop column if exists age');
    const folder = await scratchFolder('dev');
    await generate(database.url, folder);
    const port = await freePort();
    const run = startTablewright(['dev', '--interval', '0.5'], {
      cwd: folder,
      env: { DATABASE_URL: database.url, PORT: String(port) },
    });
    server = { base: `http://127.0.0.1:${String(port)}`, log: run.output, stop: async () => (await run.ended).code };
    try {
      await until(async () => JSON.stringify(await ready().catch(() => '')) === '{"status":"ready"}');
      await delay(1000);
      await loadSql(database.url, 'alter table app.people add age int default 7');
      await until(() => hasField('AppPeople', 'age'));
      await logged('it was not restarted');
      expect(await readFile(join(folder, 'src/generated/schema.graphql'), 'utf8')).toContain('age: Int');
      expect(server.log().split('"msg":"listening"')).toHaveLength(2);
      expect(await ask('{ appPeopleByPk(id: 1) { age } }')).toEqual({ data: { appPeopleByPk: { age: 7 } } });
    } finally {
      run.signal('SIGINT');
      await run.ended;
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('app.drift.on-change', () => {
  const plain = 'export const custom = {};';

  test('warn tells of the change, and serves what was generated', async () => {
    server = await start(plain, { APP_DRIFT_ON_CHANGE: 'warn' });
    try {
      await migrate('alter table app.people add later int');
      await logged('app.drift.on-change is warn');
      expect(await ready()).toMatchObject({ status: 'ready', schema: { state: 'stale' } });
      expect(await hasField('AppPeople', 'later')).toBe(false);
    } finally {
      await server.stop();
    }
  });

  test('exit ends the process in good order, with code 1; and a start looks by itself', async () => {
    server = await start(plain, { APP_DRIFT_ON_CHANGE: 'exit' });
    await logged('app.drift.on-change is exit');
    expect(await server.stop()).toBe(1);
  });

  test('a database that is empty is never followed', async () => {
    server = await start(plain);
    try {
      await until(() => hasField('AppPeople', 'later'));
      await migrate('drop schema app, other cascade');
      await logged('The database no longer has tables.');
      await migrate('select 1');
      await delay(500);
      expect(await hasField('Query', 'appPeople')).toBe(true);
      expect(await ready()).toMatchObject({ schema: { state: 'stale' } });
    } finally {
      await server.stop();
    }
  });
});
