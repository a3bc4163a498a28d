import { describeMysql } from '../../support/mysql.js';
import { serveMysql, type ServedMysql } from './served.js';

const schema = `
create table people (id int not null primary key, handle varchar(40) not null unique, name varchar(80) not null);
create table projects (
  code varchar(20) not null primary key, title varchar(100) not null, owner_id int,
  constraint projects_owner foreign key (owner_id) references people (id)
);
create table tasks (
  project varchar(20) not null, number int not null, title varchar(200) not null, points int,
  primary key (project, number),
  constraint tasks_project foreign key (project) references projects (code)
);
insert into people (id, handle, name) values (1, 'ann', 'Ann'), (2, 'bo', 'Bo');
insert into projects values ('app', 'App', 1), ('web', 'Web', 1), ('none', 'None', null);
insert into tasks values ('web', 1, 'Draw', 3), ('web', 2, 'Write', 5), ('app', 1, 'Plan', null);
`;

describeMysql("REST in PostgREST's form on MariaDB", () => {
  let served: ServedMysql;

  beforeAll(async () => {
    served = await serveMysql({ APP_REST_POSTGREST: '/rest/v1', APP_REST_PLAN_ENABLED: 'true' }, '', schema);
  });

  afterAll(() => served.stop());

  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${served.base}/rest/v1${path}`, init);
    const text = await response.text();
    return {
      status: response.status,
      range: response.headers.get('content-range'),
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
    };
  };

  test('the database is also called public, as supabase-js does', async () => {
    const headers = { 'accept-profile': 'public', 'content-profile': 'public', 'content-type': 'application/json' };
    expect((await ask('/people?id=eq.1&select=handle', { headers })).body).toEqual([{ handle: 'ann' }]);
    const body = JSON.stringify({ name: 'Anna' });
    const prefer = 'tx=rollback';
    expect((await ask('/people?id=eq.1', { method: 'PATCH', headers: { ...headers, prefer }, body })).status).toBe(204);
    expect((await ask('/people', { headers: { 'accept-profile': 'other' } })).status).toBe(406);
  });

  test('the root describes tables, keys and types', async () => {
    const { status, body } = await ask('/', { headers: { 'accept-profile': 'public' } });
    const description = (note: string) => `Note:\n${note}`;
    expect(status).toBe(200);
    expect(body).toMatchObject({
      swagger: '2.0',
      paths: { '/people': { get: {}, post: {}, patch: {}, delete: {} } },
      definitions: {
        people: {
          required: ['id', 'handle', 'name'],
          properties: {
            id: { description: description('This is a Primary Key.<pk/>'), type: 'integer', format: 'int32' },
            handle: { type: 'string', format: 'varchar', maxLength: 40 },
          },
        },
        projects: {
          properties: {
            owner_id: {
              description: description("This is a Foreign Key to `people.id`.<fk table='people' column='id'/>"),
            },
          },
        },
      },
    });
  });

  test.each([
    [
      '/people?select=id,handle&order=id',
      [
        { id: 1, handle: 'ann' },
        { id: 2, handle: 'bo' },
      ],
    ],
    ['/tasks?select=count(),points.sum(),given:points.count()', [{ count: 3, sum: 8, given: 2 }]],
    [
      '/tasks?select=project,count(),most:points.max()&order=project',
      [
        { project: 'app', count: 1, most: null },
        { project: 'web', count: 2, most: 5 },
      ],
    ],
    [
      '/projects?select=code,...people(owner:handle)&order=code',
      [
        { code: 'app', owner: 'ann' },
        { code: 'none', owner: null },
        { code: 'web', owner: 'ann' },
      ],
    ],
    ['/projects?select=count(),...people(id.sum(),name.min())', [{ count: 3, sum: 2, min: 'Ann' }]],
    ['/tasks?select=points.sum(),...projects(...people(id.max()))', [{ sum: 8, max: 1 }]],
    ['/projects?select=...people(named:id.count())&people.handle=eq.bo', [{ named: 0 }]],
    [
      '/projects?select=code,people(count(),id.max())&order=code',
      [
        { code: 'app', people: { count: 1, max: 1 } },
        { code: 'none', people: { count: 0, max: null } },
        { code: 'web', people: { count: 1, max: 1 } },
      ],
    ],
    ['/projects?select=code,people(name,count())&people.id=in.()&limit=1&order=code', [{ code: 'app', people: null }]],
    [
      '/projects?select=code,people(count())&people.id=eq.1&people.and=(id.eq.2)&code=eq.app',
      [{ code: 'app', people: { count: 0 } }],
    ],
    [
      '/projects?select=code,...tasks(titles:title)&order=code&tasks.order=number.desc',
      [
        { code: 'app', titles: ['Plan'] },
        { code: 'none', titles: [] },
        { code: 'web', titles: ['Write', 'Draw'] },
      ],
    ],
    [
      '/projects?select=code,people(handle),...people(owner:name),tasks(number),...tasks(titles:title)' +
        '&order=code.desc&limit=2&tasks.order=number&tasks.limit=1',
      [
        { code: 'web', people: { handle: 'ann' }, owner: 'Ann', tasks: [{ number: 1 }], titles: ['Draw'] },
        { code: 'none', people: null, owner: null, tasks: [], titles: [] },
      ],
    ],
    [
      '/projects?select=code,people(handle)&people=not.is.null&order=code.desc&limit=1',
      [{ code: 'web', people: { handle: 'ann' } }],
    ],
  ])('%s', async (path, expected) => {
    const { status, body } = await ask(path);
    expect([status, body]).toEqual([200, expected]);
  });

  test('groups are counted', async () => {
    const { status, range } = await ask('/tasks?select=project,count()&limit=1', {
      headers: { prefer: 'count=exact' },
    });
    expect([status, range]).toEqual([206, '0-0/2']);
  });

  test.each([
    ['/tasks?select=count(),projects(title)', 400, 'PGRST127'],
    ['/nothing', 404, 'PGRST205'],
    ['/people?nope=eq.1', 400, '42703'],
  ])('%s is refused', async (path, status, code) => {
    const reply = await ask(path);
    expect([reply.status, reply.body]).toEqual([status, expect.objectContaining({ code })]);
  });

  test('plans have no options, and keep nothing', async () => {
    const plan = (rest: string, init: RequestInit = {}): Promise<Response> =>
      fetch(`${served.base}/rest/v1/people?handle=eq.ann`, {
        ...init,
        headers: { 'content-type': 'application/json', accept: `application/vnd.pgrst.plan${rest}` },
      });
    const json = await plan('+json');
    expect([json.status, json.headers.get('content-type')]).toEqual([
      200,
      'application/vnd.pgrst.plan+json; for="application/json"; charset=utf-8',
    ]);
    expect(await json.json()).toHaveProperty('query_block');
    expect(await (await plan('+text')).text()).toMatch(/^\d+ \| \w+ \| /);
    expect((await plan('+json; options=analyze')).status).toBe(406);
    const write = await plan('+json', { method: 'PATCH', body: '{"name":"x"}' });
    // An update consists of several statements on this database.
    expect([write.status, await write.json()]).toEqual([400, expect.objectContaining({ code: 'PGRST127' })]);
    expect((await ask('/people?select=name&handle=eq.ann')).body).toEqual([{ name: 'Ann' }]);
  });

  test('GeoJSON is none of it', async () => {
    expect((await ask('/people', { headers: { accept: 'application/geo+json' } })).status).toBe(406);
  });

  test('writes answer as they do on PostgreSQL', async () => {
    const send = (method: string, path: string, body: unknown, prefer = '') =>
      ask(path, { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json', prefer } });
    const undone = 'tx=rollback,return=representation';
    const inserted = await send('POST', '/projects?select=code', { code: 'new', title: 'New' }, undone);
    expect([inserted.status, inserted.body]).toEqual([201, [{ code: 'new' }]]);
    const updated = await send('PATCH', '/projects?code=eq.web', { title: 'W' }, 'tx=rollback');
    expect([updated.status, updated.body]).toEqual([204, undefined]);
    const taken = await send('POST', '/projects', { code: 'web', title: 'x' });
    expect(taken.status).toBe(409);
    const orphan = await send('POST', '/projects', { code: 'x', title: 'x', owner_id: 99 });
    expect(orphan.status).toBe(409);
    expect((await send('POST', '/projects', { code: 'x' })).status).toBe(400);
  });
});
