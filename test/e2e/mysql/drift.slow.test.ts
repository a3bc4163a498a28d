import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startTablewright } from '../../support/cli.js';
import { freePort } from '../../support/free-port.js';
import { buildGenerated } from '../../support/generated-program.js';
import { createMysqlDatabase, describeMysql, loadMysql, type MysqlDatabase } from '../../support/mysql.js';
import { followingServer } from '../../support/following-server.js';
import { startGeneratedServer, type RunningServer } from '../../support/running-server.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { generate } from '../../support/served-database.js';
import { startStrictClient } from '../../support/strict-client.js';
import { type Transpiled } from '../../support/transpile.js';

const schema = `
  create table people (id int primary key, name varchar(50) not null, settings json);
  create table notes (id int primary key, person_id int, body varchar(50) not null, foreign key (person_id) references people (id));
  create view names as select id, name from people;
  create procedure greet (in who varchar(50), out greeting varchar(60)) set greeting = concat('Hello ', who);
  insert into people values (1, 'Ada', '{"a": 1}'), (2, 'Linus', null);
  insert into notes values (1, 1, 'first'), (2, 2, 'second');
`;

describeMysql('a server of a MariaDB database that changes', () => {
  let database: MysqlDatabase;
  let program: Transpiled;
  let server: Omit<RunningServer, 'pid'>;

  beforeAll(async () => {
    database = await createMysqlDatabase('drift');
    await loadMysql(database.url, schema);
    program = await buildGenerated(database.url);
  });

  afterAll(async () => {
    await program.remove();
    await database.drop();
  });

  const start = (environment: Readonly<Record<string, string>> = {}, url = database.url): Promise<RunningServer> =>
    startGeneratedServer(program.folder, {
      DATABASE_URL: url,
      APP_LOG_LEVEL: 'info',
      APP_DRIFT_PROBE_MS: '100',
      ...environment,
    });

  const migrate = (text: string): Promise<void> => loadMysql(database.url, text);
  const { ask, rest, ready, until, hasField, logged } = followingServer(() => server);
  /** The field of Query for the rows of a table. */
  const field = (name: string): string => `${database.prefix}${name}`;
  /** The type of the rows of a table. */
  const type = (name: string): string => field(name).replace(/^./, (first) => first.toUpperCase());

  describe('and that it looks at all the time', () => {
    beforeAll(async () => {
      server = await start();
    });
    afterAll(() => server.stop());

    test('is ready as it was generated', async () => {
      expect(await ready()).toEqual({ status: 'ready' });
      expect(await hasField(type('People'), 'email')).toBe(false);
    });

    test('serves a new column on both protocols, in introspection and in OpenAPI, together', async () => {
      await migrate(`alter table people add email varchar(50) default 'x@y' comment 'Where mail goes'`);
      await until(() => hasField(type('People'), 'email'));
      expect(
        await ask(`{ row: ${field('PeopleByPk')}(id: 1) { name settings email ${field('Notes')} { body } } }`),
      ).toEqual({
        data: { row: { name: 'Ada', settings: { a: 1 }, email: 'x@y', [field('Notes')]: [{ body: 'first' }] } },
      });
      expect((await rest('/people?id=eq.1&select=email')).text).toContain('{"email":"x@y"}');
      expect((await rest('')).text).toContain('Where mail goes');
      expect(await ready()).toEqual({ status: 'ready', schema: { state: 'followed' } });
      await logged(`The column ${database.name}.people.email is new.`);
      const created = await ask(
        `mutation { row: create${type('People')}(input: {id: 9, name: "New", email: "n@w"}) { email } }`,
      );
      expect(created).toEqual({ data: { row: { email: 'n@w' } } });
      await migrate('delete from people where id = 9');
    });

    test('serves a new table with its relations, and takes one that is gone', async () => {
      await migrate(
        'create table tags (id int primary key, note_id int, foreign key (note_id) references notes (id)); insert into tags values (1, 1)',
      );
      await until(async () => (await rest('/tags')).status === 200);
      expect(await ask(`{ rows: ${field('Tags')} { note: ${field('NoteId')} { body } } }`)).toEqual({
        data: { rows: [{ note: { body: 'first' } }] },
      });
      await migrate('drop table tags; alter table people drop column email');
      await until(async () => (await rest('/tags')).status === 404);
      expect(await ready()).toEqual({ status: 'ready' });
    });

    test('sees each of several changes within a second', async () => {
      for (const name of ['one', 'two', 'three']) {
        await migrate(`alter table notes add ${name} int`);
        await until(() => hasField(type('Notes'), name));
      }
      await migrate('alter table notes drop one, drop two, drop three');
      await until(async () => !(await hasField(type('Notes'), 'three')));
    });

    test('searches by a FULLTEXT index from its creation until it is dropped', async () => {
      const search = async (): Promise<number> => (await rest('/notes?body=plfts.second')).status;
      expect(await search()).toBe(400);
      await migrate('create fulltext index of_body on notes (body)');
      await until(async () => (await search()) === 200);
      expect(await ask(`{ rows: ${field('Notes')}(where: {body: {search: "second"}}) { id } }`)).toEqual({
        data: { rows: [{ id: 2 }] },
      });
      await logged(`${database.name}.notes.body takes full-text search now, in a filter input of its own.`);
      await migrate('drop index of_body on notes');
      await until(async () => (await search()) === 400);
      await logged(`(breaking) ${database.name}.notes.body no longer takes full-text search.`);
      expect(await ready()).toEqual({ status: 'ready' });
    });

    test('takes a renamed and a retyped column, a label of an enum, a comment, and a procedure', async () => {
      await migrate(`create table days (id int primary key, mood enum('good'))`);
      await until(() => hasField('Query', field('Days')));
      await migrate(`alter table days modify mood enum('good', 'bad')`);
      await until(async () =>
        JSON.stringify(await ask(`{ __type(name: "${type('DaysMood')}") { enumValues { name } } }`)).includes('bad'),
      );
      await migrate('alter table days modify id bigint, change mood feeling varchar(10)');
      await until(() => hasField(type('Days'), 'feeling'));
      expect(
        await ask(`{ __type(name: "${type('Days')}") { fields { name type { ofType { name } } } } }`),
      ).toMatchObject({
        data: { __type: { fields: [{ name: 'id', type: { ofType: { name: 'BigInt' } } }, { name: 'feeling' }] } },
      });
      await migrate(`drop table days; create procedure wave (out how varchar(10)) set how = 'hand'`);
      const wave = `call${type('Wave')}`;
      await until(() => hasField('Mutation', wave));
      expect(await ask(`mutation { how: ${wave} }`)).toEqual({ data: { how: '{"how":"hand"}' } });
      await migrate('drop procedure wave');
      await until(async () => !(await hasField('Mutation', wave)));
      expect(await ready()).toEqual({ status: 'ready' });
    });

    test('answers every request of strict clients through ten swaps', async () => {
      const document = JSON.stringify({ query: `{ rows: ${field('People')}(orderBy: {id: ASC}) { id name } }` });
      const client = startStrictClient(
        server.base,
        [
          { method: 'GET', path: '/api/v1/people?select=id,name,notes(body)' },
          { method: 'POST', path: '/graphql', body: document },
          { method: 'POST', path: '/graphql', body: JSON.stringify({ query: '{ __schema { queryType { name } } }' }) },
        ],
        { keepAlive: 4, fresh: 2, idle: 4 },
      );
      for (let swap = 1; swap <= 5; swap += 1) {
        await migrate(`create table swap_${String(swap)} (id int primary key)`);
        await until(() => hasField('Query', field(`Swap${String(swap)}`)));
        await migrate(`drop table swap_${String(swap)}`);
        await until(async () => !(await hasField('Query', field(`Swap${String(swap)}`))));
      }
      const { requests, failures } = await client.stop();
      expect(failures).toEqual([]);
      expect(requests).toBeGreaterThan(100);
    });
  });

  test('notices what it did not look for when a statement fails', async () => {
    await migrate('alter table people add email varchar(50)');
    // The generated code is older than the database, so the server reads the database when it
    // starts.
    server = await start({ APP_DRIFT_PROBE_MS: '0' });
    try {
      await until(() => hasField(type('People'), 'email'));
      await migrate('alter table people drop column email');
      await until(async () => (await rest('/people?select=email')).status === 400);
      expect(await ready()).toEqual({ status: 'ready' });
    } finally {
      await server.stop();
    }
  });

  test('does not take for gone what its user is not shown, and says what to grant', async () => {
    const url = new URL(database.url);
    const { name } = database;
    Object.assign(url, { username: name, password: 'secret' });
    const user = `'${name}'@'%'`;
    await migrate(
      `create user ${user} identified by 'secret'; grant select on people to ${user}; grant select, update on names to ${user}`,
    );
    try {
      server = await start({}, url.href);
      try {
        await logged(`The database does not show the server's user the whole catalogue of ${name}.`);
        await logged(`grant references, show view on \`${name}\`.*`);
        expect(await ready()).toMatchObject({ status: 'ready', schema: { state: 'stale' } });
        expect((await rest('/people')).status).toBe(200);
        expect((await rest('/notes')).status).toBe(403);
      } finally {
        await server.stop();
      }
      await migrate(`grant references, show view on ${name}.* to ${user}; grant execute on procedure greet to ${user}`);
      server = await start({}, url.href);
      try {
        await migrate('alter table notes add seen int; alter table people add email varchar(50)');
        await until(() => hasField(type('Notes'), 'seen'));
        // The server may have looked between the two.
        await until(() => hasField(type('People'), 'email'));
        expect((await rest('/people?select=email')).status).toBe(200);
        // The user's privileges do not affect the served API.
        expect((await rest('/notes')).status).toBe(403);
        expect(await hasField('Mutation', `update${type('Names')}`)).toBe(true);
        await migrate('alter table notes drop seen; alter table people drop email');
        await until(async () => JSON.stringify(await ready()) === '{"status":"ready"}');
      } finally {
        await server.stop();
      }
    } finally {
      await migrate(`drop user ${user}`);
    }
  });

  test('tablewright dev serves a change without a new process, and writes the files beside it', async () => {
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
      await migrate('alter table people add age int default 7');
      await until(() => hasField(type('People'), 'age'));
      await logged('it was not restarted');
      expect(await readFile(join(folder, 'src/generated/schema.graphql'), 'utf8')).toContain('age: Int');
      expect(server.log().split('"msg":"listening"')).toHaveLength(2);
    } finally {
      run.signal('SIGINT');
      await run.ended;
      await rm(folder, { recursive: true, force: true });
      await migrate('alter table people drop age');
    }
  });

  test('app.drift.on-change: warn serves what was generated, exit ends the process with code 1', async () => {
    await migrate('alter table people add later int');
    server = await start({ APP_DRIFT_ON_CHANGE: 'warn' });
    try {
      await logged('app.drift.on-change is warn');
      expect(await ready()).toMatchObject({ status: 'ready', schema: { state: 'stale' } });
      expect(await hasField(type('People'), 'later')).toBe(false);
    } finally {
      await server.stop();
    }
    server = await start({ APP_DRIFT_ON_CHANGE: 'exit' });
    await logged('app.drift.on-change is exit');
    expect(await server.stop()).toBe(1);
  });

  test('a database that is empty or gone is never followed', async () => {
    server = await start();
    try {
      await migrate('drop procedure greet; drop view names; drop table notes, people');
      await logged('The database no longer has tables.');
      expect(await hasField('Query', field('People'))).toBe(true);
      await database.drop();
      await logged('The server has no database');
      expect(await hasField('Query', field('People'))).toBe(true);
      expect(await ready()).toMatchObject({ schema: { state: 'stale' } });
    } finally {
      await server.stop();
    }
  });
});
