import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { buildGenerated } from '../../support/generated-program.js';
import { createMysqlDatabase, describeMysql, loadMysql, type MysqlDatabase } from '../../support/mysql.js';
import type { RunningServer } from '../../support/running-server.js';
import { startServerHere } from '../../support/server-here.js';
import { until, writeCustom } from '../../support/served-as-role.js';
import type { Transpiled } from '../../support/transpile.js';
import { createKey, sign, type TestKey } from '../auth/support.js';
import { customCode } from './support/custom.js';

const schema = `
  create table notes (
    id int auto_increment primary key,
    owner varchar(40) not null,
    body text not null,
    made timestamp(3) not null default '2024-01-01 12:00:00',
    born date default '2024-02-03',
    amount decimal(10, 2) default 1.50,
    large bigint default 9007199254740993,
    small bigint default 7,
    flag tinyint(1) default 1,
    facts json default '{"a": [1]}',
    raw varbinary(10) default 0x01ff
  ) auto_increment 10;
  insert into notes (id, owner, body) values (1, 'ada', 'one'), (2, 'ada', 'two and'), (3, 'bob', 'three');
  create table tasks (id int auto_increment primary key, title varchar(100) not null, due date default '2024-02-03');
  insert into tasks (id, title) values (1, 'open'), (2, 'locked up'), (3, 'forever');
  create table journal (id int auto_increment primary key, task int not null, what varchar(20) not null);
  create procedure finish() begin insert into journal (task, what) values (9, 'called'); commit; end;`;

describeMysql('MariaDB', () => {
  let database: MysqlDatabase;
  let program: Transpiled;
  let server: RunningServer;
  let key: TestKey;
  let ada: Readonly<Record<string, string>>;

  beforeAll(async () => {
    database = await createMysqlDatabase('handle');
    await loadMysql(database.url, schema);
    program = await buildGenerated(database.url);
    const words = {
      TYPE: database.prefix.charAt(0).toUpperCase() + database.prefix.slice(1),
      FIELD: database.prefix,
      FOLDER: database.name,
      USER: '@\\`request.user_id\\`',
      WHO: 'select @\\`request.user_id\\` as user_id, @@max_statement_time as timeout, connection_id() as id',
      SLEEP: 'sleep',
    };
    await writeCustom(program, customCode(words, database.name));
    key = await createKey('EdDSA');
    ada = { authorization: `Bearer ${await sign(key, { sub: 'ada' })}` };
    server = await startServerHere(program.folder, {
      DATABASE_URL: database.url,
      APP_SCHEMAS: database.name,
      APP_SECURITY_JWT_ENABLED: 'true',
      APP_SECURITY_AUTH_PUBLIC_KEY: key.pem,
      APP_DATASOURCE_POOL_SIZE: '1',
      APP_DATASOURCE_ACQUIRE_TIMEOUT_MS: '2000',
      APP_DATASOURCE_STATEMENT_TIMEOUT_MS: '7000',
      APP_LOG_LEVEL: 'silent',
    });
  });
  afterAll(async () => {
    await server.stop();
    await database.drop();
    await program.remove();
  });
  beforeEach(() =>
    loadMysql(
      database.url,
      "delete from notes where id >= 10; delete from tasks where id >= 10; truncate journal; update tasks set title = 'open' where id = 1",
    ),
  );

  interface Body {
    readonly data: Readonly<Record<string, unknown>> | null;
    readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
  }
  /** `$` stands for the schema in names of fields, `$$` in names of types. */
  const ask = async (document: string): Promise<Body> => {
    const upper = database.prefix.charAt(0).toUpperCase() + database.prefix.slice(1);
    const query = document.replaceAll('$$', upper).replaceAll('$', database.prefix);
    const answer = await fetch(`${server.base}/graphql`, {
      method: 'POST',
      headers: { ...ada, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    return (await answer.json()) as Body;
  };
  const data = async (document: string): Promise<unknown> => {
    const { data: found, errors } = await ask(document);
    expect(errors).toBeUndefined();
    return Object.values(found ?? {})[0];
  };
  const rows = async (sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> => {
    const connection = await createConnection({ uri: database.url });
    try {
      return (await connection.query<RowDataPacket[]>(sql))[0].map((row) => ({ ...row }));
    } finally {
      await connection.end();
    }
  };
  const bodies = async () => (await rows('select body from notes where id >= 10 order by id')).map(({ body }) => body);

  test('values are as the generated types say', async () => {
    expect(JSON.parse((await data('{ types }')) as string)).toEqual({
      id: ['Number', 1],
      owner: ['String', 'ada'],
      body: ['String', 'one'],
      made: ['Date', '2024-01-01T12:00:00.000Z'],
      born: ['Date', '2024-02-03T00:00:00.000Z'],
      amount: ['String', '1.50'],
      large: ['String', '9007199254740993'],
      small: ['Number', 7],
      flag: ['Number', 1],
      facts: ['Object', { a: [1] }],
      raw: ['Buffer', { type: 'Buffer', data: [1, 255] }],
    });
  });

  test('a transaction is kept when its code is done, and undone when it throws', async () => {
    expect(await data('mutation { addTwo }')).toBe(true);
    expect((await ask('mutation { addTwo(fail: true) }')).errors).toHaveLength(1);
    expect((await ask('mutation { swallow }')).errors).toHaveLength(1);
    expect(await rows('select owner, body from notes where id >= 10 order by id')).toEqual([
      { owner: 'ada', body: 'first' },
      { owner: 'ada', body: 'second' },
    ]);
  });

  test('one inside another is a savepoint', async () => {
    expect(await data('mutation { inside }')).toBe('one,two and,three,outer,kysely,third');
    expect(await bodies()).toEqual(['outer', 'kysely', 'third']);
  });

  test('is shared with documents, and with the generated fields of a mutation', async () => {
    expect(
      (await ask('mutation { create$$Notes(input: { body: "generated", owner: "ada" }) { body } addTwo(fail: true) }'))
        .data,
    ).toBeNull();
    expect(await bodies()).toEqual([]);
  });

  test('takes what is begun at once, and ends with its code', async () => {
    expect(await data('{ parallel }')).toBe(12);
    expect((await ask('{ keep }')).errors?.[0]?.message).toBe('The transaction of this handle has ended.');
  });

  test.each(['set @`request.user_id` = 1', 'select 1 into @`request.user_id`', 'set max_statement_time = 0'])(
    '%s: who asks stays who asks, and the time is the same',
    async (statement) => {
      const found = JSON.parse((await data(`{ after(statement: ${JSON.stringify(statement)}) }`)) as string) as unknown;
      expect(found).toMatchObject({ user_id: 'ada', timeout: 7 });
    },
  );

  test.each(['commit', 'begin', 'rollback', 'create table other (id int)', 'truncate notes', 'lock tables notes read'])(
    '%s is refused',
    async (statement) => {
      expect((await ask(`{ after(statement: ${JSON.stringify(statement)}) }`)).errors?.[0]?.extensions.code).toBe(
        'TW017',
      );
    },
  );

  test('a procedure that commits is found out', async () => {
    const { errors } = await ask('{ after(statement: "call finish()") }');
    expect(errors?.[0]?.message).toBe('A statement of your code has ended the transaction.');
  });

  test('a statement has the time of its transaction', async () => {
    const { errors } = await ask('{ slow(seconds: 5, timeout: 100) }');
    expect(errors).toHaveLength(1);
    expect(await data('{ slow(seconds: 0, timeout: 100) }')).toBe(true);
  });

  test('a client that goes away cancels it, and nothing is kept', async () => {
    const running = async () =>
      (await rows('select info from information_schema.processlist')).filter(({ info }) =>
        String(info).startsWith('select sleep'),
      );
    const gone = new AbortController();
    const asked = fetch(`${server.base}/wait`, { headers: ada, signal: gone.signal }).catch(() => 'gone');
    await until(async () => (await running()).length > 0);
    gone.abort();
    expect(await asked).toBe('gone');
    await until(async () => (await running()).length === 0);
    expect(await data('{ parallel }')).toBe(12);
    expect(await bodies()).toEqual([]);
  });

  test('hooks see the rows, and what they write is in the transaction', async () => {
    await data('{ seen }');
    const created = await ask('mutation { a: create$$Tasks(input: { title: "A" }) { title } }');
    expect(created).toEqual({ data: { a: { title: 'A after 3' } } });
    expect(
      await data('mutation { update$$Tasks(where: { id: { in: [1] } }, input: { title: "new" }) { title } }'),
    ).toEqual([{ title: 'new' }]);
    expect(
      (await ask('mutation { update$$Tasks(id: 2, input: { title: "new" }) { title } }')).errors?.[0]?.message,
    ).toBe('It is locked.');
    expect((await ask('mutation { delete$$Tasks(id: 3) { title } }')).errors?.[0]?.message).toBe('It stays.');
    expect(JSON.parse((await data('{ seen }')) as string)).toEqual([
      ['inserted', [[expect.any(Number), 'A after 3', 'Date']]],
      ['committed', 'insert', 1],
      ['updating', [1], { title: 'new' }],
      ['updated', [['open', 'new']]],
      ['committed', 'update', 1],
      ['deleted', ['forever']],
    ]);
    expect((await rows('select what from journal order by id')).map(({ what }) => what)).toEqual([
      'inserted',
      'updated',
    ]);
    expect(await rows('select title from tasks where id in (2, 3) order by id')).toEqual([
      { title: 'locked up' },
      { title: 'forever' },
    ]);
  });

  test('a route knows who asks', async () => {
    const answer = await fetch(`${server.base}/mine`, { headers: ada });
    expect(await answer.json()).toEqual({ user: 'ada', notes: 3, read: 3 });
  });
});
