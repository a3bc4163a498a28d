import { createClient } from '../../rest/support/client.js';
import type { OpenRuled, Ruled, Source, Who } from '../../rules/support/ruled.js';
import { connectAgent, type Agent, type ToolReply } from './agent.js';

const sql = `
  create table teams (id int primary key, name varchar(40) not null);
  create table safes (id int primary key);
  create table tasks (id {id}, safe_id int, team_id int not null, title varchar(200) not null, state varchar(20) not null,
    points int, owner varchar(40) not null, secret varchar(40) not null default 'hush', parent_id int,
    constraint tasks_team foreign key (team_id) references teams (id),
    constraint tasks_safe foreign key (safe_id) references safes (id),
    constraint tasks_parent foreign key (parent_id) references tasks (id));
  insert into teams values (1, 'red'), (2, 'blue, "light"');
  insert into tasks (id, team_id, title, state, points, owner, parent_id) values
    (1, 1, 'Paint the door', 'open', 3, 'ada', null), (2, 1, 'Buy paint', 'done', 1, 'ada', 1),
    (3, 2, 'a,b) "c"', 'open', 5, 'bob', null), (4, 2, 'Rest', 'open', null, 'bob', null)`;

const own = { owner: { eq: { claim: 'userId' } } };

const source = (name: string, more: Partial<Source>): Source => ({
  name,
  sql,
  rules: (schema) => ({
    [`${schema}.tasks`]: {
      read: own,
      hide: ['secret', 'safe_id'],
      roles: { mcp_chief: { read: true, write: own, hide: [] } },
    },
  }),
  roles: ['mcp_chief'],
  ...more,
  environment: { APP_MCP: 'true', ...more.environment },
});

/** What differs between databases. */
export interface Kind {
  readonly open: OpenRuled;
  /** A function `total_points` that reads, and `finish` that writes. */
  readonly functions: string;
  readonly config: NonNullable<Source['config']>;
}

const ada: Who = { sub: 'ada' };
const chief: Who = { sub: 'eve', role: 'mcp_chief' };

/** Tools of agents on one kind of database. */
export function mcpSuite({ open, functions, config }: Kind): void {
  let served: Ruled;
  let schema: string;
  const agents = new Map<string, Agent>();
  const agentOf = async (who: Who): Promise<Agent> => {
    const key = JSON.stringify(who);
    const agent = agents.get(key) ?? (await connectAgent(served.base, await served.headersOf(who)));
    agents.set(key, agent);
    return agent;
  };
  const call = async (who: Who, name: string, given?: Readonly<Record<string, unknown>>): Promise<ToolReply> =>
    (await agentOf(who)).call(name, given);
  const rows = async (who: Who, given: Readonly<Record<string, unknown>>): Promise<unknown> => {
    const { value, isError, text } = await call(who, 'query_rows', given);
    if (isError) throw new Error(text);
    return (value as { readonly data: unknown }).data;
  };
  beforeAll(async () => {
    served = await open(source('mcp', { sql: `${sql}; ${functions}`, config }));
    const { value } = await call(ada, 'list_tables');
    const [table = ''] = (value as { tables: { table: string }[] }).tables.map((each) => each.table);
    schema = table.slice(0, table.indexOf('.'));
  });
  afterAll(async () => {
    for (const agent of agents.values()) await agent.close();
    await served.stop();
  });

  test('lists a handful of tools, which read', async () => {
    const { tools } = await (await agentOf(ada)).client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual([
      ...['list_tables', 'describe_tables', 'query_rows', 'aggregate_rows'],
      ...['list_functions', 'call_function', 'graphql'],
    ]);
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    expect(tools[0]?.description).toContain(`${schema}.tasks`);
  });

  test('lists and describes tables, without columns that are hidden', async () => {
    expect((await call(ada, 'list_tables', { search: 'TASK' })).value).toEqual({
      tables: [{ table: `${schema}.tasks` }],
      total: 1,
    });
    const columns = async (who: Who): Promise<readonly string[]> => {
      const { value } = await call(who, 'describe_tables', { tables: ['tasks'] });
      const [table] = (value as { tables: { columns: { name: string }[] }[] }).tables;
      return table?.columns.map(({ name }) => name) ?? [];
    };
    expect(await columns(ada)).toEqual(['id', 'team_id', 'title', 'state', 'points', 'owner', 'parent_id']);
    expect(await columns(chief)).toContain('secret');
    expect((await call(ada, 'describe_tables', { tables: [`${schema}.tasks`] })).value).toMatchObject({
      tables: [
        {
          key: ['id'],
          relations: expect.arrayContaining([
            { embed: 'teams', table: `${schema}.teams`, rows: 'one', by: ['team_id'] },
            // A column that a rule hides has no name here.
            { embed: 'safes', table: `${schema}.safes`, rows: 'one', by: [] },
            { embed: 'tasks!parent', table: `${schema}.tasks`, rows: 'one', by: ['parent_id'] },
          ]) as unknown,
        },
      ],
    });
  });

  test('queries rows by filters, with values that need quotes', async () => {
    const columns = ['id'];
    const ids = (given: object): Promise<unknown> => rows(chief, { table: 'tasks', columns, order: ['id'], ...given });
    expect(await ids({ filters: [{ column: 'state', operator: 'eq', value: 'open' }] })).toEqual([
      ...[{ id: 1 }, { id: 3 }, { id: 4 }],
    ]);
    expect(await ids({ filters: [{ column: 'title', operator: 'in', value: ['a,b) "c"', 'Rest'] }] })).toEqual([
      ...[{ id: 3 }, { id: 4 }],
    ]);
    expect(
      await ids({
        any: [
          { column: 'title', operator: 'eq', value: 'a,b) "c"' },
          { column: 'points', operator: 'lt', value: 2 },
        ],
      }),
    ).toEqual([{ id: 2 }, { id: 3 }]);
    expect(await ids({ filters: [{ column: 'points', operator: 'is.null' }] })).toEqual([{ id: 4 }]);
    expect(await ids({ filters: [{ column: 'points', operator: 'is.null', not: true }], limit: 1, offset: 1 })).toEqual(
      [{ id: 2 }],
    );
    expect(await ids({ filters: [{ column: 'title', operator: 'like', value: '*paint*' }] })).toEqual([{ id: 2 }]);
    const { value } = await call(chief, 'query_rows', { table: 'tasks', count: true, limit: 1 });
    expect(value).toMatchObject({ pagination: { limit: 1, offset: 0, total: 4 } });
  });

  test('embeds related rows', async () => {
    expect(
      await rows(chief, {
        table: 'teams',
        columns: ['name'],
        order: ['id'],
        embed: [
          {
            relation: 'tasks',
            as: 'open',
            columns: ['id'],
            filters: [{ column: 'state', operator: 'eq', value: 'open' }],
            order: ['id.desc'],
            limit: 1,
          },
        ],
      }),
    ).toEqual([
      { name: 'red', open: [{ id: 1 }] },
      { name: 'blue, "light"', open: [{ id: 4 }] },
    ]);
    expect(
      await rows(chief, {
        table: 'tasks',
        columns: ['id'],
        embed: [{ relation: 'tasks!parent', as: 'parent', columns: ['title'], required: true }],
      }),
    ).toEqual([{ id: 2, parent: { title: 'Paint the door' } }]);
  });

  test('counts and sums', async () => {
    const { value, isError } = await call(chief, 'aggregate_rows', {
      table: 'tasks',
      groupBy: ['state'],
      compute: [{ function: 'sum', column: 'points' }],
      filters: [{ column: 'title', operator: 'like', value: '*a*', not: false }],
    });
    expect(isError).toBe(false);
    const { groups } = (value as { data: { aggregate: { groups: unknown[] } } }).data.aggregate;
    expect(groups).toEqual(
      expect.arrayContaining([
        { key: { state: 'open' }, count: 2, sum: { points: 8 } },
        { key: { state: 'done' }, count: 1, sum: { points: 1 } },
      ]),
    );
    expect((await call(ada, 'aggregate_rows', { table: 'tasks' })).value).toEqual({
      data: { aggregate: { count: 2 } },
    });
  });

  test('runs documents of GraphQL that read', async () => {
    const query = 'query ($id: Int!) { tasksByPk(id: $id) { title team { name } } }';
    expect((await call(ada, 'graphql', { query, variables: { id: 1 } })).value).toEqual({
      data: { tasksByPk: { title: 'Paint the door', team: { name: 'red' } } },
    });
    const refused = await call(ada, 'graphql', { query: 'mutation { deleteTasks(where: {}) { id } }' });
    expect(refused).toMatchObject({ isError: true, value: { code: 'TW016' } });
    const unknown = await call(ada, 'graphql', { query: '{ tasks { titel } }' });
    expect(unknown.isError).toBe(true);
    expect(unknown.text).toContain('Did you mean');
  });

  test('calls functions that read', async () => {
    const { value } = await call(ada, 'list_functions');
    expect((value as { functions: { function: string }[] }).functions.map((each) => each.function)).toEqual([
      `${schema}.total_points`,
    ]);
    expect((await call(ada, 'call_function', { function: 'total_points', arguments: { at_least: 3 } })).value).toBe(8);
    expect(await call(ada, 'call_function', { function: 'finish', arguments: { task: 1 } })).toMatchObject({
      isError: true,
      value: { code: 'TW016' },
    });
    expect(await call(ada, 'call_function', { function: 'total_point' })).toMatchObject({
      isError: true,
      value: { hint: 'Did you mean "total_points"?' },
    });
  });

  test('errors say what was probably meant', async () => {
    const fails = async (name: string, given: Readonly<Record<string, unknown>>): Promise<unknown> => {
      const { isError, value } = await call(ada, name, given);
      expect(isError).toBe(true);
      return value;
    };
    expect(await fails('query_rows', { table: 'taks' })).toMatchObject({
      code: 'TW001',
      hint: 'Did you mean "tasks"?',
    });
    expect(await fails('query_rows', { table: 'tasks', columns: ['titel'] })).toMatchObject({
      code: 'TW002',
      hint: 'Did you mean "title"?',
    });
    expect(await fails('query_rows', { table: 'tasks', colums: ['title'] })).toMatchObject({
      hint: 'Did you mean `columns`?',
    });
    expect(await fails('query_rows', { table: 'tasks', filters: [{ column: 'title', operator: 'eq' }] })).toMatchObject(
      {
        code: 'TW004',
      },
    );
    expect(
      await fails('query_rows', { table: 'tasks', filters: [{ column: 'id', operator: 'equals', value: 1 }] }),
    ).toMatchObject({ code: 'TW005' });
    expect(
      await fails('query_rows', { table: 'tasks', filters: [{ column: 'id', operator: 'eq', value: 'x' }] }),
    ).toMatchObject({ code: expect.any(String) as unknown });
    expect(await fails('aggregate_rows', { table: 'tasks', groupBy: ['stat'] })).toMatchObject({ code: 'TW002' });
    await expect((await agentOf(ada)).client.callTool({ name: 'query_row', arguments: {} })).rejects.toThrow(
      'Did you mean query_rows?',
    );
  });

  test('shows each caller only what the caller may read', async () => {
    expect(await rows(ada, { table: 'tasks', columns: ['owner'] })).toEqual([{ owner: 'ada' }, { owner: 'ada' }]);
    expect(await rows(null, { table: 'tasks' })).toEqual([]);
    expect(await rows(chief, { table: 'tasks', columns: ['secret'], limit: 1 })).toEqual([{ secret: 'hush' }]);
    for (const who of [ada, null]) {
      for (const [name, given] of [
        ['query_rows', { table: 'tasks', columns: ['secret'] }],
        [
          'query_rows',
          { table: 'tasks', columns: ['id'], filters: [{ column: 'secret', operator: 'eq', value: 'hush' }] },
        ],
        ['query_rows', { table: 'teams', embed: [{ relation: 'tasks', columns: ['secret'] }] }],
        ['aggregate_rows', { table: 'tasks', compute: [{ function: 'max', column: 'secret' }] }],
        ['graphql', { query: '{ tasks { secret } }' }],
      ] as const) {
        const { isError, text } = await call(who, name, given);
        expect([name, isError]).toEqual([name, true]);
        expect(text).not.toContain('hush');
      }
    }
  });

  test('reads resources', async () => {
    const { client } = await agentOf(ada);
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['tablewright://schema']);
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(3);
    const read = async (uri: string): Promise<string> => {
      const [content] = (await client.readResource({ uri })).contents;
      return content !== undefined && 'text' in content ? content.text : '';
    };
    expect(await read('tablewright://schema')).toContain(`${schema}.tasks`);
    expect(await read(`tablewright://tables/${schema}.tasks`)).not.toContain('secret');
    expect(JSON.parse(await read(`tablewright://rules/${schema}.tasks`))).toMatchObject({
      read: own,
      hide: ['secret', 'safe_id'],
    });
    await expect(read('tablewright://nothing/x')).rejects.toThrow('no resource');
  });

  test('has no tools that write', async () => {
    const { client } = await agentOf(ada);
    await expect(client.callTool({ name: 'delete_rows', arguments: { table: 'tasks' } })).rejects.toThrow('no tool');
    expect(await served.rows('select id from shop.tasks')).toHaveLength(4);
  });

  test('refuses what is no message, no POST, or comes from another page', async () => {
    const client = createClient(served.base);
    const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const status = async (headers: Readonly<Record<string, string>>, body = message): Promise<number> =>
      (await client.send('POST', '/mcp', { ...json, ...headers }, body)).status;
    expect(await status({})).toBe(200);
    expect(await status({}, `[${message}]`)).toBe(400);
    expect(await status({}, '{')).toBe(400);
    expect(await status({ accept: 'text/html' })).toBe(406);
    expect(await status({ 'content-type': 'text/plain' })).toBe(415);
    expect(await status({ 'mcp-protocol-version': '1999-01-01' })).toBe(400);
    expect((await client.send('GET', '/mcp', json)).status).toBe(405);
    expect((await client.send('DELETE', '/mcp', json)).status).toBe(405);
    expect(await status({ origin: 'https://evil.example' })).toBe(403);
    expect(await status({ origin: 'http://evil.example:4000', host: 'evil.example:4000' })).toBe(403);
    expect(await status({ origin: served.base })).toBe(200);
    expect(await status({ authorization: 'Bearer no.such.token' })).toBe(401);
  });
}
