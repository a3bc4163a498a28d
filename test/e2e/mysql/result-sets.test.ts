import { generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';
import { describeMysql } from '../../support/mysql.js';
import { bothWays } from './features.js';
import { serveMysql, type ServedMysql } from './served.js';

const schema = `
  create table customers (code varchar(20) collate utf8mb4_unicode_ci primary key, name varchar(40) not null);
  create table orders (
    id int primary key, customer varchar(20) collate utf8mb4_unicode_ci, total decimal(12, 2) not null, big bigint unsigned, at datetime(3), moment timestamp null,
    day date, span time(2), state enum('open', 'in progress', 'done'), marks set('red', 'green', 'blue'), doc json, bytes varbinary(10), ratio float, bits bit(4),
    uid uuid, place point, note varchar(100), cost int, secret int,
    foreign key (customer) references customers (code)
  );
  create table items (id int primary key, order_id int not null, product varchar(20), foreign key (order_id) references orders (id));
  insert into customers values ('ann', 'Ann'), ('bob', 'Bob');
  insert into orders values
    (1, 'ann', 12.50, 18446744073709551615, '2024-02-29 01:02:03.5', '2024-02-29 12:00:00', '2024-02-29', '-01:02:03.5', 'in progress', 'red,blue',
     '{"a": [1, "\\\\u00e9"]}', x'00ff', 0.1, b'0101', '123e4567-e89b-12d3-a456-426614174000', point(1, 2), '"quoted" \\\\ é', 7, 99),
    (2, 'bob', 100.00, 1, null, null, null, null, 'done', '', null, null, null, null, null, null, null, null, null),
    (3, 'ann', 9.00, 2, null, null, null, null, 'open', 'green', 'null', x'', 16777216, b'0', null, null, 'plain', 1, 2);
  insert into items values (1, 1, 'pen'), (2, 1, 'ink'), (3, 2, 'pad');
  create table log (id int auto_increment primary key, what varchar(40));

  create procedure late_orders(in least decimal(12, 2))
    select * from orders where total >= least order by total desc;
  create procedure calls_and_writes(in what varchar(40), out n int)
  begin
    insert into log (what) values (what);
    set n = 5;
    select o.* from orders o order by id;
    select 'another set' as x;
  end;
  create procedure totals(in by_state boolean)
    select customer as Customer, sum(total) as total, count(*) as n, max(at) as latest, max(day) as day, max(state) as state, json_arrayagg(id order by id) as ids, max(big) as big,
      avg(ratio) as ratio, max(note) as extra
      from orders group by customer order by customer desc;
  create procedure report(in least decimal(12, 2), in what varchar(40), out n int)
  begin
    insert into log (what) values (what);
    set n = 5;
    select * from orders where total >= least order by id desc;
    select customer as Customer, sum(total) as total, max(big) as big, 'left out' as extra from orders group by customer order by customer desc;
    select 1 as n, 2 as m from orders where id < 0;
    select 'done' as status;
  end;
  create procedure nothing_at_all(in what varchar(40)) insert into log (what) values (what);
  create procedure wrong_columns(in what varchar(40))
  begin
    insert into log (what) values (what);
    select 1 as id, 'a' as customer;
  end;
  create procedure wrong_values(in what varchar(40))
  begin
    insert into log (what) values (what);
    select 'secret text' as n, 1 as m;
  end;
  create procedure twice_a_column(in what varchar(40))
  begin
    insert into log (what) values (what);
    select 1 as n, 2 as n, 3 as m;
  end;
  create procedure commits(in what varchar(40))
  begin
    start transaction;
    insert into log (what) values (what);
    commit;
    select 1 as n, 2 as m;
  end;
  create procedure many(in n int, in size int)
    with recursive c as (select 1 as v union all select v + 1 from c where v < n) select v as n, repeat('x', size) as m from c;
  create procedure spoils()
  begin
    set sql_mode = '', time_zone = '+05:00', sql_select_limit = 1;
    select timestamp '2024-02-29 12:00:00' as n, 1 as m;
  end;
  create procedure doubled(inout n int) begin set n = n * 2; select n as n, 1 as m; end;
  create procedure doubled_twice(in what varchar(40))
  begin
    insert into log (what) values (what);
    select 1 as n, 2 as m;
  end;
  create procedure fails() signal sqlstate '45000' set message_text = 'Not today.';
`;

const pair = { n: 'int', m: 'int' };

describe.each(bothWays)('result sets of procedures%s', (_, environment) => {
  describeMysql('', () => {
    let served: ServedMysql;
    beforeAll(async () => {
      const fixed = {
        ...environment,
        APP_REST_POSTGREST: '/rest/v1',
        APP_MAX_ROWS: '100',
        APP_LIMITS_RESPONSE_BYTES: '600000',
      };
      served = await serveMysql(fixed, '', schema, ({ name }) => {
        const orders = `${name}.orders`;
        const of = (procedure: string, returns: unknown) => [`${name}.${procedure}`, { returns }] as const;
        const totals = {
          customer: `${name}.orders.customer`,
          total: 'decimal(20, 2)',
          n: 'bigint',
          latest: 'datetime',
          day: 'date',
          state: `${name}.orders.state`,
          ids: 'json',
          big: 'bigint unsigned',
          ratio: 'double',
        };
        const procedures = Object.fromEntries([
          of('late_orders', orders),
          of('calls_and_writes', orders),
          of('totals', totals),
          of('nothing_at_all', orders),
          of('report', [orders, { customer: 'varchar(20)', total: 'decimal(20, 2)', big: 'bigint unsigned' }, pair]),
          of('doubled_twice', [pair, pair]),
          of('wrong_columns', orders),
          of('wrong_values', pair),
          of('twice_a_column', pair),
          of('commits', pair),
          of('many', { n: 'int', m: 'text' }),
          of('spoils', { n: 'datetime', m: 'int' }),
          of('doubled', pair),
          of('fails', pair),
        ]);
        return { config: { 'app.rest.procedures': true, procedures, exclude: [`${orders}.secret`] } };
      });
    });
    afterAll(() => served.stop());

    const ask = async (document: string): Promise<unknown> => {
      const { body } = await served.ask(document);
      return (body as { readonly data?: unknown }).data ?? body;
    };
    const post = (body: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit => ({
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const postgrest = async (path: string, init?: RequestInit) => {
      const response = await fetch(`${served.base}/rest/v1/${path}`, init);
      return { status: response.status, headers: response.headers, body: parsed(await response.text()) };
    };
    const logged = async (): Promise<unknown> => {
      const { body } = await served.rest('log?select=what&order=id');
      return (body as { readonly data: readonly { readonly what: string }[] }).data.map(({ what }) => what);
    };

    const columns = 'id,customer,total,big,at,moment,day,span,state,marks,doc,bytes,ratio,bits,uid,place,note,cost';

    test('rows of a table are as a read of the table has them, in the order of the procedure', async () => {
      const read = await served.rest(`orders?select=${columns}&order=total.desc`);
      const called = await served.rest(`rpc/late_orders?select=${columns}`, post({ least: 9 }));
      expect(called.status).toBe(200);
      expect((called.body as { data: unknown }).data).toEqual((read.body as { data: unknown }).data);
      expect(called.text).toContain('"total":12.50');
      const fields = columns.replaceAll(',', ' ');
      const asked = await ask(`{ read: $Orders(orderBy: { total: DESC }) { ${fields} customer } }`);
      const mutated = await ask(`mutation { read: call$$LateOrders(least: "9") { ${fields} customer } }`);
      expect(mutated).toEqual(asked);
    });

    test('rows of a table have its relations, and take filters, orders and pages over REST', async () => {
      expect(
        await ask(
          `mutation { a: call$$LateOrders(least: "10") { id c: $Customer { name } items: $Items(orderBy: { id: ASC }) { product } } }`,
        ),
      ).toEqual({
        a: [
          { id: 2, c: { name: 'Bob' }, items: [{ product: 'pad' }] },
          { id: 1, c: { name: 'Ann' }, items: [{ product: 'pen' }, { product: 'ink' }] },
        ],
      });
      const embedded = 'select=id,customers(name),items(product)&items.order=id';
      expect(
        (await served.rest(`rpc/late_orders?${embedded}&customers.name=eq.Ann&order=id`, post({ least: 0 }))).body,
      ).toMatchObject({
        data: [
          { id: 1, customers: { name: 'Ann' }, items: [{ product: 'pen' }, { product: 'ink' }] },
          { id: 2, customers: null, items: [{ product: 'pad' }] },
          { id: 3, customers: { name: 'Ann' }, items: [] },
        ],
      });
      const ids = async (query: string): Promise<unknown> => {
        const { body } = await served.rest(`rpc/late_orders?select=id&${query}`, post({ least: 0 }));
        return (body as { data?: readonly { id: number }[] }).data?.map(({ id }) => id) ?? body;
      };
      expect(await ids('order=total')).toEqual([3, 1, 2]);
      expect(await ids('order=state.desc')).toEqual([2, 1, 3]);
      expect(await ids('state=gt.open&order=id')).toEqual([1, 2]);
      expect(await ids('state=eq.done')).toEqual([2]);
      expect(await ids('state=in.(done,open)&order=id')).toEqual([2, 3]);
      expect(await ids('total=gt.9.5&order=id')).toEqual([1, 2]);
      expect(await ids('big=eq.18446744073709551615')).toEqual([1]);
      expect(await ids('note=like.*quoted*')).toEqual([1]);
      expect(await ids('customer=eq.ann&order=id')).toEqual([1, 3]);
      expect(await ids('at=gte.2024-02-29T01:02:03&at=lt.2024-03-01')).toEqual([1]);
      expect(await ids('bytes=eq.%5Cx00ff')).toEqual([1]);
      expect(await ids('marks=cs.%7Bblue%7D')).toEqual([1]);
      expect(await ids('uid=eq.123e4567-e89b-12d3-a456-426614174000')).toEqual([1]);
      expect(await ids('limit=1&offset=1')).toEqual([1]);
      const counted = await served.rest(
        'rpc/late_orders?select=id&limit=1',
        post({ least: 0 }, { prefer: 'count=exact' }),
      );
      expect(counted.body).toEqual({ data: [{ id: 2 }], pagination: { limit: 1, offset: 0, total: 3 } });
      const csv = await served.rest('rpc/late_orders?select=id,total', post({ least: 10 }, { accept: 'text/csv' }));
      expect(csv.text.trim().split(/\r?\n/)).toEqual(['id,total', '2,100.00', '1,12.50']);
    });

    test("PostgREST's form answers the rows alone, and calls by POST only", async () => {
      expect((await postgrest('rpc/late_orders?select=id,customers(name)&order=id', post({ least: 10 }))).body).toEqual(
        [
          { id: 1, customers: { name: 'Ann' } },
          { id: 2, customers: { name: 'Bob' } },
        ],
      );
      expect((await postgrest('rpc/late_orders?least=1')).status).toBe(405);
      expect((await served.rest('rpc/late_orders?least=1')).status).toBe(405);
      const one = await postgrest(
        'rpc/late_orders?select=id',
        post({ least: 50 }, { accept: 'application/vnd.pgrst.object+json' }),
      );
      expect(one.body).toEqual({ id: 2 });
      const totals = await postgrest('rpc/totals?select=customer,total&total=gt.50', post({ by_state: false }));
      expect(totals.body).toEqual([{ customer: 'bob', total: 100 }]);
      const most = await postgrest(
        'rpc/calls_and_writes',
        post({ what: 'too many' }, { prefer: 'max-affected=1,handling=strict' }),
      );
      expect(most.status).toBe(400);
      expect(await logged()).toEqual([]);
    });

    test('columns that the configuration lists are an object type of their own', async () => {
      const ann = { customer: 'ann', total: 21.5, latest: '2024-02-29T01:02:03.5', day: '2024-02-29', ids: [1, 3] };
      expect(
        await ask(
          'mutation { t: call$$Totals(by_state: 1) { __typename customer total n latest day state ids big ratio } }',
        ),
      ).toEqual({
        t: [
          {
            __typename: expect.stringMatching(/TotalsResult$/) as unknown,
            customer: 'bob',
            total: 100,
            n: '1',
            latest: null,
            day: null,
            state: 'done',
            ids: [2],
            big: '1',
            ratio: null,
          },
          {
            __typename: expect.stringMatching(/TotalsResult$/) as unknown,
            ...ann,
            n: '2',
            state: 'open',
            big: '18446744073709551615',
            ratio: expect.closeTo(8388608.05, 2) as unknown,
          },
        ],
      });
      const { status, text, body } = await served.rest('rpc/totals', post({ by_state: 1 }));
      expect(status).toBe(200);
      expect(body).toMatchObject([
        { customer: 'bob', n: 1 },
        { customer: 'ann', n: 2 },
      ]);
      expect(text).toContain('"total":21.50');
      expect(text).not.toContain('extra');
    });

    test('the first result set is the answer, and OUT parameters are not', async () => {
      expect(await ask('mutation { a: call$$CallsAndWrites(what: "kept") { id } }')).toEqual({
        a: [{ id: 1 }, { id: 2 }, { id: 3 }],
      });
      expect(await ask('mutation { a: call$$Doubled(n: 21) { n m } }')).toEqual({ a: [{ n: 42, m: 1 }] });
      expect(await ask('mutation { a: call$$Many(n: 0, size: 1) { n } }')).toEqual({ a: [{ n: 1 }] });
      expect(await ask('mutation { a: call$$LateOrders(least: "1000") { id } }')).toEqual({ a: [] });
      expect(await logged()).toEqual(['kept']);
      await served.load('delete from log');
    });

    test.each([
      ['nothing_at_all', 'answered no result set'],
      ['wrong_columns', 'has no column "total"'],
      ['wrong_values', 'column "n" has a value that the type int does not take'],
      ['twice_a_column', 'several columns "n"'],
    ])('%s is an error that says what is wrong, and writes nothing', async (name, details) => {
      const { status, text, body } = await served.rest(`rpc/${name}`, post({ what: name }));
      expect([status, body]).toMatchObject([
        500,
        { code: 'TW500', details: expect.stringContaining(details) as unknown },
      ]);
      expect(text).not.toContain('secret text');
      expect((await postgrest(`rpc/${name}`, post({ what: name }))).status).toBe(500);
      const field = name.replace(/(?:^|_)([a-z])/g, (_found, letter: string) => letter.toUpperCase());
      const selected = /values|twice/.test(name) ? 'n' : 'id';
      const { body: asked } = await served.ask(`mutation { call$$${field}(what: "x") { ${selected} } }`);
      expect(asked).toMatchObject({ errors: [{ extensions: { code: 'TW500' } }] });
      expect(await logged()).toEqual([]);
    });

    test('a procedure is called alone, also one that answers rows', async () => {
      const { body } = await served.ask('mutation { a: call$$Doubled(n: 1) { n } b: call$$Doubled(n: 1) { n } }');
      expect(body).toMatchObject({ errors: [{ extensions: { code: 'TW017' } }] });
      expect((await served.rest('rpc/doubled', post({ n: 1 }, { prefer: 'tx=rollback' }))).status).toBe(400);
      expect((await served.rest('rpc/commits', post({ what: 'committed' }))).body).toEqual([{ n: 1, m: 2 }]);
      expect(await logged()).toEqual(['committed']);
      await served.load('delete from log');
    });

    test('rows are bounded in bytes, and what a procedure sets is gone after it', async () => {
      const { status, body } = await served.rest('rpc/many', post({ n: 900, size: 1000 }));
      expect([status, body]).toMatchObject([413, { code: 'TW011' }]);
      // The server stops to read an answer that is twice as long.
      expect((await served.rest('rpc/many', post({ n: 900, size: 10_000 }))).status).toBe(413);
      expect(((await served.rest('rpc/many', post({ n: 500, size: 1000 }))).body as unknown[]).length).toBe(500);
      for (let turn = 0; turn < 3; turn += 1) {
        expect((await served.rest('rpc/spoils', post({}))).body).toEqual([{ n: '2024-02-29T12:00:00', m: 1 }]);
        expect((await served.rest('orders?select=id,moment&order=id')).body).toMatchObject({
          data: [{ id: 1, moment: '2024-02-29T12:00:00+00:00' }, { id: 2 }, { id: 3 }],
        });
      }
      expect((await served.rest('rpc/fails', post({}))).body).toMatchObject({ code: '45000', message: 'Not today.' });
    });

    test('openapi.json describes the rows', async () => {
      const { paths } = (await served.rest('')).body as {
        paths: Readonly<Record<string, { post?: { responses: Readonly<Record<string, unknown>> }; get?: unknown }>>;
      };
      const answer = (name: string) => paths[`/rpc/${name}`]?.post?.responses['200'];
      expect(JSON.stringify(answer('late_orders'))).toContain('Orders.List');
      expect(answer('totals')).toMatchObject({
        content: { 'application/json': { schema: { type: 'array' } } },
      });
      expect(paths['/rpc/totals']?.get).toBeUndefined();
    });

    test('several result sets are a list of their rows, in JSON', async () => {
      const read = await served.rest(`orders?select=${columns}&order=id.desc&total=gte.10`);
      const { data } = read.body as { readonly data: readonly object[] };
      const totals = [
        { customer: 'bob', total: 100, big: '1' },
        { customer: 'ann', total: 21.5, big: '18446744073709551615' },
      ];
      const report = { least: 10, what: 'report' };
      for (const reply of [
        await served.rest('rpc/report', post(report)),
        await fetch(`${served.base}/rest/v1/rpc/report`, post(report)).then(async (each) => ({
          status: each.status,
          text: await each.text(),
        })),
      ]) {
        expect(reply.status).toBe(200);
        // Every digit is kept.
        expect(reply.text).toContain('{"customer":"ann","total":21.50,"big":18446744073709551615}');
        expect((parsed(reply.text) as readonly unknown[]).map((each) => (each as readonly unknown[]).length)).toEqual([
          2, 2, 0,
        ]);
      }
      const [orders] = (await served.rest('rpc/report', post(report))).body as readonly [readonly object[]];
      expect(orders).toEqual(data);
      const document = 'mutation { call$$Report(least: "10", what: "graphql") }';
      const answered = (await ask(document)) as Readonly<Record<string, readonly unknown[]>>;
      const [[first], second, third] = Object.values(answered)[0] as [readonly object[], unknown, unknown];
      expect([first, second, third]).toEqual([expect.objectContaining({ id: 2, state: 'done' }), totals, []]);
      expect(first).not.toHaveProperty('secret');
      const { paths } = (await served.rest('')).body as { readonly paths: Readonly<Record<string, object>> };
      expect(paths).toHaveProperty('/rpc/report');
    });

    test('fewer result sets than are described are an error, and the call is undone', async () => {
      const before = await logged();
      const reply = await served.rest('rpc/doubled_twice', post({ what: 'twice' }));
      expect([reply.status, reply.body]).toMatchObject([500, { code: 'TW500' }]);
      expect(await logged()).toEqual(before);
    });
  });
});

describeMysql('result sets of procedures beside rules', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  let served: ServedMysql;
  let token = '';
  beforeAll(async () => {
    const signed = new SignJWT({}).setProtectedHeader({ alg: 'EdDSA' }).setSubject('ann').setExpirationTime('1h');
    token = await signed.sign(privateKey);
    const environment = {
      APP_REST_POSTGREST: '/rest/v1',
      APP_SECURITY_JWT_ENABLED: 'true',
      APP_SECURITY_AUTH_PUBLIC_KEY: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    };
    served = await serveMysql(environment, '', schema, ({ name }) => {
      const orders = `${name}.orders`;
      const rules = { [orders]: { read: { customer: { eq: { claim: 'userId' } } }, write: false, hide: ['cost'] } };
      return {
        config: {
          'app.rest.procedures': true,
          rules,
          procedures: {
            [`${name}.late_orders`]: { returns: orders },
            [`${name}.many`]: { returns: { n: 'int', m: 'text' } },
            [`${name}.report`]: { returns: [orders, { customer: 'varchar(20)' }] },
          },
        },
      };
    });
  });
  afterAll(() => served.stop());

  const post = (query: string, signed = true) =>
    served.rest(`rpc/late_orders${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(signed ? { authorization: `Bearer ${token}` } : {}) },
      body: '{"least":0}',
    });

  test('rows of a table are those that the identity may read, without hidden columns', async () => {
    expect((await post('?select=id,total')).body).toMatchObject({ data: [{ id: 1 }, { id: 3 }] });
    expect((await post('?select=id', false)).body).toMatchObject({ data: [] });
    const all = await post('');
    expect(all.body).toMatchObject({
      data: [
        { id: 1, secret: 99 },
        { id: 3, secret: 2 },
      ],
    });
    expect(all.text).not.toContain('cost');
    for (const query of ['?select=cost', '?select=id&cost=gt.1', '?select=id&order=cost'])
      expect((await post(query)).status).toBe(403);
    const headers = { authorization: `Bearer ${token}` };
    const ask = async (fields: string) =>
      (await served.ask(`mutation { a: call$$LateOrders(least: "0") { ${fields} } }`, headers)).body;
    expect(await ask('id')).toEqual({ data: { a: [{ id: 1 }, { id: 3 }] } });
    expect(await ask('cost')).toMatchObject({ errors: [{ extensions: { code: 'TW016' } }] });
    const form = await fetch(`${served.base}/rest/v1/rpc/late_orders`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: '{"least":10}',
    });
    const rows = (await form.json()) as readonly object[];
    expect(rows).toMatchObject([{ id: 1 }]);
    expect(rows[0]).not.toHaveProperty('cost');
  });

  test('several result sets have only the rows and columns of a table that the identity may read', async () => {
    for (const path of ['/api/v1', '/rest/v1']) {
      const reply = await fetch(`${served.base}${path}/rpc/report`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: '{"least":0,"what":"x"}',
      });
      const [rows, others] = (await reply.json()) as readonly [readonly object[], readonly object[]];
      expect(rows).toMatchObject([{ id: 3 }, { id: 1 }]);
      for (const row of rows) expect(row).not.toHaveProperty('cost');
      expect(others).toEqual([{ customer: 'bob' }, { customer: 'ann' }]);
    }
  });

  test('rows that do not fit into a packet of the database are an error', async () => {
    const many = (size: number) =>
      served.rest('rpc/many', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ n: 900, size }),
      });
    const { status, body } = await many(10_000);
    expect([status, body]).toMatchObject([
      500,
      { code: 'TW011', hint: expect.stringContaining('max_allowed_packet') as unknown },
    ]);
    expect((await many(7_000)).text.length).toBeGreaterThan(6_000_000);
  });
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
