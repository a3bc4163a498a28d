import { openClinic, seen } from '../../support/doctor.js';

const { examine } = openClinic('rows-on-other-servers');

/** Servers that nobody connects to: only the catalogue is read. */
const servers = `
  create extension if not exists postgres_fdw;
  drop server if exists west cascade; create server west foreign data wrapper postgres_fdw;
  drop server if exists east cascade; create server east foreign data wrapper postgres_fdw;`;

test('a table with foreign partitions at any level, and a foreign table, are named with their servers', async () => {
  const findings = await examine(`${servers}
    create table orders (region text, id int) partition by list (region);
    create table home partition of orders for values in ('home');
    create foreign table west partition of orders for values in ('west') server west;
    create table far partition of orders for values in ('far') partition by range (id);
    create foreign table far_1 partition of far for values from (1) to (9) server east;
    create foreign table logs (line text) server east`);
  const alone = 'a request that writes to several servers is not atomic.';
  expect(seen(findings)).toEqual([
    { severity: 'info', object: 'app.logs', message: `Rows of app.logs are on the server east: ${alone}` },
    {
      severity: 'info',
      object: 'app.orders',
      message: `Rows of app.orders are on the servers east and west: ${alone} Updates cannot change id and region.`,
    },
  ]);
});

test('tables whose rows are all here are fine', async () => {
  const findings = await examine(`${servers}
    create table orders (region text, id int) partition by list (region);
    create table home partition of orders for values in ('home');
    create table plain (id int primary key)`);
  expect(findings).toEqual([]);
});
