import { counterparts, notesRules, notesSql } from './counterparts.js';
import { connectAgent } from '../../mcp/support/agent.js';
import type { OpenRuled, Ruled, Source, Who } from './ruled.js';

const sql = `${notesSql}
  create table teams (id int primary key, name varchar(40) not null);
  create table orders (id {id}, owner varchar(40) not null, team_id int references teams (id), number int unique,
    note varchar(40) not null default 'new', cost int not null default 7,
    constraint orders_team foreign key (team_id) references teams (id));
  create table items (id {id}, order_id int not null, sku varchar(40) not null,
    constraint items_order foreign key (order_id) references orders (id) on delete cascade);
  create table labels (id int primary key, name varchar(40) not null);
  create table order_labels (order_id int not null, label_id int not null, primary key (order_id, label_id),
    constraint order_labels_order foreign key (order_id) references orders (id) on delete cascade,
    constraint order_labels_label foreign key (label_id) references labels (id));
  create table notices (id {id}, author varchar(40), draft int not null default 0, body varchar(40) not null default 'b');
  create table remarks (team_id int not null, owner varchar(40) not null, body varchar(40) not null,
    constraint remarks_team foreign key (team_id) references teams (id));
  insert into teams values (1, 'one'), (2, 'two');
  insert into orders (id, owner, team_id, number, note, cost) values
    (1, 'ada', 1, 11, 'a1', 10), (2, 'ada', null, 12, 'a2', 20), (3, 'bob', 1, 13, 'b1', 30), (4, 'bob', 2, 14, 'b2', 40);
  insert into items (id, order_id, sku) values (1, 1, 'x'), (2, 3, 'y'), (3, 4, 'z');
  insert into labels values (1, 'red'), (2, 'blue');
  insert into order_labels values (1, 1), (3, 2);
  insert into remarks values (1, 'ada', 'r1'), (1, 'bob', 'r2'), (2, 'bob', 'r3');
  insert into notices (id, author, draft) values (1, 'ada', 1), (2, 'bob', 1), (3, 'bob', 0), (4, null, 1)`;

const own = { owner: { eq: { claim: 'userId' } } };

const rules: Source['rules'] = (schema) => ({
  ...notesRules(schema),
  [`${schema}.orders`]: {
    read: { or: [own, { team_id: { in: { claim: '.app.teams' } } }] },
    write: own,
    hide: ['cost'],
    roles: { rules_support: { read: true, hide: [] }, rules_auditor: { read: true, write: false } },
  },
  [`${schema}.items`]: { read: { order: own } },
  [`${schema}.order_labels`]: { read: { order: own } },
  [`${schema}.remarks`]: { read: own, write: false },
  [`${schema}.notices`]: {
    read: { or: [{ draft: { eq: 0 } }, { author: { eq: { claim: 'userId' } } }] },
    write: { author: { eq: { claim: 'userId' } } },
  },
});

const ada: Who = { sub: 'ada' };
const bob: Who = { sub: 'bob' };
const support: Who = { sub: 'sue', role: 'rules_support' };
const auditor: Who = { sub: 'ada', role: 'rules_auditor' };
const inTeam = (...teams: readonly unknown[]): Who => ({ sub: 'cyd', app: { teams } });

/**
 * Every case for one kind of database.
 * @param primaryKey the constraint of orders as GraphQL calls it
 */
export function rulesSuite(open: OpenRuled, name: string, primaryKey: string): void {
  let served: Ruled;
  beforeAll(async () => {
    served = await open({
      name,
      sql,
      rules,
      roles: ['rules_support', 'rules_auditor'],
      config: { relay: {} },
      environment: {
        APP_REST_POSTGREST: '/rest/v1',
        APP_REST_PLAN_ENABLED: 'true',
        APP_MCP: 'true',
        APP_DATASOURCE_POOL_SIZE: '1',
      },
    });
  });
  afterAll(() => served.stop());

  const data = async (who: Who, query: string): Promise<unknown> => {
    const answer = await served.ask(who, query);
    expect(answer.errors).toBeUndefined();
    return answer.data;
  };
  const orders = () => served.rows('select id, owner, note, cost from shop.orders order by id');
  const untouched = async (act: () => Promise<unknown>): Promise<void> => {
    const tables = ['orders', 'items', 'order_labels', 'notices', 'labels'];
    const all = () => Promise.all(tables.map((table) => served.rows(`select * from shop.${table} order by 1, 2`)));
    const before = await all();
    await act();
    expect(await all()).toEqual(before);
  };
  const forbidden = (answer: { readonly data?: unknown; readonly errors?: unknown }): void => {
    expect(answer).toMatchObject({ errors: [{ extensions: { code: 'TW016' } }] });
    expect(JSON.stringify(answer.data ?? null)).toMatch(/^(null|\{("\w+":null,?)*\})$/);
  };
  const cleared = async (): Promise<void> => {
    await served.rows('delete from shop.orders where id > 4');
    await served.rows('delete from shop.notices where id > 4');
    await served.rows('delete from shop.labels where id > 2');
    await served.rows('delete from shop.teams where id > 2');
  };

  describe('the suites of row level security', () => {
    counterparts(() => served);
  });

  describe('which rows are read', () => {
    const ids = '{ orders(orderBy: { id: ASC }) { id } }';
    test.each<readonly [string, Who, readonly number[]]>([
      ['by a claim', ada, [1, 2]],
      ['by another one', bob, [3, 4]],
      ['by a list of claims, at a path', inTeam(1), [1, 3]],
      ['with several items', inTeam(1, 2), [1, 3, 4]],
      ['an empty list', inTeam(), []],
      ['a list with an item of another type', inTeam(1, 'x'), []],
      ['a list with a null', inTeam(1, null), []],
      ['a list with a number out of range', inTeam(1, 99999999999), []],
      ['a claim that is no list', { sub: 'cyd', app: { teams: 1 } }, []],
      ['a claim that is null', { sub: 'cyd', app: { teams: null } }, []],
      ['a path into a text', { sub: 'cyd', app: 'teams' }, []],
      ['no claim', null, []],
      ['a name with other cases and accents', { sub: 'ADA' }, []],
      ['a name with a space at its end', { sub: 'ada ' }, []],
      ['a role that may read all', support, [1, 2, 3, 4]],
    ])('%s', async (_what, who, expected) => {
      expect(await data(who, ids)).toEqual({ orders: expected.map((id) => ({ id })) });
      expect(await served.rest(who, 'GET', 'orders?select=id&order=id')).toMatchObject({
        status: 200,
        body: { data: expected.map((id) => ({ id })) },
      });
    });

    test('where one alternative lacks its claim, the others hold', async () => {
      expect(await data(null, '{ notices(orderBy: { id: ASC }) { id } }')).toEqual({ notices: [{ id: 3 }] });
      expect(await data(ada, '{ notices(orderBy: { id: ASC }) { id } }')).toEqual({ notices: [{ id: 1 }, { id: 3 }] });
    });

    test('identities in turns over one shape, each by its own', async () => {
      for (let turn = 0; turn < 3; turn += 1) {
        for (const [who, expected] of [
          [ada, [1, 2]],
          [bob, [3, 4]],
          [null, []],
          [support, [1, 2, 3, 4]],
          [inTeam(2), [4]],
        ] as const)
          expect(await data(who, ids)).toEqual({ orders: expected.map((id) => ({ id })) });
      }
    });

    test.each<readonly [string, string, unknown]>([
      ['a row by its key', '{ a: ordersByPk(id: 1) { id } b: ordersByPk(id: 3) { id } }', { a: { id: 1 }, b: null }],
      [
        'a filter for all',
        '{ orders(where: { or: [{ id: { gt: 0 } }, { id: { lte: 0 } }] }) { id } }',
        { orders: [{ id: 1 }, { id: 2 }] },
      ],
      [
        'a connection',
        '{ ordersConnection(first: 9) { totalCount nodes { id } pageInfo { hasNextPage } } }',
        { ordersConnection: { totalCount: 2, nodes: [{ id: 1 }, { id: 2 }], pageInfo: { hasNextPage: false } } },
      ],
      [
        'an aggregate',
        '{ ordersAggregate { count max { number } } }',
        { ordersAggregate: { count: 2, max: { number: 12 } } },
      ],
      [
        'groups',
        '{ ordersAggregate(groupBy: [owner]) { groups { key { owner } count } } }',
        { ordersAggregate: { groups: [{ key: { owner: 'ada' }, count: 2 }] } },
      ],
      [
        'embedded lists, and their counts',
        '{ teams(orderBy: { id: ASC }) { orders { id } ordersAggregate { count } } }',
        {
          teams: [
            { orders: [{ id: 1 }], ordersAggregate: { count: 1 } },
            { orders: [], ordersAggregate: { count: 0 } },
          ],
        },
      ],
      [
        'a filter through a relation',
        '{ teams(where: { orders: { some: { id: { gt: 0 } } } }) { id } }',
        { teams: [{ id: 1 }] },
      ],
      [
        'none and every',
        '{ a: teams(where: { orders: { none: { owner: { eq: "bob" } } } }, orderBy: { id: ASC }) { id } b: teams(where: { orders: { every: { owner: { eq: "ada" } } } }, orderBy: { id: ASC }) { id } }',
        { a: [{ id: 1 }, { id: 2 }], b: [{ id: 1 }, { id: 2 }] },
      ],
      [
        'the order by a number of rows',
        '{ teams(orderBy: [{ orders: { _count: ASC } }, { id: ASC }]) { id } }',
        { teams: [{ id: 2 }, { id: 1 }] },
      ],
      ['a rule through a relation', '{ items { sku order { id } } }', { items: [{ sku: 'x', order: { id: 1 } }] }],
      [
        'through a junction',
        '{ labels(orderBy: { id: ASC }) { orders { id } } }',
        { labels: [{ orders: [{ id: 1 }] }, { orders: [] }] },
      ],
    ])('GraphQL: %s', async (_what, query, expected) => {
      expect(await data(ada, query)).toEqual(expected);
    });

    /** What ada sees of related rows, in every form that a relation has. */
    const related = `ordersAggregate(groupBy: [owner, note]) { count groups { key { owner note } count } }
      remarks { body } remarksAggregate(groupBy: [body]) { count groups { key { body } } }`;
    const seen = [
      {
        ordersAggregate: { count: 1, groups: [{ key: { owner: 'ada', note: 'a1' }, count: 1 }] },
        remarks: [{ body: 'r1' }],
        remarksAggregate: { count: 1, groups: [{ key: { body: 'r1' } }] },
      },
      { ordersAggregate: { count: 0, groups: [] }, remarks: [], remarksAggregate: { count: 0, groups: [] } },
    ];
    const none = [seen[1], seen[1]];

    test('groups of related rows, and related rows without a key', async () => {
      const query = `{ teams(orderBy: { id: ASC }) { ${related} } }`;
      expect(await data(ada, query)).toEqual({ teams: seen });
      expect(await data(null, query)).toEqual({ teams: none });
      const labels =
        '{ labels(orderBy: { id: ASC }) { ordersAggregate(groupBy: [owner]) { groups { key { owner } } } } }';
      expect(await data(ada, labels)).toEqual({
        labels: [{ ordersAggregate: { groups: [{ key: { owner: 'ada' } }] } }, { ordersAggregate: { groups: [] } }],
      });
      const named = 'mutation { updateTeams(where: { id: { gt: 0 } }, input: { name: "n" })';
      const answered = await data(ada, `${named} { id ${related} } }`);
      expect(answered).toEqual({ updateTeams: seen.map((each, at) => ({ id: at + 1, ...each })) });
      const agent = await connectAgent(served.base, await served.headersOf(null));
      const { text } = await agent.call('graphql', { query });
      await agent.close();
      expect(JSON.parse(text)).toMatchObject({ data: { teams: none } });
      expect(
        (await served.rest(ada, 'GET', 'teams?select=...remarks(body)&order=id', undefined, undefined, '/rest/v1'))
          .body,
      ).toEqual([{ body: ['r1'] }, { body: [] }]);
    });

    test.each(['planned', 'estimated', 'exact'])('count=%s counts the rows that the caller sees', async (count) => {
      const total = async (who: Who, path: string): Promise<string | undefined> =>
        (await served.send(who, 'GET', `/rest/v1/${path}`, { prefer: `count=${count}` })).headers['content-range']
          ?.toString()
          .replace(/.*\//, '');
      expect(await total(null, 'orders?limit=1')).toBe('0');
      expect(await total(ada, 'orders?limit=1')).toBe('2');
      expect(await total(ada, 'teams?select=id,orders!inner(id)&limit=1')).toBe('1');
      expect(await total(null, 'teams?select=id,orders!inner(id)&limit=1')).toBe('0');
      expect(await served.rest(null, 'GET', 'orders?limit=1', undefined, `count=${count}`)).toMatchObject({
        body: { pagination: { total: 0 } },
      });
    });

    test('plans are for those who may read all rows', async () => {
      const plan = (who: Who) =>
        served.send(who, 'GET', '/rest/v1/orders', { accept: 'application/vnd.pgrst.plan+json' });
      expect((await plan(ada)).status).toBe(403);
      expect((await plan(null)).status).toBe(403);
    });

    test('REST: counts, keys, embedded and inner rows', async () => {
      expect(await served.rest(ada, 'GET', 'orders?select=id', undefined, 'count=exact')).toMatchObject({
        body: { pagination: { total: 2 } },
      });
      expect((await served.rest(ada, 'GET', 'orders/3')).status).toBe(404);
      expect((await served.rest(ada, 'GET', 'orders/1')).status).toBe(200);
      expect(await served.rest(ada, 'GET', 'teams?select=id,orders(id)&order=id')).toMatchObject({
        body: {
          data: [
            { id: 1, orders: [{ id: 1 }] },
            { id: 2, orders: [] },
          ],
        },
      });
      expect(await served.rest(ada, 'GET', 'teams?select=id,orders!inner(id)')).toMatchObject({
        body: { data: [{ id: 1, orders: [{ id: 1 }] }] },
      });
    });
  });

  describe('which rows are written', () => {
    afterEach(cleared);

    test('inserted rows have to match, and a list is refused whole', async () => {
      await untouched(async () => {
        forbidden(await served.ask(ada, 'mutation { createOrders(input: { owner: "bob" }) { id } }'));
        forbidden(await served.ask(null, 'mutation { createOrders(input: { owner: "ada" }) { id } }'));
        forbidden(
          await served.ask(ada, 'mutation { createManyOrders(inputs: [{ owner: "ada" }, { owner: "bob" }]) { id } }'),
        );
        forbidden(
          await served.ask(
            ada,
            'mutation { a: createOrders(input: { owner: "ada" }) { id } b: createOrders(input: { owner: "bob" }) { id } }',
          ),
        );
        for (const prefer of ['return=minimal', 'return=representation', 'return=headers-only'])
          expect(await served.rest(ada, 'POST', 'orders', { owner: 'bob' }, prefer)).toMatchObject({
            status: 403,
            body: { code: 'TW016' },
          });
        expect((await served.rest(ada, 'POST', 'orders', [{ owner: 'ada' }, { owner: 'bob', note: 'x' }])).status).toBe(
          403,
        );
        expect((await served.rest(ada, 'POST', 'items', { order_id: 3, sku: 'q' })).status).toBe(403);
        expect((await served.rest(null, 'POST', 'notices', { draft: 0 })).status).toBe(403);
      });
      expect(await data(ada, 'mutation { createOrders(input: { owner: "ada", note: "mine" }) { note } }')).toEqual({
        createOrders: { note: 'mine' },
      });
      expect((await served.rest(ada, 'POST', 'items', { order_id: 1, sku: 'q' })).status).toBe(201);
      await served.rows("delete from shop.items where sku = 'q'");
    });

    test('updates and deletes do not reach other rows, readable or not', async () => {
      await untouched(async () => {
        expect(await data(inTeam(1), 'mutation { updateOrders(where: {}, input: { note: "!" }) { id } }')).toEqual({
          updateOrders: [],
        });
        expect(await data(inTeam(1), 'mutation { deleteOrders(where: {}) { id } }')).toEqual({ deleteOrders: [] });
        expect(await served.rest(support, 'PATCH', 'orders?id=gt.0', { note: '!' })).toEqual({ status: 200, body: [] });
        expect(await served.rest(ada, 'DELETE', 'orders?id=in.(3,4)')).toEqual({ status: 200, body: [] });
        expect(await served.rest(auditor, 'PATCH', 'orders?id=eq.1', { note: '!' })).toEqual({ status: 200, body: [] });
        expect((await served.rest(auditor, 'POST', 'orders', { owner: 'ada' })).status).toBe(403);
        expect(await served.rest(null, 'DELETE', 'notices?id=gt.0')).toEqual({ status: 200, body: [] });
      });
    });

    test('updated rows have to match afterwards', async () => {
      await untouched(async () => {
        forbidden(
          await served.ask(ada, 'mutation { updateOrders(where: { id: { eq: 1 } }, input: { owner: "bob" }) { id } }'),
        );
        expect((await served.rest(ada, 'PATCH', 'orders?id=eq.1', { owner: 'bob' })).status).toBe(403);
        expect((await served.rest(ada, 'PATCH', 'orders?id=gt.0', { owner: 'bob' }, 'return=minimal')).status).toBe(
          403,
        );
        expect((await served.rest(ada, 'PATCH', 'items?id=eq.1', { order_id: 3 })).status).toBe(403);
        expect((await served.rest(ada, 'PATCH', 'notices?id=eq.1', { author: null })).status).toBe(403);
      });
      expect(
        await data(ada, 'mutation { updateOrders(where: { id: { eq: 1 } }, input: { note: "a1" }) { id note } }'),
      ).toEqual({
        updateOrders: [{ id: 1, note: 'a1' }],
      });
    });

    test('upserts merge only rows that may be written, before and after', async () => {
      const merge = 'resolution=merge-duplicates';
      await untouched(async () => {
        expect((await served.rest(ada, 'POST', 'orders', { id: 3, owner: 'ada', note: '!' }, merge)).status).toBe(403);
        expect((await served.rest(ada, 'POST', 'orders', { id: 1, owner: 'bob', note: '!' }, merge)).status).toBe(403);
        expect(
          (await served.rest(ada, 'POST', 'orders?on_conflict=number', { number: 13, owner: 'ada' }, merge)).status,
        ).toBe(403);
        expect(
          (
            await served.rest(
              ada,
              'POST',
              'orders',
              [
                { id: 1, owner: 'ada' },
                { id: 4, owner: 'ada' },
              ],
              merge,
            )
          ).status,
        ).toBe(403);
        expect(
          (await served.rest(ada, 'POST', 'orders', { id: 3, owner: 'ada' }, 'resolution=ignore-duplicates')).status,
        ).toBeLessThan(300);
        forbidden(
          await served.ask(
            ada,
            'mutation { createOrders(input: { id: 3, owner: "ada", note: "!" }, onConflict: { constraint: PKEY, updateColumns: [owner, note] }) { id } }'.replace(
              'PKEY',
              primaryKey,
            ),
          ),
        );
      });
      expect(
        await served.rest(ada, 'POST', 'orders?select=id,note', { id: 1, owner: 'ada', note: 'a1' }, merge),
      ).toMatchObject({
        status: 200,
        body: { id: 1, note: 'a1' },
      });
    });

    test('PUT takes every column that the identity may use, and leaves the hidden ones', async () => {
      const lacking = { owner: 'ada', team_id: 1, number: 11 };
      const row = { ...lacking, note: 'a1' };
      const costs = () => served.rows('select id, cost from shop.orders where id in (1, 70) order by id');
      await untouched(async () => {
        expect(await served.rest(ada, 'PUT', 'orders?id=eq.1', { ...row, cost: 1 })).toMatchObject({ status: 403 });
        expect(await served.rest(ada, 'PUT', 'orders?id=eq.1', lacking)).toMatchObject({
          status: 400,
          body: { message: 'The body lacks "note".' },
        });
        expect(await served.rest(ada, 'PUT', 'orders?id=eq.1&select=note', row)).toMatchObject({ status: 200 });
        // Nothing is hidden from this role.
        expect(await served.rest(support, 'PUT', 'orders?id=eq.1', row)).toMatchObject({
          status: 400,
          body: { message: 'The body lacks "cost".' },
        });
      });
      expect((await served.rest(ada, 'PUT', 'orders?id=eq.70', { ...row, number: 70 })).status).toBe(201);
      expect(await costs()).toMatchObject([{ cost: 10 }, { cost: 7 }]);
      await served.rows('delete from shop.orders where id = 70');
    });

    test('PUT replaces and inserts only such rows', async () => {
      const row = { owner: 'ada', draft: 1, body: 'b' };
      await untouched(async () => {
        expect(
          (await served.rest(ada, 'PUT', 'notices?id=eq.2', { author: 'ada', draft: 1, body: '!' })).status,
        ).toBeGreaterThanOrEqual(403);
        expect(
          (await served.rest(ada, 'PUT', 'notices?id=eq.3', { author: 'ada', draft: 1, body: '!' })).status,
        ).toBeGreaterThanOrEqual(403);
        expect((await served.rest(ada, 'PUT', 'notices?id=eq.1', { author: 'bob', draft: 1, body: '!' })).status).toBe(
          403,
        );
        expect((await served.rest(ada, 'PUT', 'notices?id=eq.99', { author: 'bob', draft: 1, body: '!' })).status).toBe(
          403,
        );
      });
      expect(
        (await served.rest(ada, 'PUT', 'notices?id=eq.1', { author: 'ada', draft: row.draft, body: row.body })).status,
      ).toBe(200);
      expect((await served.rest(ada, 'PUT', 'notices?id=eq.50', { author: 'ada', draft: 1, body: 'n' })).status).toBe(
        201,
      );
    });

    test.each([
      [
        'a row with rows, of which one may not be',
        'createTeams(input: { id: 9, name: "t", orders: { data: [{ owner: "bob" }] } })',
      ],
      ['rows of a row that may not be', 'createOrders(input: { owner: "bob", items: { data: [{ sku: "n" }] } })'],
      [
        'an updated row inside',
        'updateOrders(where: { id: { eq: 1 } }, input: { items: { update: [{ where: { id: 2 }, data: { sku: "!" } }] } })',
      ],
      [
        'a connected row of somebody else',
        'updateOrders(where: { id: { eq: 1 } }, input: { items: { connect: [{ id: 2 }] } })',
      ],
      [
        'a row given to somebody else',
        'updateTeams(where: { id: { eq: 1 } }, input: { orders: { update: [{ where: { id: 1 }, data: { owner: "bob" } }] } })',
      ],
      [
        'a deleted row of somebody else',
        'updateTeams(where: { id: { eq: 1 } }, input: { orders: { delete: [{ id: 3 }] } })',
      ],
      ['a row of a junction', 'updateLabels(where: { id: { eq: 1 } }, input: { orders: { connect: [{ id: 3 }] } })'],
    ])('nested: %s', async (_what, mutation) => {
      await untouched(async () => {
        const { errors } = await served.ask(ada, `mutation { ${mutation} { id } }`);
        expect(errors).toMatchObject([{ extensions: { code: expect.stringMatching(/^TW0(08|16)$/) as unknown } }]);
      });
    });

    test('nested writes of own rows', async () => {
      expect(
        await data(
          ada,
          'mutation { createOrders(input: { owner: "ada", note: "n", items: { data: [{ sku: "n" }] } }) { note items { sku } } }',
        ),
      ).toEqual({ createOrders: { note: 'n', items: [{ sku: 'n' }] } });
      expect((await orders()).length).toBe(5);
    });
  });

  describe('hidden columns', () => {
    afterEach(cleared);

    test('are not in answers, and nothing can be asked about them', async () => {
      expect(await served.rest(ada, 'GET', 'orders?id=eq.1')).toMatchObject({
        body: { data: [{ id: 1, owner: 'ada', team_id: 1, number: 11, note: 'a1' }] },
      });
      expect(JSON.stringify(await served.rest(ada, 'GET', 'orders'))).not.toContain('cost');
      expect(JSON.stringify(await served.rest(ada, 'GET', 'teams?select=*,orders(*)'))).not.toContain('cost');
      expect(JSON.stringify(await served.rest(ada, 'POST', 'orders', { owner: 'ada' }))).not.toContain('cost');
      const csv = { ...(await served.headersOf(ada)), accept: 'text/csv', prefer: 'return=representation' };
      const nothing = await fetch(`${served.base}/api/v1/orders`, { method: 'POST', headers: csv, body: '[]' });
      expect(await nothing.text()).toBe('id,owner,team_id,number,note');
      expect(await served.rest(support, 'GET', 'orders?id=eq.1')).toMatchObject({ body: { data: [{ cost: 10 }] } });
    });

    test.each([
      ['select=cost'],
      ['select=id,c:cost'],
      ['cost=gt.5'],
      ['or=(cost.gt.5,id.eq.1)'],
      ['not.and=(cost.gt.5,id.eq.1)'],
      ['order=cost'],
    ])('REST: %s', async (query) => {
      expect(await served.rest(ada, 'GET', `orders?${query}`)).toMatchObject({ status: 403, body: { code: 'TW016' } });
      expect((await served.rest(support, 'GET', `orders?${query}`)).status).toBe(200);
    });

    test.each([
      ['{ orders { cost } }'],
      ['{ teams { orders { cost } } }'],
      ['{ orders(where: { cost: { gt: 5 } }) { id } }'],
      ['{ orders(where: { not: { cost: { isNull: true } } }) { id } }'],
      ['{ teams(where: { orders: { some: { cost: { gt: 5 } } } }) { id } }'],
      ['{ orders(orderBy: { cost: ASC }) { id } }'],
      ['{ items(orderBy: { order: { cost: ASC } }) { id } }'],
      ['{ ordersAggregate { sum { cost } } }'],
      ['{ ordersAggregate(groupBy: [cost]) { groups { count } } }'],
      ['{ ordersAggregate(groupBy: [owner], having: { max: { cost: { gt: 5 } } }) { groups { count } } }'],
      ['{ ordersConnection(orderBy: { cost: ASC }, first: 1) { edges { cursor } } }'],
      ['{ teams { ordersAggregate { max { cost } } } }'],
      ['mutation { createOrders(input: { owner: "ada", cost: 1 }) { id } }'],
      ['mutation { updateOrders(where: { id: { eq: 1 } }, input: { cost: 1 }) { id } }'],
      ['mutation { updateOrders(where: { id: { eq: 1 } }, input: { note: "a1" }, inc: { cost: 1 }) { id } }'],
      ['mutation { updateOrders(where: { cost: { eq: 10 } }, input: { note: "a1" }) { id } }'],
      ['mutation { deleteOrders(where: { cost: { eq: 10 } }) { id } }'],
      ['mutation { updateOrders(where: { id: { eq: 1 } }, input: { note: "a1" }) { cost } }'],
      [
        'mutation { updateTeams(where: { id: { eq: 1 } }, input: { orders: { update: [{ where: { id: 1 }, data: { cost: 1 } }] } }) { id } }',
      ],
    ])('GraphQL: %s', async (query) => {
      await untouched(async () => {
        forbidden(await served.ask(ada, query));
      });
    });

    test('REST writes with them', async () => {
      await untouched(async () => {
        expect((await served.rest(ada, 'POST', 'orders', { owner: 'ada', cost: 1 })).status).toBe(403);
        expect((await served.rest(ada, 'PATCH', 'orders?id=eq.1', { cost: 1 })).status).toBe(403);
        expect((await served.rest(ada, 'PATCH', 'orders?cost=eq.10', { note: '!' })).status).toBe(403);
        expect((await served.rest(ada, 'DELETE', 'orders?cost=eq.10')).status).toBe(403);
        expect((await served.rest(ada, 'POST', 'orders?select=cost', { owner: 'ada' })).status).toBe(403);
      });
    });
  });

  test('the console says that the rule hides a row', async () => {
    const [row] = (await served.rows("select id from shop.orders where owner = 'bob' and team_id = 2")) as [
      { id: number },
    ];
    const why = async (who: Who, id: number) =>
      JSON.parse((await served.send(who, 'GET', `/console/why?table=orders&key=${String(id)}`, {})).text) as unknown;
    const text = expect.stringContaining('claim') as unknown;
    expect(await why(ada, row.id)).toMatchObject({ sees: false, exists: true, rule: { text, holds: false } });
    expect(await why(bob, row.id)).toMatchObject({ sees: true, exists: true, rule: { text, holds: true } });
    expect(await why(ada, 9999)).toMatchObject({ sees: false, exists: false });
    // No rule limits what this role reads.
    expect(await why(support, row.id)).not.toHaveProperty('rule');
  });
}
