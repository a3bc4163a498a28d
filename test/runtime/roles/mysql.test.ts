import { describeMysql } from '../../support/mysql.js';
import { onMysql, type Ruled, type Who } from '../rules/support/ruled.js';

/** MariaDB has no roles of requests: rules alone say what each of them sees. */
describeMysql('roles on MariaDB', () => {
  const clerk: Who = { sub: 'ada', role: 'clerk' };
  const chief: Who = { sub: 'eve', role: 'chief' };
  let served: Ruled;
  beforeAll(async () => {
    served = await onMysql({
      name: 'byrole',
      sql: `create table orders (id {id}, title varchar(40) not null, margin int not null default 1);
        create table payroll (id {id}, wage int not null);
        insert into orders (title) values ('Door'); insert into payroll (wage) values (9)`,
      rules: (schema) => ({
        [`${schema}.orders`]: {
          read: true,
          write: false,
          hide: ['margin'],
          roles: { chief: { write: true, hide: [] } },
        },
        [`${schema}.payroll`]: { read: false, roles: { chief: { read: true } } },
      }),
      roles: ['clerk', 'chief'],
      environment: { APP_SECURITY_SCHEMA_BY_ROLE: 'true' },
    });
  });
  afterAll(() => served.stop());

  test('a role is answered what its rules allow', async () => {
    expect((await served.rest(chief, 'GET', 'orders?select=title,margin')).body).toMatchObject({
      data: [{ title: 'Door', margin: 1 }],
    });
    expect((await served.rest(chief, 'GET', 'payroll?select=wage')).status).toBe(200);
    expect((await served.rest(clerk, 'GET', 'orders?select=title')).body).toMatchObject({ data: [{ title: 'Door' }] });
    expect(await served.rest(clerk, 'GET', 'orders?select=margin')).toMatchObject({
      status: 400,
      body: { code: 'TW002' },
    });
    expect((await served.rest(clerk, 'GET', 'payroll')).status).toBe(404);
    expect((await served.rest(clerk, 'POST', 'orders', { title: 'Gate' })).status).toBe(405);
    expect(JSON.stringify(await served.ask(clerk, '{ orders { margin } }'))).toContain('Cannot query field');
    expect(JSON.stringify(await served.ask(clerk, '{ __schema { types { name } } }'))).not.toMatch(
      /Payroll|OrdersCreate/,
    );
    expect(JSON.stringify(await served.rest(clerk, 'GET', ''))).not.toMatch(/payroll|margin/i);
  });
});
