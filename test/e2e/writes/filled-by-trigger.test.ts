import { describeMysql } from '../../support/mysql.js';
import { serveDatabase } from '../../support/served-database.js';
import { serveMysql } from '../mysql/served.js';

/** Columns that are NOT NULL without a default, and that a trigger fills. */
const tables = `
  create table customers (id int primary key, code varchar(20) not null);
  create table orders (id int primary key, number varchar(20) not null, note varchar(20) not null,
    customer int, foreign key (customer) references customers (id));
  create view some_orders as select id, number, note, customer from orders;`;

/** Opens a database with the tables and their triggers, and its server. */
type Open = () => Promise<{ readonly base: string; readonly stop: () => Promise<void> }>;

const configurationOf = (schema: string): object => ({
  names: { schemaPrefix: 'never', relations: 'simple' },
  optional: [`${schema}.orders.number`, `${schema}.customers.*`],
  'app.rest.postgrest': '/rest/v1',
});

const onPostgres: Open = async () => {
  const triggers = `
    create function number() returns trigger language plpgsql as $$ begin new.number = coalesce(new.number, 'N' || new.id); return new; end $$;
    create function code() returns trigger language plpgsql as $$ begin new.code = coalesce(new.code, 'C' || new.id); return new; end $$;
    create trigger fill before insert on orders for each row execute function number();
    create trigger fill before insert on customers for each row execute function code();`;
  const served = await serveDatabase('filled', [tables, triggers], configurationOf('public'));
  return { base: served.server.base, stop: () => served.stop() };
};

const onMariadb: Open = () => {
  const triggers = `
    create trigger number before insert on orders for each row set new.number = coalesce(new.number, concat('N', new.id));
    create trigger code before insert on customers for each row set new.code = coalesce(new.code, concat('C', new.id));`;
  return serveMysql({}, triggers, tables, ({ name }) => ({ config: configurationOf(name) }));
};

describe.each([
  ['PostgreSQL', describe, onPostgres],
  ['MariaDB', describeMysql, onMariadb],
] as const)('on %s', (_, describeHere, open) => {
  describeHere('columns that a trigger fills', () => {
    let server: Awaited<ReturnType<Open>>;
    beforeAll(async () => {
      server = await open();
    });
    afterAll(() => server.stop());

    const ask = async (query: string): Promise<unknown> => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${server.base}/graphql`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ query }),
      });
      return answer.json();
    };
    const post = async (path: string, body: unknown, prefer = ''): Promise<unknown> => {
      const headers = { 'content-type': 'application/json', prefer: `return=representation,${prefer}` };
      return (await fetch(server.base + path, { method: 'POST', headers, body: JSON.stringify(body) })).json();
    };

    test('a new row may lack them over GraphQL, alone, among others and inside another row', async () => {
      expect(
        await ask(`mutation {
          createOrders(input: {id: 1, note: "a"}) { number }
          createManyOrders(inputs: [{id: 2, note: "b"}, {id: 3, number: "own", note: "c"}]) { number }
          createCustomers(input: {id: 1, orders: {data: [{id: 4, note: "d"}]}}) { code orders { number } }
        }`),
      ).toEqual({
        data: {
          createOrders: { number: 'N1' },
          createManyOrders: [{ number: 'N2' }, { number: 'own' }],
          createCustomers: { code: 'C1', orders: [{ number: 'N4' }] },
        },
      });
    });

    test.each([
      ['/api/v1/orders', 10],
      ['/rest/v1/orders', 20],
      ['/api/v1/some_orders', 30],
      ['/rest/v1/some_orders', 40],
    ])('and in lists of %s, also of a merge into a table', async (path, first) => {
      const given = [
        { id: first, note: 'a' },
        { id: first + 1, note: 'b' },
      ];
      const made = [{ number: `N${String(first)}` }, { number: `N${String(first + 1)}` }];
      expect(await post(`${path}?select=number`, given)).toEqual(made);
      if (path.endsWith('/some_orders')) return;
      const merge = await post(`${path}?select=number`, given, 'resolution=merge-duplicates');
      expect(merge).toEqual(made);
    });

    test('what is not named is required', async () => {
      expect(await ask('mutation { createOrders(input: {id: 99}) { id } }')).toMatchObject({
        errors: [{ message: expect.stringContaining('OrdersCreateInput.note') as string }],
      });
      const document = (await (await fetch(`${server.base}/api/v1/`)).json()) as {
        readonly components: { readonly schemas: Readonly<Record<string, { readonly required?: readonly string[] }>> };
      };
      const required = Object.entries(document.components.schemas).filter(([schema]) =>
        /^Orders.*(Create|Insert|New)/.test(schema),
      );
      expect(required.map(([, { required: names }]) => names)).toContainEqual(['id', 'note']);
    });
  });
});
