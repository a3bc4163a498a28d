import { connectAgent, type Agent } from '../../runtime/mcp/support/agent.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tablewright } from '../../support/cli.js';
import { describeMysql } from '../../support/mysql.js';
import { serveMysql, type ServedMysql } from './served.js';

/**
 * MyISAM, Aria and the like keep writes that are rolled back: a request that promises to undo its
 * writes is refused before it runs.
 */
const schema = `
  create table shelves (id int primary key, name varchar(20)) engine = MyISAM;
  create table books (id int primary key, shelf int, v int, unique (v)) engine = Aria;
  create table parts (id int primary key, v int) engine = MyISAM partition by hash (id) partitions 2;
  create table kept (id int primary key, v int);
  create view shown as select id, v from books;
  create view shown_again as select id, v from shown;`;

const reset = `
  delete from shelves; delete from books; delete from parts; delete from kept;
  insert into shelves values (1, 'a'); insert into books values (1, 1, 1), (2, 1, 2);
  insert into parts values (1, 1), (2, 2); insert into kept values (1, 1), (2, 2);`;

describeMysql('tables without transactions on MariaDB', () => {
  let served: ServedMysql;
  let agent: Agent;

  beforeAll(async () => {
    const switches = {
      APP_REST_POSTGREST: '/rest/v1',
      APP_POSTGREST_TX_END: 'commit-allow-override',
      APP_MCP: 'true',
      APP_MCP_WRITES: 'true',
    };
    served = await serveMysql(switches, '', schema, ({ name }) => ({
      config: {
        relations: {
          [`${name}.books`]: [{ columns: ['shelf'], table: `${name}.shelves`, references: ['id'] }],
        },
      },
    }));
    agent = await connectAgent(served.base);
  });
  afterAll(async () => {
    await agent.close();
    await served.stop();
  });
  beforeEach(() => served.load(reset));

  const send = async (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const reply = await fetch(`${served.base}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    return { status: reply.status, code: /"code": ?"(\w+)"/.exec(text)?.[1] };
  };
  const rows = async (table: string): Promise<unknown> =>
    (await (await fetch(`${served.base}/rest/v1/${table}?select=id,v&order=id`)).json()) as unknown;
  const before = [
    { id: 1, v: 1 },
    { id: 2, v: 2 },
  ];
  const refused = { status: 400, code: expect.stringMatching(/^(TW017|PGRST127)$/) as string };
  const kept = ['books', 'parts', 'shown', 'shown_again'];

  describe.each(['/api/v1', '/rest/v1'])('at %s', (base) => {
    const rollback = { prefer: 'tx=rollback' };
    const limited = { prefer: 'handling=strict,max-affected=1' };
    const single = { accept: base === '/api/v1' ? 'application/json' : 'application/vnd.pgrst.object+json' };

    test.each(kept)('%s: nothing that promises to undo runs', async (table) => {
      const path = `${base}/${table}`;
      const list = [
        { id: 3, v: 3 },
        { id: 3, v: 4 },
      ];
      expect(await send('POST', path, list)).toEqual(refused);
      expect(await send('POST', path, { id: 3, v: 3 }, rollback)).toEqual(refused);
      expect(await send('PATCH', `${path}?id=eq.1`, { v: 9 }, rollback)).toEqual(refused);
      expect(await send('DELETE', `${path}?id=eq.1`, undefined, rollback)).toEqual(refused);
      expect(await send('DELETE', `${path}?id=gt.0`, undefined, limited)).toEqual(refused);
      expect(await send('PATCH', `${path}?id=gt.0`, { id: 9 }, limited)).toEqual(refused);
      expect(await rows(table)).toEqual(before);
    });

    test.each(['parts', 'books'])('%s: neither do merges and PUT', async (table) => {
      const shelf = table === 'books' ? { shelf: 1 } : {};
      const list = [
        { id: 1, v: 3 },
        { id: 3, v: 2 },
      ].map((row) => ({ ...row, ...shelf }));
      const path = `${base}/${table}`;
      for (const resolution of ['merge', 'ignore'])
        expect(await send('POST', path, list, { prefer: `resolution=${resolution}-duplicates` })).toEqual(refused);
      expect(await send('PUT', `${path}?id=eq.1`, { id: 1, v: 9, ...shelf }, rollback)).toEqual(refused);
      expect(await rows(table)).toEqual(before);
    });

    test('one row is written as usual', async () => {
      const path = `${base}/books`;
      const wanted = { ...single, prefer: 'return=representation' };
      expect(await send('POST', path, { id: 3, v: 3 }, wanted)).toMatchObject({ status: 201 });
      expect(await send('POST', path, [{ id: 4, v: 4 }], wanted)).toMatchObject({ status: 201 });
      expect(await send('PATCH', `${path}?id=eq.3`, { v: 9 }, wanted)).toMatchObject({ status: 200 });
      expect(await send('PATCH', `${path}?v=eq.9`, { v: 10 }, wanted)).toMatchObject({ status: 200 });
      expect(await send('PUT', `${path}?id=eq.2`, { id: 2, shelf: null, v: 5 })).toMatchObject({ code: undefined });
      expect(await send('POST', path, { id: 2, v: 6 }, { prefer: 'resolution=merge-duplicates' })).toMatchObject({
        code: undefined,
      });
      expect(await send('DELETE', `${path}?id=gt.2`)).toMatchObject({ code: undefined });
      expect(await rows('books')).toEqual([
        { id: 1, v: 1 },
        { id: 2, v: 6 },
      ]);
    });

    test('a table of InnoDB is written as before', async () => {
      expect(await send('PATCH', `${base}/kept?id=gt.0`, { v: 9 }, limited)).toMatchObject({ status: 400 });
      expect(await send('DELETE', `${base}/kept?id=gt.0`, undefined, rollback)).toMatchObject({ code: undefined });
      expect(await rows('kept')).toEqual(before);
    });
  });

  test('a single object of several rows is refused before it is written', async () => {
    const accept = 'application/vnd.pgrst.object+json';
    expect(await send('PATCH', '/rest/v1/books?id=gt.0', { shelf: 7 }, { accept })).toEqual(refused);
    expect(await send('DELETE', '/rest/v1/books?or=(id.eq.1,id.eq.2)', undefined, { accept })).toEqual(refused);
    expect(await rows('books')).toEqual(before);
  });

  describe('over GraphQL', () => {
    const code = async (document: string): Promise<unknown> => {
      const { body } = await served.ask(document);
      const { errors = [] } = body as { readonly errors?: readonly { readonly extensions?: { code?: string } }[] };
      return errors[0]?.extensions?.code;
    };

    test.each([
      ['two mutations', 'a: create$$Kept(input: {id: 9, v: 9}) { id } b: create$$Books(input: {id: 3, v: 1}) { id }'],
      ['the same twice', 'a: delete$$Books(id: 1) { id } b: create$$Books(input: {id: 2, v: 1}) { id }'],
      ['a list', 'createMany$$Books(inputs: [{id: 3, v: 3}, {id: 3, v: 3}]) { id }'],
      [
        'a list with onConflict',
        'createMany$$Books(inputs: [{id: 3}, {id: 4}], onConflict: {constraint: PRIMARY}) { id }',
      ],
      ['rows inside a row', 'create$$Shelves(input: {id: 3, $Books: {data: [{id: 3}]}}) { id }'],
      ['a row inside a row', 'create$$Books(input: {id: 3, $Shelf: {data: {id: 3}}}) { id }'],
      ['changes inside a row', 'update$$Shelves(id: 1, input: {$Books: {delete: [{id: 1}]}}) { id }'],
      ['a limit', 'update$$Books(where: {id: {gt: 0}}, input: {shelf: 7}, atMost: 1) { id }'],
      ['a limit of deleted rows', 'delete$$Books(where: {id: {gt: 0}}, atMost: 1) { id }'],
    ])('%s', async (_, fields) => {
      expect(await code(`mutation { ${fields} }`)).toBe('TW017');
      for (const table of ['books', 'kept']) expect(await rows(table)).toEqual(before);
    });

    test('one row, with a field that writes nothing', async () => {
      expect(await code('mutation { __typename a: update$$Books(id: 1, input: {v: 7}) { id v } }')).toBeUndefined();
      expect(await code('mutation { a: createMany$$Books(inputs: [{id: 3, v: 8}]) { id v } }')).toBeUndefined();
      expect(await code('mutation { delete$$Books(where: {id: {gt: 1}}) { id } }')).toBeUndefined();
      expect(await rows('books')).toEqual([{ id: 1, v: 7 }]);
    });
  });

  test('agents get the reason', async () => {
    const answer = await agent.call('delete_rows', {
      table: 'books',
      filters: [{ column: 'id', operator: 'gt', value: 0 }],
    });
    expect(JSON.stringify(answer)).toContain('has no transactions');
    expect(await rows('books')).toEqual(before);
  });

  test('generate warns of them, and refuses rules', async () => {
    const folder = await scratchFolder('without-transactions');
    const run = async (config: object) => {
      await writeFile(join(folder, 'tablewright.config.json'), JSON.stringify(config));
      return tablewright(['generate', '--url', served.url, '--out', folder], { cwd: folder });
    };
    const { code, stderr } = await run({});
    expect(code).toBe(0);
    expect(stderr).toMatch(/5 tables have an engine without transactions/);
    for (const table of ['books', 'shown_again']) {
      const ruled = await run({ rules: { [`${served.database}.${table}`]: { read: true, write: { v: { gt: 0 } } } } });
      expect(ruled).toMatchObject({ code: 1, stderr: expect.stringContaining('has no transactions') as string });
    }
    expect(await run({ rules: { [`${served.database}.kept`]: { read: true, write: false } } })).toMatchObject({
      code: 0,
    });
    await rm(folder, { recursive: true, force: true });
  });
});
