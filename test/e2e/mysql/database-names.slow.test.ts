import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { tablewright } from '../../support/cli.js';
import { followingServer } from '../../support/following-server.js';
import { buildGenerated } from '../../support/generated-program.js';
import { createMysqlDatabase, describeMysql, loadMysql, type MysqlDatabase } from '../../support/mysql.js';
import type { RunningServer } from '../../support/running-server.js';
import { startServerHere } from '../../support/server-here.js';
import type { Transpiled } from '../../support/transpile.js';

/** Databases of staging and production have other names than the one that was generated from. */

const tables = `
  create table people (id int auto_increment primary key, name varchar(40) not null, mood enum('good', 'bad'),
    amount decimal(8, 2) not null default 1.50, constraint people_name unique (name));
  create table posts (id int auto_increment primary key, person_id int not null, title varchar(40) not null,
    constraint posts_person foreign key (person_id) references people (id));
  create table log (line varchar(80) not null);
  create view titles as select p.id as id, p.title as title from posts p where p.title <> 'it\\'s \`a\`.';
  create trigger posts_after after insert on posts for each row insert into log values (new.title);
  create procedure rename_all (in suffix varchar(10), out count int) begin
    update people set name = concat(name, suffix); select count(*) into count from people; end;
`;

const rows = (place: string): string => `
  insert into people (id, name) values (1, 'Ada of ${place}'), (2, 'Linus');
  insert into posts (id, person_id, title) values (1, 1, 'first'), (2, 2, 'second');
`;

/** Routes of the user's own code, which names tables by the generated types. */
const custom = `
import { Router } from 'express';
import { contextOf, type CustomServer } from '@tablewright/runtime';
const names = Router().get('/names', async (request, response) => {
  const found = await contextOf(request).transaction((db) =>
    db.selectFrom('SCHEMA.people').innerJoin('SCHEMA.posts', 'SCHEMA.posts.person_id', 'SCHEMA.people.id')
      .select('SCHEMA.people.name').orderBy('SCHEMA.posts.id').execute());
  response.json(found.map(({ name }) => name));
});
export const custom: CustomServer = { routes: [names] };
`;

const rowsOf = async (url: string, sql: string): Promise<readonly RowDataPacket[]> => {
  const connection = await createConnection(url);
  const [found] = await connection.query<RowDataPacket[]>(sql);
  await connection.end();
  return found;
};

describeMysql('a database of another name', () => {
  let original: MysqlDatabase;
  let twin: MysqlDatabase;
  let other: MysqlDatabase;
  let folder: string;
  let program: Transpiled;

  beforeAll(async () => {
    original = await createMysqlDatabase('origin');
    twin = await createMysqlDatabase('twin');
    other = await createMysqlDatabase('other');
    await loadMysql(original.url, tables + rows('origin'));
    await loadMysql(twin.url, tables + rows('twin'));
    await loadMysql(other.url, 'create table invoices (id int primary key)');
    folder = await mkdtemp(join(tmpdir(), 'tablewright-twin-'));
    expect(await tablewright(['generate', '--url', original.url, '--out', folder])).toMatchObject({ code: 0 });
    program = await buildGenerated(original.url, {
      'tablewright.config.json': '{}',
      'src/custom/index.ts': custom.replaceAll('SCHEMA', original.name),
    });
  });

  afterAll(async () => {
    await program.remove();
    await rm(folder, { recursive: true, force: true });
    for (const database of [original, twin, other]) await database.drop();
  });

  const start = (environment: Readonly<Record<string, string>>): Promise<RunningServer> =>
    startServerHere(program.folder, { APP_REST_POSTGREST: '/rest/v1', ...environment });

  const serving = async (
    environment: Readonly<Record<string, string>>,
    use: (server: RunningServer) => Promise<void>,
  ): Promise<void> => {
    const server = await start(environment);
    await use(server).finally(() => server.stop());
  };

  const rest = async (server: RunningServer, path: string, init?: RequestInit) => {
    const response = await fetch(server.base + path, init);
    return { status: response.status, body: (await response.json()) as unknown };
  };
  const post = (body: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const ask = (server: RunningServer, document: string) =>
    rest(server, '/graphql', post({ query: document.replaceAll('$$', upper).replaceAll('$', original.prefix) }));
  const upper = (): string => original.prefix.charAt(0).toUpperCase() + original.prefix.slice(1);

  test('check and diff find nothing, and generate changes nothing', async () => {
    for (const command of ['check', 'diff', 'generate']) {
      const { code, stdout, stderr } = await tablewright([command, '--url', twin.url, '--out', folder]);
      expect({ code, stderr }).toMatchObject({ code: 0 });
      if (command !== 'diff') expect(stdout).toContain('up to date');
      else expect(stdout).toBe('');
    }
    const api = await tablewright(['diff', '--api', '--url', twin.url, '--out', folder]);
    expect(api).toMatchObject({ code: 0 });
  });

  test('check sees a difference of the twin', async () => {
    await loadMysql(twin.url, 'create table extra (id int primary key)');
    const { code, stdout } = await tablewright(['check', '--url', twin.url, '--out', folder]);
    await loadMysql(twin.url, 'drop table extra');
    expect(code).toBe(2);
    expect(stdout).toContain('extra');
    expect(stdout).not.toContain(twin.name);
  });

  test('a first generate does not take one database for another', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'tablewright-twin-'));
    const flags = ['generate', '--schemas', original.name, '--url', twin.url, '--out', empty];
    const refused = await tablewright(flags);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`APP_DATASOURCE_DATABASES) to ${original.name}=${twin.name}`);
    const env = { APP_DATASOURCE_DATABASES: `${original.name}=${twin.name}` };
    expect(await tablewright(flags, { env })).toMatchObject({ code: 0 });
    for (const { url } of [original, twin])
      expect(await tablewright(['check', '--url', url, '--out', empty])).toMatchObject({ code: 0 });
    await rm(empty, { recursive: true });
  });

  test('doctor and changes write SQL for the database of the address', async () => {
    const changes = await tablewright(['changes', '--sql', '--url', twin.url, '--out', folder]);
    expect(changes.stdout).toContain(`\`${twin.name}\`.*`);
    expect(changes.stdout).not.toContain(original.name);
    const doctor = await tablewright(['doctor', '--sql', '--url', twin.url, '--out', folder]);
    expect(doctor.stdout).toContain(twin.name);
    expect(doctor.stdout).not.toContain(original.name);
  });

  test('is what statements read and write', async () => {
    await serving({ DATABASE_URL: twin.url }, async (server) => {
      const before = await rowsOf(original.url, 'select * from posts');
      expect(await rest(server, '/api/v1/people?id=eq.1&select=name')).toMatchObject({
        body: { data: [{ name: 'Ada of twin' }] },
      });
      expect(await rest(server, '/api/v1/titles')).toMatchObject({ body: { data: [{ id: 1 }, { id: 2 }] } });
      expect(await rest(server, '/rest/v1/posts?select=id,people(name)&id=eq.1')).toEqual({
        status: 200,
        body: [{ id: 1, people: { name: 'Ada of twin' } }],
      });
      const nested = await ask(
        server,
        `{ $People(orderBy: {id: ASC}) { name $Posts { title } } $PostsConnection(first: 1, orderBy: {title: ASC}) {
           totalCount edges { cursor node { title $PersonId { name } } } } $PostsAggregate { count max { id } } }`,
      );
      expect(nested.body).toMatchObject({
        data: { [`${original.prefix}People`]: [{ name: 'Ada of twin' }, { name: 'Linus' }] },
      });
      expect(await rest(server, '/api/v1/posts', post({ person_id: 1, title: 'third' }))).toMatchObject({
        status: 201,
      });
      expect(
        await rest(
          server,
          '/api/v1/posts',
          post([
            { person_id: 1, title: 'fourth' },
            { id: 9, person_id: 1, title: 'x' },
          ]),
        ),
      ).toMatchObject({ status: 201, body: [{ title: 'fourth' }, { id: 9 }] });
      expect(await rest(server, '/api/v1/posts', post({ person_id: 77, title: 'no' }))).toMatchObject({
        status: 409,
        body: { code: '23503' },
      });
      const merged = post({ id: 9, person_id: 2, title: 'merged' }, { prefer: 'resolution=merge-duplicates' });
      expect(await rest(server, '/api/v1/posts', merged)).toMatchObject({ status: 200, body: { title: 'merged' } });
      const patch = { ...post({ title: 'changed' }), method: 'PATCH' };
      expect(await rest(server, '/api/v1/posts?id=eq.9', patch)).toMatchObject({ body: [{ title: 'changed' }] });
      expect(await rest(server, '/api/v1/posts?id=eq.9', { method: 'DELETE' })).toMatchObject({ body: [{ id: 9 }] });
      const written = await ask(
        server,
        `mutation { create$$People(input: {name: "Grace", $Posts: {data: [{title: "deep"}]}}) { name $Posts { title } } }`,
      );
      expect(written.body).toMatchObject({ data: { [`create${upper()}People`]: { name: 'Grace' } } });
      const called = await ask(server, `mutation { call$$RenameAll(suffix: "!") }`);
      expect(called).toMatchObject({ status: 200, body: { data: { [`call${upper()}RenameAll`]: '{"count":3}' } } });
      expect(await rest(server, '/names')).toEqual({
        status: 200,
        body: ['Ada of twin!', 'Linus!', 'Ada of twin!', 'Ada of twin!', 'Grace!'],
      });
      expect(await rowsOf(original.url, 'select * from posts')).toEqual(before);
      expect(await rowsOf(original.url, 'select name from people where name like "%!"')).toEqual([]);
      expect(await rowsOf(twin.url, 'select line from log order by line')).toHaveLength(6);
    });
  });

  test('is followed, and is nothing new at the start', async () => {
    await serving({ DATABASE_URL: twin.url, APP_DRIFT_PROBE_MS: '100' }, async (server) => {
      const { ready, until, rest: get } = followingServer(() => server);
      await new Promise((resolve) => setTimeout(resolve, 2500));
      expect(await ready()).toEqual({ status: 'ready' });
      await loadMysql(twin.url, 'alter table people add column born int; create table places (id int primary key)');
      await until(async () => (await get('/people?select=born&limit=1')).status === 200);
      expect(await get('/places')).toMatchObject({ status: 200 });
      expect(await ready()).toMatchObject({ schema: { state: 'followed' } });
      await loadMysql(twin.url, 'alter table people drop column born; drop table places');
    });
  });

  test('that has other tables is refused at the start, with the reason', async () => {
    await expect(start({ DATABASE_URL: other.url })).rejects.toThrow(
      `The database ${other.name} is not the database that this server was generated for: it has none of ${original.name}.log`,
    );
  });

  test('may be named apart from the address', async () => {
    const named = { DATABASE_URL: other.url, APP_DATASOURCE_DATABASES: `${original.name}=${twin.name}` };
    await serving(named, async (server) => {
      expect(await rest(server, '/api/v1/people?id=eq.1&select=name')).toMatchObject({
        body: { data: [{ name: 'Ada of twin!' }] },
      });
    });
    await expect(start({ DATABASE_URL: other.url, APP_DATASOURCE_DATABASES: 'nonsense' })).rejects.toThrow(
      'app.datasource.databases has "nonsense", which is not a pair of names.',
    );
  });
});

describeMysql('several databases of other names', () => {
  const names = ['shop', 'crm'] as const;
  let originals: readonly MysqlDatabase[];
  let twins: readonly MysqlDatabase[];
  let folder: string;
  let program: Transpiled;

  beforeAll(async () => {
    originals = await Promise.all(names.map((name) => createMysqlDatabase(name)));
    twins = await Promise.all(names.map((name) => createMysqlDatabase(`${name}_staging`)));
    for (const [place, [shop, crm]] of [['origin', originals] as const, ['twin', twins] as const]) {
      if (shop === undefined || crm === undefined) continue;
      await loadMysql(crm.url, 'create table clients (id int primary key, name varchar(40))');
      await loadMysql(crm.url, `insert into clients values (1, '${place}')`);
      await loadMysql(
        shop.url,
        `create table orders (id int primary key, client_id int,
           foreign key (client_id) references \`${crm.name}\`.clients (id));
         create view buyers as select c.id, c.name from \`${crm.name}\`.clients c;
         insert into orders values (1, 1)`,
      );
    }
    folder = await mkdtemp(join(tmpdir(), 'tablewright-twins-'));
    const schemas = originals.map(({ name }) => name);
    program = await buildGenerated(serverOf(originals), { 'tablewright.config.json': JSON.stringify({ schemas }) });
    const flags = ['--schemas', schemas.join(','), '--url', serverOf(originals), '--out', folder];
    expect(await tablewright(['generate', ...flags])).toMatchObject({ code: 0 });
  });

  afterAll(async () => {
    await program.remove();
    await rm(folder, { recursive: true, force: true });
    for (const database of [...originals, ...twins]) await database.drop();
  });

  /** An address without a database. */
  const serverOf = ([first]: readonly MysqlDatabase[]): string => {
    const url = new URL(first?.url ?? '');
    url.pathname = '/';
    return url.href;
  };
  const pairs = (): string => originals.map(({ name }, at) => `${name}=${twins[at]?.name ?? ''}`).join(',');

  test('are mapped by the configuration', async () => {
    const [shop, crm] = originals;
    const environment = { DATABASE_URL: serverOf(twins), APP_DATASOURCE_DATABASES: pairs() };
    const server = await startServerHere(program.folder, environment);
    try {
      const headers = { 'accept-profile': shop?.name ?? '' };
      const read = async (path: string): Promise<unknown> => (await fetch(server.base + path, { headers })).json();
      expect(await read('/api/v1/orders?select=id,clients(name)')).toMatchObject({
        data: [{ id: 1, clients: { name: 'twin' } }],
      });
      expect(await read('/api/v1/buyers')).toMatchObject({ data: [{ name: 'twin' }] });
      await loadMysql(twins[1]?.url ?? '', "update clients set name = 'changed'");
      const clients = await fetch(`${server.base}/api/v1/clients`, { headers: { 'accept-profile': crm?.name ?? '' } });
      expect(await clients.json()).toMatchObject({ data: [{ name: 'changed' }] });
    } finally {
      await server.stop();
    }
    const flags = ['--schemas', originals.map(({ name }) => name).join(','), '--url', serverOf(twins), '--out', folder];
    const checked = await tablewright(['check', ...flags], { env: { APP_DATASOURCE_DATABASES: pairs() } });
    expect(checked).toMatchObject({ code: 0 });
  });

  test('a name that is not mapped is refused where no database has it', async () => {
    const [first] = pairs().split(',');
    const server = startServerHere(program.folder, {
      DATABASE_URL: serverOf(twins),
      APP_DATASOURCE_DATABASES: `${first ?? ''},${originals[1]?.name ?? ''}=${originals[1]?.name ?? ''}_gone`,
    });
    await expect(server).rejects.toThrow('is not the database that this server was generated for');
  });
});
