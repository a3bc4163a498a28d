import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { followingServer } from '../../support/following-server.js';
import { connectAgent } from '../../runtime/mcp/support/agent.js';
import { describeMysql } from '../../support/mysql.js';
import { serveMysql, type ServedMysql } from './served.js';

/** Numbers that are truth values, and texts that are JSON, because the configuration says so. */
const schema = `
create table people (id int primary key, name varchar(20));
insert into people values (1, 'Ann'), (2, 'Bob');
create table tasks (
  id int primary key, owner int, done tinyint(1) not null default 0, shown bit(1), level tinyint(1), urgent int,
  data longtext, note varchar(40), key (done, id),
  foreign key (owner) references people (id));
insert into tasks values
  (1, 1, 1, b'1', 3, 0, '{"a": [1, 2.50]}', 'one'), (2, 1, 0, b'0', 2, 7, 'no JSON', 'two'),
  (3, 2, 2, null, 1, null, '"text"', null), (4, null, -1, b'1', null, 1, null, 'null');
create table switches (id int, on_off tinyint(1), label varchar(10), primary key (id, on_off));
insert into switches values (1, 1, 'x'), (1, 2, 'y');
create table notices (id int primary key, open tinyint(1));
insert into notices values (1, 1), (2, 2), (3, 0), (4, null);
create view open_tasks as select id, done, data, note from tasks where done = 0;
create function is_late(days int) returns tinyint(1) deterministic no sql return if(days > 5, 2, 0);
create function negated(given tinyint(1)) returns tinyint(1) deterministic no sql return if(given, 0, 1);
create procedure late(in really tinyint(1)) select id, done from tasks where done = really order by id;
`;

const jsonBody = { 'content-type': 'application/json', prefer: 'return=representation' };

describeMysql('types that the configuration gives to columns of MariaDB', () => {
  let served: ServedMysql;
  beforeAll(async () => {
    served = await serveMysql(
      { APP_LOG_LEVEL: 'info', APP_DRIFT_PROBE_MS: '100', APP_MCP: 'true' },
      '',
      schema,
      ({ name }) => ({
        config: {
          names: { schemaPrefix: 'never', relations: 'simple' },
          functions: [`${name}.*`],
          computed: { [`${name}.tasks`]: { late: { function: `${name}.is_late`, columns: ['urgent'] } } },
          procedures: { [`${name}.late`]: { returns: { id: 'int', done: `${name}.tasks.done` } } },
          types: {
            '*.*.data': 'json',
            'bit(1)': 'boolean',
            [`${name}.tasks.level`]: 'database',
            [`${name}.tasks.urgent`]: 'boolean',
            'tinyint(1)': 'boolean',
          },
          rules: { [`${name}.notices`]: { read: { open: { eq: true } }, write: { open: { eq: true } } } },
          'app.rest.postgrest': '/rest/v1',
          'app.rest.procedures': true,
        },
      }),
    );
  });
  afterAll(() => served.stop());

  const { ask, hasField, until } = followingServer(() => served);
  const send = async (path: string, init?: RequestInit): Promise<unknown> => {
    const response = await fetch(`${served.base}${path}`, init);
    const text = await response.text();
    expect([path, response.status, text]).toEqual([path, expect.any(Number), expect.anything()]);
    return text === '' ? response.status : (JSON.parse(text) as unknown);
  };
  const rows = async (query: string): Promise<unknown> =>
    ((await send(`/api/v1/${query}`)) as { readonly data?: unknown }).data;
  const ids = async (query: string): Promise<unknown> =>
    ((await send(`/rest/v1/${query}&select=id&order=id`)) as readonly { id: number }[]).map(({ id }) => id);

  test('each number but 0 is true, and a text that is no JSON is a string', async () => {
    expect(await rows('tasks?order=id&select=id,done,shown,level,urgent,data')).toEqual([
      { id: 1, done: true, shown: true, level: 3, urgent: false, data: { a: [1, 2.5] } },
      { id: 2, done: false, shown: false, level: 2, urgent: true, data: 'no JSON' },
      { id: 3, done: true, shown: null, level: 1, urgent: null, data: 'text' },
      { id: 4, done: true, shown: true, level: null, urgent: true, data: null },
    ]);
    expect(await ask('{ openTasks { id done data } people(orderBy: {id: ASC}) { tasks { done } } }')).toEqual({
      data: {
        openTasks: [{ id: 2, done: false, data: 'no JSON' }],
        people: [{ tasks: [{ done: true }, { done: false }] }, { tasks: [{ done: true }] }],
      },
    });
    expect(
      await (
        await fetch(`${served.base}/rest/v1/tasks?select=id,done,shown&order=id&limit=2`, {
          headers: { accept: 'text/csv' },
        })
      ).text(),
    ).toBe('id,done,shown\n1,true,true\n2,false,false');
  });

  test.each([
    ['done=eq.true', [1, 3, 4]],
    ['done=eq.0', [2]],
    ['done=is.true', [1, 3, 4]],
    ['done=not.is.true', [2]],
    ['shown=is.false', [2]],
    ['shown=is.unknown', [3]],
    ['shown=not.eq.true', [2]],
    ['shown=isdistinct.true', [2, 3]],
    ['done=in.(true)', [1, 3, 4]],
    ['done=neq.true', [2]],
    ['urgent=gt.false', [2, 4]],
    ['level=eq.3', [1]],
    ['or=(done.is.false,urgent.eq.true)', [2, 4]],
    ['data->a=cs.[1]', [1]],
  ])('%s', async (filter, expected) => {
    expect(await ids(`tasks?${filter}`)).toEqual(expected);
  });

  test('groups, orders, pages and distinct values know two truth values', async () => {
    const { data } = (await ask(`{
      tasksAggregate(groupBy: [done]) { count countDistinct { done } groups { key { done } count } }
      tasks(distinctOn: [done], orderBy: [{done: DESC}, {id: ASC}]) { id done }
      tasksConnection(first: 2, orderBy: [{done: DESC}, {id: ASC}]) { nodes { id } pageInfo { endCursor } }
    }`)) as { readonly data: Readonly<Record<string, unknown>> };
    expect(data).toMatchObject({
      tasksAggregate: {
        count: 4,
        countDistinct: { done: 2 },
        groups: [
          { key: { done: false }, count: 1 },
          { key: { done: true }, count: 3 },
        ],
      },
      tasksConnection: { nodes: [{ id: 1 }, { id: 3 }] },
    });
    const { pageInfo } = data['tasksConnection'] as { readonly pageInfo: { readonly endCursor: string } };
    const next = `{ tasksConnection(first: 9, after: "${pageInfo.endCursor}", orderBy: [{done: DESC}, {id: ASC}]) { nodes { id } } }`;
    expect(await ask(next)).toEqual({ data: { tasksConnection: { nodes: [{ id: 4 }, { id: 2 }] } } });
  });

  test('functions, computed fields and procedures take and answer truth values', async () => {
    expect(await ask('{ isLate(days: 9) negated(given: true) tasksByPk(id: 2) { late } }')).toEqual({
      data: { isLate: true, negated: false, tasksByPk: { late: true } },
    });
    expect(await ids('tasks?late=is.true')).toEqual([2]);
    expect(await ask('mutation { callLate(really: false) { id done } }')).toEqual({
      data: { callLate: [{ id: 2, done: false }] },
    });
  });

  test('they are written as they are shown', async () => {
    const row = { id: 10, done: true, shown: false, level: 4, urgent: true, data: { of: [true, null, 1.5] } };
    const sent = { method: 'POST', headers: jsonBody, body: JSON.stringify(row) };
    expect(await send('/api/v1/tasks', sent)).toMatchObject(row);
    const patched = { method: 'PATCH', headers: jsonBody, body: '{"done": false, "data": "text"}' };
    expect(await send('/rest/v1/tasks?id=eq.10', patched)).toMatchObject([{ id: 10, done: false, data: 'text' }]);
    const merged = { ...sent, headers: { ...jsonBody, prefer: 'resolution=merge-duplicates,return=representation' } };
    expect(await send('/rest/v1/tasks', merged)).toMatchObject([row]);
    expect(
      await ask(`mutation {
        updateTasks(where: {done: {eq: true}, shown: {eq: false}}, input: {done: false, data: {n: 2}}) { id done data }
        createPeople(input: {id: 9, name: "Eve", tasks: {data: [{id: 11, done: true, shown: true}]}}) { tasks { id done shown } }
      }`),
    ).toEqual({
      data: {
        updateTasks: [{ id: 10, done: false, data: { n: 2 } }],
        createPeople: { tasks: [{ id: 11, done: true, shown: true }] },
      },
    });
    const wrong = { method: 'POST', headers: jsonBody, body: '{"id": 12, "done": 2}' };
    expect(await send('/api/v1/tasks', wrong)).toMatchObject({ code: '22P02' });
    await served.load('delete from tasks where id > 9; delete from people where id = 9;');
  });

  test('rules compare truth values', async () => {
    expect(await ids('notices?')).toEqual([1, 2]);
    const closing = { method: 'PATCH', headers: jsonBody, body: '{"open": false}' };
    expect(await send('/api/v1/notices?id=eq.2', closing)).toMatchObject({ code: 'TW016' });
    expect(await ask('{ notices(orderBy: {id: ASC}) { id open } noticesAggregate { count } }')).toEqual({
      data: {
        notices: [
          { id: 1, open: true },
          { id: 2, open: true },
        ],
        noticesAggregate: { count: 2 },
      },
    });
  });

  test('a column of a key keeps the type of the database, by which its rows differ', async () => {
    expect(await rows('switches?order=on_off')).toEqual([
      { id: 1, on_off: 1, label: 'x' },
      { id: 1, on_off: 2, label: 'y' },
    ]);
  });

  test('clients, documents and database.ts have the types', async () => {
    const document = (await send('/api/v1/')) as {
      readonly components: { readonly schemas: Readonly<Record<string, { readonly properties: object }>> };
    };
    expect(document.components.schemas['Tasks']?.properties).toMatchObject({
      done: { type: 'boolean' },
      level: { type: ['integer', 'null'] },
    });
    const { data } = (await ask('{ __type(name: "TasksWhereInput") { inputFields { name type { name } } } }')) as {
      readonly data: { readonly __type: { readonly inputFields: readonly unknown[] } };
    };
    expect(data.__type.inputFields).toEqual(
      expect.arrayContaining([
        { name: 'done', type: { name: 'BooleanFilterInput' } },
        { name: 'data', type: { name: 'JsonFilterInput' } },
        { name: 'level', type: { name: 'IntFilterInput' } },
      ]),
    );
    // What mysql2 gives to the user's own statements.
    const types = await readFile(join(served.folder, 'src/generated/database.ts'), 'utf8');
    expect(types).toMatch(/ {2}done: Generated<number>;[^}]* {2}data: string \| null;/);
  });

  test('agents are told the types that they are to use', async () => {
    type Column = Readonly<Record<'name' | 'type', string>>;
    const agent = await connectAgent(served.base);
    const { value } = await agent.call('describe_tables', { tables: [`${served.database}.tasks`] });
    const { value: listed } = await agent.call('list_functions', { search: 'negated' });
    await agent.close();
    const { tables } = value as { readonly tables: readonly [{ readonly columns: readonly Column[] }] };
    expect(Object.fromEntries(tables[0].columns.map(({ name, type }) => [name, type]))).toMatchObject({
      ...{ done: 'boolean', shown: 'boolean', urgent: 'boolean' },
      ...{ data: 'json', level: 'tinyint' },
    });
    expect(listed).toMatchObject({ functions: [{ arguments: [{ name: 'given', type: 'boolean' }] }] });
  });

  test('a column that a migration adds follows the entry', async () => {
    await served.load('alter table tasks add column archived tinyint(1) not null default 2');
    await until(() => hasField('Tasks', 'archived'));
    expect(await rows('tasks?id=eq.1&select=archived')).toEqual([{ archived: true }]);
  });
});
