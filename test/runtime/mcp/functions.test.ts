import { onPostgres, type Ruled } from '../rules/support/ruled.js';
import { connectAgent, type Agent } from './support/agent.js';

const sql = `create table items (id {id}, name text);
  create function shop.pick(a int) returns text language sql stable as 'select ''int''';
  create function shop.pick(a text) returns text language sql stable as 'select ''text''';
  create function shop.pick(a int, b int) returns text language sql volatile as 'select ''writes''';
  create function shop.named() returns setof shop.items language sql stable as 'select * from shop.items'`;

describe('overloads of functions', () => {
  let served: Ruled;
  let agent: Agent;
  beforeAll(async () => {
    served = await onPostgres({
      name: 'mcp_functions',
      sql,
      rules: () => ({}),
      config: { functions: ['shop.*'] },
      environment: { APP_MCP: 'true' },
    });
    agent = await connectAgent(served.base);
  });
  afterAll(async () => {
    await agent.close();
    await served.stop();
  });
  const call = (name: string) => agent.call('call_function', { function: name, arguments: { a: 1 } });

  test('have names of their own, and those that write are not called', async () => {
    const { value } = await agent.call('list_functions');
    const { functions } = value as { readonly functions: readonly { readonly function: string }[] };
    const names = functions.map((each) => each.function);
    expect(names).toEqual(['shop.named', 'shop.pickByAAsInt4', 'shop.pickByAAsText']);
    expect((await call('shop.pickByAAsInt4')).value).toBe('int');
    expect((await call('pickByAAsText')).value).toBe('text');
    expect(await call('pick')).toMatchObject({
      isError: true,
      value: { hint: 'Name one of shop.pickByAAsInt4, shop.pickByAAsText.' },
    });
    expect((await agent.call('call_function', { function: 'shop.named' })).value).toMatchObject({ data: [] });
  });

  test('a document that does not read is refused', async () => {
    const subscription = await agent.call('graphql', { query: 'subscription { x }' });
    expect(subscription.isError).toBe(true);
    expect((await agent.call('query_rows', { table: 'items', columns: ['*,name),x(*'] })).isError).toBe(true);
    expect((await agent.call('query_rows', { table: 'items', columns: ['\ud800'] })).isError).toBe(true);
  });
});

describe('procedures', () => {
  test('are called where agents may write, although REST does not call them', async () => {
    const served = await onPostgres({
      name: 'mcp_procedures',
      sql: `create table items (id {id}, name text);
        create procedure shop.add_item(id int, name text, inout total int default 0) language plpgsql as $$
          begin
            insert into shop.items values (add_item.id, add_item.name);
            select count(*) into total from shop.items;
          end $$`,
      rules: () => ({}),
      config: {},
      environment: { APP_MCP: 'true', APP_MCP_WRITES: 'true' },
    });
    try {
      const agent = await connectAgent(served.base);
      const added = await agent.call('call_function', { function: 'shop.add_item', arguments: { id: 1, name: 'one' } });
      expect(added.value).toEqual({ total: 1 });
      expect((await agent.call('query_rows', { table: 'items' })).value).toMatchObject({
        data: [{ id: 1, name: 'one' }],
      });
      expect((await fetch(`${served.base}/api/v1/rpc/add_item`, { method: 'POST', body: '{}' })).status).toBe(404);
      await agent.close();
    } finally {
      await served.stop();
    }
  });
});
