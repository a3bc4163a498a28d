import { describeMysql } from '../../support/mysql.js';
import { onMysql, onPostgres, type OpenRuled, type Ruled } from './support/ruled.js';

const sql = `
  create table orders (id {id}, owner varchar(40) not null, note varchar(40) not null default 'n', cost int not null default 7)`;

const own = { owner: { eq: { claim: 'userId' } } };

/** Hooks give hidden columns values, and owners that the rule refuses. */
const custom = `
  const hooks = {
    beforeInsert: ({ rows }) => rows.map((row) => ({ ...row, cost: 99, ...(row.note === 'give' && { owner: 'bob' }) })),
    beforeUpdate: ({ set }) => ({ ...set, cost: 98, ...(set.note === 'give' && { owner: 'bob' }) }),
    afterInsert: () => undefined,
  };
  export const custom = { hooks: new Proxy({}, { get: (_, name) => (String(name).endsWith('.orders') ? hooks : undefined), ownKeys: () => [] }) };`;

function hooked(open: OpenRuled): void {
  let served: Ruled;
  const ada = { sub: 'ada' };
  beforeAll(async () => {
    served = await open({
      name: 'rules_hooks',
      sql,
      custom,
      rules: (schema) => ({ [`${schema}.orders`]: { read: own, hide: ['cost'] } }),
    });
  });
  afterAll(() => served.stop());

  test('hooks write hidden columns, and answers do not show them', async () => {
    const created = await served.rest(ada, 'POST', 'orders', { owner: 'ada' });
    expect(created).toEqual({ status: 201, body: { id: expect.anything() as unknown, owner: 'ada', note: 'n' } });
    const updated = await served.rest(ada, 'PATCH', 'orders?id=gt.0', { note: 'm' });
    expect(updated).toEqual({ status: 200, body: [{ id: expect.anything() as unknown, owner: 'ada', note: 'm' }] });
    expect(await served.rows('select cost from shop.orders')).toEqual([{ cost: 98 }]);
    expect((await served.rest(ada, 'POST', 'orders', { owner: 'ada', cost: 1 })).status).toBe(403);
    expect((await served.rest(ada, 'POST', 'orders?select=cost', { owner: 'ada' })).status).toBe(403);
    expect(await served.ask(ada, 'mutation { createOrders(input: { owner: "ada" }) { cost } }')).toMatchObject({
      errors: [{ extensions: { code: 'TW016' } }],
    });
  });

  test('rows that hooks change have to match the rule, too', async () => {
    const before = await served.rows('select * from shop.orders');
    expect((await served.rest(ada, 'POST', 'orders', { owner: 'ada', note: 'give' })).status).toBe(403);
    expect((await served.rest(ada, 'PATCH', 'orders?id=gt.0', { note: 'give' })).status).toBe(403);
    expect(await served.rows('select * from shop.orders')).toEqual(before);
  });
}

describe('rules beside hooks on PostgreSQL', () => {
  hooked(onPostgres);
});
describeMysql('rules beside hooks on MariaDB', () => {
  hooked(onMysql);
});
