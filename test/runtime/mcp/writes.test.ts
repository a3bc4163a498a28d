import { variantsWhere } from '../../support/describe-where.js';
import { onMysql, onPostgres, type OpenRuled, type Ruled } from '../rules/support/ruled.js';
import { connectAgent, type Agent } from './support/agent.js';

const suites: readonly (readonly [string, OpenRuled])[] = [
  ['PostgreSQL', onPostgres],
  ...variantsWhere('mariadb', ['MariaDB', onMysql]),
];

const sql = `create table items (id {id}, name varchar(40) not null unique, size bigint);
  insert into items (name) values ('a'), ('b'), ('c')`;

describe.each(suites)('agents that write, on %s', (_database, open) => {
  let served: Ruled;
  let agent: Agent;
  beforeAll(async () => {
    served = await open({
      name: 'mcp_writes',
      sql,
      rules: () => ({}),
      environment: { APP_MCP: 'true', APP_MCP_WRITES: 'true', APP_MCP_ANSWER_BYTES: '1000' },
    });
    agent = await connectAgent(served.base, await served.headersOf({ sub: 'ada' }));
  });
  afterAll(async () => {
    await agent.close();
    await served.stop();
  });
  const named = (value: string) => [{ column: 'name', operator: 'eq', value }];

  test('the tools say that they write', async () => {
    const { tools } = await agent.client.listTools();
    const writing = tools.filter(({ annotations }) => annotations?.readOnlyHint === false);
    expect(writing.map(({ name, annotations }) => [name, annotations?.destructiveHint])).toEqual([
      ['graphql', true],
      ['insert_rows', false],
      ['update_rows', true],
      ['delete_rows', true],
    ]);
  });

  test('inserts, updates and deletes rows, with every digit', async () => {
    const inserted = await agent.client.callTool({
      name: 'insert_rows',
      arguments: { table: 'items', rows: [{ name: 'd', size: '9007199254740993' }] },
    });
    expect(JSON.stringify(inserted.content)).toContain('9007199254740993');
    expect(
      (await agent.call('update_rows', { table: 'items', filters: named('d'), values: { size: 5 } })).value,
    ).toEqual([{ id: expect.any(Number) as unknown, name: 'd', size: 5 }]);
    expect((await agent.call('delete_rows', { table: 'items', filters: named('d') })).value).toMatchObject([
      { name: 'd' },
    ]);
  });

  test('a number keeps the digits that the client wrote', async () => {
    const body =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"insert_rows","arguments":{"table":"items","rows":[{"name":"big","size":9007199254740993}]}}}';
    const headers = {
      ...(await served.headersOf({ sub: 'ada' })),
      accept: 'application/json, text/event-stream',
    };
    const reply = await fetch(`${served.base}/mcp`, { method: 'POST', headers, body });
    expect(await reply.text()).toContain('9007199254740993');
    await agent.call('delete_rows', { table: 'items', filters: named('big') });
  });

  test('conflicts are errors, unless the call says what to do', async () => {
    const rows = [{ name: 'a', size: 1 }];
    expect(await agent.call('insert_rows', { table: 'items', rows })).toMatchObject({ isError: true });
    expect((await agent.call('insert_rows', { table: 'items', rows, onConflict: 'ignore' })).value).toEqual([]);
    expect((await agent.call('insert_rows', { table: 'items', rows, onConflict: 'update' })).value).toMatchObject([
      { name: 'a', size: 1 },
    ]);
  });

  test('refuses writes without a filter, and of too many rows', async () => {
    expect(await agent.call('delete_rows', { table: 'items' })).toMatchObject({ isError: true });
    const filters = [{ column: 'id', operator: 'gt', value: 0 }];
    expect(await agent.call('delete_rows', { table: 'items', filters, mostRows: 2 })).toMatchObject({ isError: true });
    expect(await served.rows('select * from shop.items')).toHaveLength(3);
  });

  test('mutations of GraphQL run', async () => {
    const query = 'mutation { createItems(input: { name: "g" }) { name } }';
    expect((await agent.call('graphql', { query })).value).toEqual({ data: { createItems: { name: 'g' } } });
    await agent.call('delete_rows', { table: 'items', filters: named('g') });
  });

  test('mutations of GraphQL have the guards of delete_rows', async () => {
    const all = 'where: { id: { gt: 0 } }';
    const unfiltered: readonly (readonly [string, object?])[] = [
      ['mutation { deleteItems(where: {}) { id } }'],
      ['mutation { deleteItems { id } }'],
      ['mutation { updateItems(where: {}, input: { size: 0 }) { id } }'],
      ['mutation M($w: ItemsWhereInput) { deleteItems(where: $w) { id } }', { variables: { w: {} } }],
      ['mutation M($w: ItemsWhereInput = {}) { deleteItems(where: $w) { id } }'],
      [
        'mutation A($w: ItemsWhereInput = {}) { deleteItems(where: $w) { id } } mutation B($w: ItemsWhereInput = {id: {eq: 1}}) { deleteItems(where: $w) { id } }',
        { operationName: 'A' },
      ],
      ['mutation { ...D } fragment D on Mutation { ... on Mutation { gone: deleteItems(where: {}) { id } } }'],
    ];
    const emptied: readonly (readonly [string, object?])[] = [
      ['mutation { deleteItems(where: { id: {} }) { id } }'],
      ['mutation { deleteItems(where: { and: [] }) { id } }'],
      ['mutation { deleteItems(where: { or: [{ id: { eq: 1 } }, {}] }) { id } }'],
      ['mutation { deleteItems(where: { not: { and: [{}] } }) { id } }'],
      ['mutation { deleteItems(where: { not: { or: [] } }) { id } }'],
      ['mutation M($w: ItemsWhereInput) { deleteItems(where: $w) { id } }', { variables: { w: { id: {} } } }],
    ];
    const tooMany: readonly (readonly [string, object?])[] = [
      [`mutation { deleteItems(${all}) { id } }`],
      [`mutation { deleteItems(${all}, atMost: null) { id } }`],
      [`mutation { updateItems(${all}, input: { size: 0 }) { id } }`],
      [`mutation { ...D } fragment D on Mutation { deleteItems(${all}) { id } }`],
      [`mutation { deleteItems(${all}, atMost: 3) { id } }`],
      [`mutation M($n: Int) { deleteItems(${all}, atMost: $n) { id } }`, { variables: { n: 3 } }],
      [`mutation M($n: Int) { deleteItems(${all}, atMost: $n) { id } }`],
      [`mutation M($n: Int = 3) { deleteItems(${all}, atMost: $n) { id } }`],
    ];
    for (const [query, more] of unfiltered) {
      const { isError, text } = await agent.call('graphql', { query, ...more });
      expect([query, isError, text]).toEqual([query, true, expect.stringContaining('has no filter')]);
    }
    for (const [query, more] of emptied) {
      const { isError, text } = await agent.call('graphql', { query, ...more });
      expect([query, isError, text]).toEqual([query, true, expect.stringMatching(/has no condition[^]*TW005/)]);
    }
    for (const [query, more] of tooMany) {
      const answer = await agent.call('graphql', { query, mostRows: 2, ...more });
      expect([query, answer.text]).toEqual([query, expect.stringMatching(/at most 2|atMost|more than the 2/)]);
    }
    expect(await served.rows('select * from shop.items where coalesce(size, 1) <> 0')).toHaveLength(3);
    const query =
      'mutation M($n: Int) { updateItems(where: { name: { in: ["b", "c"] } }, input: { size: 7 }, atMost: $n) { name } }';
    expect((await agent.call('graphql', { query, variables: { n: 2 } })).value).toEqual({
      data: { updateItems: [{ name: 'b' }, { name: 'c' }] },
    });
  });

  test('a write whose answer is too long is reported as done', async () => {
    const rows = Array.from({ length: 60 }, (_, at) => ({ name: `long ${String(at).padStart(30, '0')}` }));
    expect((await agent.call('insert_rows', { table: 'items', rows })).value).toEqual({
      written: true,
      note: 'The written rows are longer than 1000 bytes.',
    });
    expect(await agent.call('query_rows', { table: 'items', limit: 60 })).toMatchObject({
      isError: true,
      value: { code: 'TW011' },
    });
    await agent.call('delete_rows', {
      table: 'items',
      filters: [{ column: 'name', operator: 'like', value: 'long*' }],
    });
    expect(await served.rows('select * from shop.items')).toHaveLength(3);
  });
});
