import { createConnection } from 'mysql2/promise';
import { createOwnMariadb } from '../../test/support/own-mariadb.js';
import { countries, WAREHOUSES, type Sizes } from '../data/schema.js';
import { progress } from '../harness/report.js';

/** The tables of the workloads W1 to W6, with the same rows as in PostgreSQL. */
const schema = (sizes: Sizes): string => `
  create database bench character set utf8mb4 collate utf8mb4_bin;
  use bench;
  set time_zone = '+00:00';
  create table customers (
    id integer primary key auto_increment, name varchar(50) not null, email varchar(50) not null unique, city varchar(50) not null,
    country varchar(2) not null, tier enum('free', 'basic', 'plus', 'business') not null, active tinyint(1) not null,
    credit decimal(12,2) not null, tags json not null, profile json, created_at timestamp not null, key (country, id));
  insert into customers
    select seq, concat('Customer ', seq), concat('customer', seq, '@example.com'), elt(1 + seq % 4, 'Amsterdam', 'Utrecht', 'Delft', 'Leiden'),
      elt(1 + seq % ${countries.length}, '${countries.join("', '")}'), elt(1 + seq % 4, 'free', 'basic', 'plus', 'business'), seq % 3 <> 0,
      (seq % 100000) / 100.0, json_array(concat('tag', seq % 7), concat('tag', 10 + seq % 11)),
      if(seq % 5 <> 0, json_object('language', elt(1 + seq % 3, 'en', 'nl', 'de'), 'visits', seq % 1000, 'address',
        json_object('street', concat(seq, ' Canal Street'), 'zip', concat(lpad(seq, 5, '0'), ' AB'))), null),
      timestamp '2024-01-01 00:00:00' + interval (seq * 17) minute
    from seq_1_to_${sizes.customers};
  create table orders (
    id integer primary key auto_increment, customer_id integer not null, status enum('new', 'paid', 'sent', 'done', 'void', 'held', 'back', 'lost') not null,
    warehouse integer not null, total decimal(10,2) not null, placed_at timestamp not null, key (customer_id, id), key (warehouse, id),
    foreign key (customer_id) references customers (id));
  insert into orders
    select seq, 1 + if(seq % 2 = 0, (seq div 2) % ${sizes.customers / 10}, seq % ${sizes.customers}),
      elt(1 + seq % 8, 'new', 'paid', 'sent', 'done', 'void', 'held', 'back', 'lost'), seq % ${WAREHOUSES}, (seq % 5000) / 100.0,
      timestamp '2024-02-01 00:00:00' + interval seq minute
    from seq_1_to_${sizes.orders};
  create table items (
    id integer primary key auto_increment, order_id integer not null, product varchar(50) not null, quantity integer not null,
    price decimal(10,2) not null, key (order_id, id), foreign key (order_id) references orders (id));
  insert into items
    select seq, 1 + seq % ${sizes.orders}, concat('Product ', seq % 997), 1 + seq % 5, (seq % 9999) / 100.0 from seq_1_to_${sizes.items};
  create table payments (
    id integer primary key auto_increment, order_id integer not null, method enum('card', 'bank', 'cash') not null, amount decimal(10,2) not null,
    reference varchar(50) not null, paid_at timestamp not null, key (order_id, id), foreign key (order_id) references orders (id));
  analyze table customers, orders, items;`;

/** Commits do not wait for the disk, as in the PostgreSQL of the `plain` condition. */
const options = ['--innodb-flush-log-at-trx-commit=0', '--innodb-buffer-pool-size=512M', '--max-connections=300'];

/** Starts a MariaDB with the data, and removes both after the work. */
export async function withMariadb<T>(sizes: Sizes, work: (url: string, pid: number) => Promise<T>): Promise<T> {
  const server = await createOwnMariadb(options);
  try {
    await server.start();
    progress('Creating the data in a MariaDB for this run');
    const connection = await createConnection({ uri: server.url, multipleStatements: true });
    await connection.query(schema(sizes));
    await connection.end();
    return await work(`${server.url}bench`, server.pid());
  } finally {
    await server.remove();
  }
}
