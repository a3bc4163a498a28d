/**
 * The same tables for both databases: texts compare by their characters, and each type has the same
 * text form.
 */
export const postgresTables = `
create schema shop;
set search_path = shop;
create type mood as enum ('fine', 'so-so', 'bad');
create table customers (id int primary key, name text collate "C" not null, city text collate "C", born date,
  balance numeric(12, 2) not null, score double precision, seen timestamptz, mood mood, data jsonb);
create table orders (id bigint primary key, customer_id int references customers (id), total numeric(12, 2) not null,
  placed timestamp, note text collate "C");
create table items (order_id bigint not null references orders (id), line int not null, sku text collate "C" not null, qty smallint,
  primary key (order_id, line));
create table tags (code varchar(20) collate "C" primary key, label text collate "C");
create table customer_tags (customer_id int not null references customers (id), tag varchar(20) collate "C" not null references tags (code),
  primary key (customer_id, tag));
create table visits (customer_id int references customers (id), page text collate "C", seconds int);
`;

export const mysqlTables = `
set time_zone = '+00:00';
create table customers (id int primary key, name varchar(80) not null, city varchar(80), born date,
  balance decimal(12, 2) not null, score double, seen timestamp(6) null, mood enum('fine', 'so-so', 'bad'), data json)
  collate utf8mb4_nopad_bin;
create table orders (id bigint primary key, customer_id int, total decimal(12, 2) not null, placed datetime(6), note text,
  constraint orders_customer_id_fkey foreign key (customer_id) references customers (id)) collate utf8mb4_nopad_bin;
create table items (order_id bigint not null, line int not null, sku varchar(40) not null, qty smallint, primary key (order_id, line),
  constraint items_order_id_fkey foreign key (order_id) references orders (id)) collate utf8mb4_nopad_bin;
create table tags (code varchar(20) primary key, label varchar(80)) collate utf8mb4_nopad_bin;
create table customer_tags (customer_id int not null, tag varchar(20) not null, primary key (customer_id, tag),
  constraint customer_tags_customer_id_fkey foreign key (customer_id) references customers (id),
  constraint customer_tags_tag_fkey foreign key (tag) references tags (code)) collate utf8mb4_nopad_bin;
create table visits (customer_id int, page varchar(80), seconds int,
  constraint visits_customer_id_fkey foreign key (customer_id) references customers (id)) collate utf8mb4_nopad_bin;
`;

export const names = ['Ann', 'ann', 'Bo', 'Börje', 'Cy %', 'd_e', 'Zoë', '', ' x', "o''clock", '😀'];
export const cities = ['Berlin', 'berlin', 'Ulm', 'Åre', ''];

/**
 * Rows that both databases accept unchanged: the same numbers from a small generator, with nulls
 * and ties.
 */
export function rows(): string {
  let seed = 7;
  const below = (limit: number): number => {
    seed = (seed * 48271) % 2147483647;
    return seed % limit;
  };
  const maybe = (text: string): string => (below(4) === 0 ? 'null' : text);
  const quoted = (list: readonly string[]): string => `'${list[below(list.length)] ?? ''}'`;
  const two = (number: number): string => String(number).padStart(2, '0');
  const date = (): string => `200${String(below(3))}-${two(1 + below(12))}-${two(1 + below(28))}`;
  const time = (): string =>
    `${date()} ${two(below(24))}:${two(below(60))}:00.${['000000', '500000', '123456'][below(3)] ?? ''}`;
  const data = ['{"a": 1, "b": [1, 2]}', '{"a": 2}', '{"c": {"d": "x"}}', '["a", "b"]', '[]', '"a"', 'null', '3'];
  const cents = (): string => `${String(below(100) - 20)}.${two(below(100))}`;
  const list = (count: number, row: (at: number) => string): string =>
    Array.from({ length: count }, (_, at) => row(at)).join(',\n');
  const customers = list(30, (at) => {
    const seen = maybe(`'${time()}'`);
    return `(${String(at)}, ${quoted(names)}, ${maybe(quoted(cities))}, ${maybe(`'${date()}'`)}, ${cents()}, ${maybe(`${String(below(9))}.5`)}, ${seen}, ${maybe(quoted(['fine', 'so-so', 'bad']))}, ${maybe(quoted(data))})`;
  });
  const orders = list(
    80,
    (at) =>
      `(${String(at)}, ${maybe(String(below(30)))}, ${cents()}, ${maybe(`'${time()}'`)}, ${maybe(quoted(names))})`,
  );
  const items = list(
    160,
    (at) => `(${String(at >> 1)}, ${String(at % 2)}, ${quoted(names)}, ${maybe(String(below(9)))})`,
  );
  const tags = list(8, (at) => `('t${String(at)}', ${maybe(quoted(names))})`);
  const customerTags = list(60, (at) => `(${String(at % 30)}, 't${String((at * 5 + (at < 30 ? 0 : 1)) % 8)}')`);
  const visits = list(60, () => `(${maybe(String(below(10)))}, ${maybe(quoted(cities))}, ${maybe(String(below(5)))})`);
  return `
insert into customers values ${customers};
insert into orders values ${orders};
insert into items values ${items};
insert into tags values ${tags};
insert into customer_tags values ${customerTags};
insert into visits values ${visits};
`;
}
