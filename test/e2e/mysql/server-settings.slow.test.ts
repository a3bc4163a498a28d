import { buildGenerated } from '../../support/generated-program.js';
import { describeOwnMariadb } from '../../support/describe-own-mariadb.js';
import { loadMysql } from '../../support/mysql.js';
import { createOwnMariadb, type OwnMariadb } from '../../support/own-mariadb.js';
import { startServerHere } from '../../support/server-here.js';

/** Settings of the database server, and of triggers, that would change answers or refuse writes. */
const hostile: readonly (readonly [name: string, value: string])[] = [
  ['sql_safe_updates', '1'],
  ['sql_select_limit', '1'],
  ['max_join_size', '1'],
  ['sql_auto_is_null', '1'],
  ['foreign_key_checks', '0'],
  ['unique_checks', '0'],
  ['check_constraint_checks', '0'],
  ['completion_type', "'RELEASE'"],
  ['lc_messages', "'de_DE'"],
  ['group_concat_max_len', '4'],
  ['tx_read_only', '1'],
  ['autocommit', '0'],
  ['max_allowed_packet', '1048576'],
  ['character_set_results', "'latin1'"],
  ['sql_mode', "'ANSI_QUOTES,PIPES_AS_CONCAT,NO_UNSIGNED_SUBTRACTION'"],
];
/** A trigger cannot set these. */
const ofServer = new Set(['tx_read_only', 'autocommit', 'max_join_size', 'max_allowed_packet']);

const schema = `
  create database shop; use shop;
  create table owners (id int auto_increment primary key, name varchar(20) not null, unique (name) comment 'This name is taken.');
  create table pets (id int auto_increment primary key, owner int, name varchar(20), n int, check (n < 100),
    foreign key (owner) references owners (id));
  insert into owners (name) values ('é'), ('b'), ('c');
  insert into pets (owner, name, n) values (1, 'x', 1), (1, 'y', 2), (2, 'z', 3);
  create table marks (id int primary key);
  create table texts (id int primary key, body longtext);
  create trigger spoils after insert on marks for each row begin
    ${hostile.flatMap(([name, value]) => (ofServer.has(name) ? [] : [`set session ${name} = ${value};`])).join('\n')}
  end;`;

describeOwnMariadb('settings of the database server', () => {
  let mariadb: OwnMariadb;
  let program: Awaited<ReturnType<typeof buildGenerated>>;
  let server: Awaited<ReturnType<typeof startServerHere>>;
  const set = (all: readonly string[]): Promise<void> =>
    loadMysql(mariadb.url, all.map((each) => `set global ${each};`).join('\n'));

  beforeAll(async () => {
    mariadb = await createOwnMariadb();
    await mariadb.start();
    await loadMysql(mariadb.url, schema);
    await set(hostile.map(([name, value]) => `${name} = ${value}`));
    const url = `${mariadb.url}shop`;
    program = await buildGenerated(url);
    server = await startServerHere(program.folder, {
      DATABASE_URL: url,
      APP_SCHEMAS: 'shop',
      APP_DATASOURCE_POOL_SIZE: '1',
      APP_LIMITS_BODY_BYTES: '8000000',
      APP_REST_POSTGREST: '/rest/v1',
    });
  });
  afterAll(async () => {
    await server.stop();
    await mariadb.remove();
    await program.remove();
  });

  const send = async (method: string, path: string, body?: unknown, more = '') => {
    const prefer = `return=representation,${more}`;
    const reply = await fetch(`${server.base}/rest/v1/${path}`, {
      method,
      headers: { 'content-type': 'application/json', prefer },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    return [reply.status, text === '' ? undefined : (JSON.parse(text) as unknown)];
  };

  const holds = async (): Promise<void> => {
    expect(await send('GET', 'pets?select=n,owners(name)&order=id')).toEqual([
      200,
      [
        { n: 1, owners: { name: 'é' } },
        { n: 2, owners: { name: 'é' } },
        { n: 3, owners: { name: 'b' } },
      ],
    ]);
    expect(await send('GET', 'owners?select=name,pets(name)&order=id&id=lt.3')).toEqual([
      200,
      [
        { name: 'é', pets: [{ name: 'x' }, { name: 'y' }] },
        { name: 'b', pets: [{ name: 'z' }] },
      ],
    ]);
    const [, [made]] = (await send('POST', 'pets', { owner: 2, name: 'new', n: 4 })) as [number, [{ id: number }]];
    expect(await send('GET', 'pets?id=is.null')).toEqual([200, []]);
    expect(await send('PATCH', `pets?id=eq.${String(made.id)}`, { n: 5 })).toMatchObject([200, [{ n: 5 }]]);
    expect(await send('PATCH', 'pets?name=eq.new', { n: 6 })).toMatchObject([200, [{ n: 6 }]]);
    expect(await send('POST', 'pets', { owner: 99 })).toMatchObject([409, { code: '23503' }]);
    expect(await send('POST', 'pets', { n: 100 })).toMatchObject([400, { code: '23514' }]);
    expect(await send('POST', 'owners', { name: 'b' })).toMatchObject([
      409,
      { code: '23505', message: 'This name is taken.' },
    ]);
    expect(await send('DELETE', 'pets?name=eq.new')).toMatchObject([200, [{ n: 6 }]]);
  };

  test('no setting of the server changes what requests mean', holds);

  test('no setting that a trigger leaves behind does', async () => {
    expect(await send('POST', 'marks', { id: 1 })).toMatchObject([201, [{ id: 1 }]]);
    await holds();
    // A merge is a transaction of several statements.
    expect(await send('POST', 'marks?columns=id', [{ id: 2 }, { id: 3 }], 'resolution=merge-duplicates')).toMatchObject(
      [201, [{ id: 2 }, { id: 3 }]],
    );
    await holds();
  });

  test('a request that is larger than the database takes at once is 413 each time, and nothing is written', async () => {
    const [short, long] = [
      { id: 1, body: 'é'.repeat(400_000) },
      { id: 2, body: 'é'.repeat(600_000) },
    ];
    for (let at = 0; at < 4; at += 1) {
      expect(await send('POST', 'texts', long)).toMatchObject([
        413,
        { message: expect.stringContaining('1048576') as string },
      ]);
      expect((await send('POST', 'texts', [short, long]))[0]).toBe(413);
      expect((await send('GET', `texts?body=eq.${'x'.repeat(5_000)}`))[0]).toBe(200);
    }
    const query =
      'mutation($a: ShopTextsCreateInput!, $b: ShopTextsCreateInput!) { a: createShopTexts(input: $a) { id } b: createShopTexts(input: $b) { id } }';
    const reply = await fetch(`${server.base}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables: { a: short, b: long } }),
    });
    expect(await reply.text()).toContain('TW011');
    expect(await send('GET', 'texts?select=id')).toEqual([200, []]);
    expect((await send('POST', 'texts?select=id', short))[0]).toBe(201);
    expect(await send('GET', 'texts?select=id')).toEqual([200, [{ id: 1 }]]);
  });
});
