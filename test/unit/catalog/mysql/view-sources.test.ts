import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { connect, readCatalog, type Catalog, type ViewSource } from '../../../../runtime/src/generator.js';
import { createMysqlDatabase, describeMysql, loadMysql, type MysqlDatabase } from '../../../support/mysql.js';

const tables = `
  create table users (id int primary key, name varchar(40), email varchar(80) unique, meta json, fulltext (name));
  create table orders (
    id int primary key, user_id int, total decimal(10, 2), code varchar(10), made datetime,
    foreign key (user_id) references users (id)
  );
  create table items (order_id int, line int, sku varchar(20), primary key (order_id, line),
    foreign key (order_id) references orders (id));
  create table codes (
    id int primary key, latin varchar(10) character set latin1 collate latin1_bin unique, digits varchar(10) unique,
    bin varchar(10) collate utf8mb4_bin unique, amount decimal(20, 10) unique, d double unique, maybe int unique
  );
  create table kept (id int primary key, x int) with system versioning;
  create table \`we\`\`ird.t"x(\` (\`a\`\`b.c\` int primary key, \`select\` int, \`näme, from\` text);
  create function plus(x int) returns int deterministic no sql return x + 1;
  create aggregate function last_of(x int) returns int
    begin declare t int default 0; declare continue handler for not found return t;
      loop fetch group next row; set t = x; end loop; end;`;

/** Rows that show twice what a key that does not hold would name once. */
const rows = `
  insert into users (id, name, email) values (1, 'a', 'a'), (2, 'a', 'b'), (3, 'x', null), (4, null, null), (5, 'b', 'x');
  insert into orders values (1, 1, 3, 'a', null), (2, 1, 3, 'A', null), (3, 2, 1.5, '1', null), (4, null, 4, 'ä', null), (5, 5, 3, null, null);
  insert into items values (1, 1, 'a'), (1, 2, 'b'), (2, 1, 'a'), (3, 3, null), (5, 1, 'x'), (5, 2, 'y');
  insert into codes values (1, 'a', '1', 'a', 1.5, 1, null), (2, 'A', '01', 'A', 1.5000000001, 2, null), (3, 'b', '1.0', 'ä', 3, 3, 1);
  insert into kept values (1, 1), (2, 2); update kept set x = 3;
  insert into \`we\`\`ird.t"x(\` values (1, 1, 'x'), (2, 1, 'x');`;

/**
 * Each view with its sources: `table(column=its column, …)`, with `!` when each row of the view is
 * one row of the table. A `?` stands where it is, although the reader does not claim it.
 */
const views: Readonly<Record<string, readonly [definition: string, ...sources: string[]]>> = {
  one_table: ['select id, code as caption from orders where id > 0', 'orders(id=id, caption=code)!'],
  case_of_names: ['select O.ID, O.User_Id as UID from orders O', 'orders(ID=id, UID=user_id)!'],
  looked_up: [
    'select o.id, o.user_id, u.name from orders o left join users u on u.id = o.user_id',
    'orders(id=id, user_id=user_id)!',
    'users(name=name)',
  ],
  by_where: [
    'select i.order_id, i.line, o.code from orders o, items i where i.order_id = o.id',
    'orders(code=code)',
    'items(order_id=order_id, line=line)!',
  ],
  three: [
    'select i.order_id, i.line, o.id, u.id as uid from items i join orders o on o.id = i.order_id join users u on u.id = o.user_id',
    'items(order_id=order_id, line=line)!',
    'orders(id=id)',
    'users(uid=id)',
  ],
  four: [
    `select o.id from orders o join users u on u.id = o.user_id join items i on i.order_id = o.id and i.line = 1
     left join codes c on c.id = u.id`,
    'orders(id=id)!',
  ],
  multiplied: [
    'select o.id, i.line from orders o join items i on i.order_id = o.id',
    'orders(id=id)',
    'items(line=line)!',
  ],
  multiplied_outer: [
    'select o.id, i.order_id, i.line from orders o left join items i on i.order_id = o.id',
    'orders(id=id)',
    'items(order_id=order_id, line=line)',
  ],
  turned_round: [
    'select o.id, u.name from users u right join orders o on u.id = o.user_id',
    'orders(id=id)!',
    'users(name=name)',
  ],
  turned_twice: ['select u.id from orders o right join users u on u.id = o.user_id', 'users(id=id)'],
  nested_join: [
    'select o.id, u.id as uid from orders o join (users u left join codes c on c.id = u.id) on u.id = o.user_id',
    'orders(id=id)!',
    'users(uid=id)',
  ],
  nested_outer: [
    'select o.id from orders o left join (items i join users u on u.id = i.line) on o.id = i.order_id and i.line = 1',
    'orders(id=id)!',
  ],
  nested_many: [
    'select o.id from orders o left join (items i join users u on u.id = i.line) on o.id = i.order_id',
    'orders(id=id)',
  ],
  comma_and_outer: [
    'select o.id from orders o, items i left join users u on u.id = i.order_id where i.order_id = o.id',
    'orders(id=id)',
  ],
  on_of_outer_is_no_filter: [
    'select c.id from (codes c join orders o) left join users u on o.id = c.id and u.id = o.user_id',
    'codes(id=id)',
  ],
  crossed: ['select o.id from orders o cross join users u', 'orders(id=id)'],
  by_using: ['select id, name from orders join users using (id)', 'orders(id=id)!', 'users(name=name)!'],
  natural_without_columns: ['select o.id from orders o natural join items i', 'orders(id=id)'],
  straight: [
    'select straight_join high_priority sql_no_cache o.id from orders o straight_join users u on u.id = o.user_id',
    'orders(id=id)!',
  ],
  by_unique: [
    'select o.id, u.name from orders o join users u on u.email = o.code',
    'orders(id=id)!',
    'users(name=name)',
  ],
  by_constant: ['select o.id from orders o join users u where u.id = 3', 'orders(id=id)!'],
  by_text: ["select o.id from orders o join users u on u.email = 'x'", 'orders(id=id)!'],
  by_one_of_two: ['select o.id from orders o join items i on i.line = 1', 'orders(id=id)'],
  by_two: ['select o.id from orders o join items i on (i.line = 1 and (i.order_id = o.id))', 'orders(id=id)!'],
  itself: [
    'select a.id, b.code from orders a left join orders b on b.id = a.user_id',
    'orders(id=id)!',
    'orders(code=code)',
  ],
  itself_by_user: ['select a.id from orders a join orders b on b.user_id = a.user_id', 'orders(id=id)'],
  not_equal: ['select o.id from orders o join users u on u.id >= o.user_id', 'orders(id=id)'],
  null_safe: ['select o.id from orders o join users u on u.email <=> o.made', 'orders(id=id)'],
  null_safe_null: ['select o.id from orders o join codes c on c.maybe <=> null', 'orders(id=id)'],
  either: ['select o.id from orders o join users u on u.id = o.user_id or u.id = 3', 'orders(id=id)'],
  either_and: [
    'select o.id from orders o join users u on u.id = o.user_id and o.total = 3 or o.total = 4',
    'orders(id=id)',
  ],
  exclusive: ['select o.id from orders o join users u on u.id = o.user_id xor o.total = 3', 'orders(id=id)'],
  negated: ['select o.id from orders o join users u on not u.id = o.user_id', 'orders(id=id)'],
  between_and: ['select o.id from orders o join users u on u.email between 0 and u.id = o.user_id', 'orders(id=id)'],
  between_then: [
    'select o.id from orders o join users u on o.id between 1 and 9 and u.id = o.user_id',
    'orders(id=id)!',
  ],
  cases: [
    'select o.id from orders o join users u on case when u.id = o.id and u.id = 2 then 0 else 1 end',
    'orders(id=id)',
  ],
  chained: ['select o.id from orders o join users u where u.id = o.user_id = 0', 'orders(id=id)'],
  sum_of_key: ['select o.id from orders o join users u on u.id = o.user_id + 1', 'orders(id=id)?'],
  text_as_number: ['select o.id from orders o join codes c on c.digits = o.user_id', 'orders(id=id)'],
  text_is_number: ['select o.id from orders o join codes c on c.digits = 1', 'orders(id=id)'],
  other_collation: ['select o.id from orders o join codes c on c.latin = o.code', 'orders(id=id)'],
  finer_collation: ['select o.id from orders o join codes c on c.bin = o.code', 'orders(id=id)?'],
  text_outside_charset: ["select o.id from orders o join codes c on c.bin = 'ä'", 'orders(id=id)?'],
  exact_as_float: ['select a.id from codes a join codes c on c.amount = a.d', 'codes(id=id)?'],
  exact: ['select o.id from orders o join codes c on c.amount = o.total', 'orders(id=id)!'],
  of_a_view: [
    'select v.id, u.name from one_table v join users u on u.id = v.id',
    'one_table(id=id)!',
    'users(name=name)!',
  ],
  of_a_joined_view: [
    'select v.id, v.user_id from looked_up v join looked_up w on w.id = v.id',
    'looked_up(id=id, user_id=user_id)!',
  ],
  of_a_multiplied_view: ['select o.id from orders o join multiplied v on v.id = o.id', 'orders(id=id)'],
  grouped: ['select user_id, count(*) n from orders group by user_id', 'orders(user_id=user_id)'],
  grouped_by_key: ['select id, max(total) m from orders group by id', 'orders(id=id)?'],
  rolled_up: ['select id, count(*) n from orders group by id with rollup', 'orders(id=id)'],
  of_a_grouped_view: ['select v.user_id from grouped v join users u on u.id = v.user_id', 'grouped(user_id=user_id)!'],
  distinct_rows: ['select distinct user_id from orders', 'orders(user_id=user_id)'],
  distinct_keys: ['select distinct id from orders', 'orders(id=id)?'],
  having_some: ['select id from orders having id > 3', 'orders(id=id)?'],
  aggregated: ['select max(id) as id from orders where id < 0'],
  aggregated_beside: ['select id, count(*) n from orders where id < 0', 'orders(id=id)'],
  aggregated_order: ['select id from orders where id < 0 order by count(*)', 'orders(id=id)'],
  aggregated_outside: ['select o.id, (select max(o.total)) m from orders o where o.id < 0', 'orders(id=id)?'],
  aggregated_by_function: ['select id, last_of(id) l from orders where id < 0', 'orders(id=id)?'],
  aggregated_inside: [
    'select o.id, (select count(*) from items i where i.order_id = o.id) n from orders o',
    'orders(id=id)!',
  ],
  by_function: ['select id, plus(id) p from orders', 'orders(id=id)!'],
  windowed: [
    'select id, row_number() over (partition by user_id order by id) n, sum(total) over () s from orders',
    'orders(id=id)!',
  ],
  united: ['select id from orders union all select id from users'],
  cut: ['select id from orders intersect select id from users'],
  less: ['select id from orders except select id from users'],
  valued: ['values (1, 2), (3, 4)'],
  nothing: ['select 1 as one'],
  parenthesised: ['(select id from orders limit 3)'],
  by_cte: ['with c as (select id from orders) select id from c'],
  recursive: ['with recursive r as (select 1 as n union all select n + 1 from r where n < 3) select n from r'],
  of_rows: ['select s.id from (select * from orders) s'],
  beside_rows: [
    'select o.id, o.user_id from orders o join (select 1 as n union all select 2) s',
    'orders(id=id, user_id=user_id)',
  ],
  rows_first: ['select o.id from (select 1 as n union all select 2) s join orders o', 'orders(id=id)'],
  by_json: [`select u.id, j.x from users u, json_table('[1,2]', '$[*]' columns (x int path '$')) j`, 'users(id=id)'],
  sequence: ['select o.id from orders o, seq_1_to_3 s', 'orders(id=id)'],
  history: ['select id from kept for system_time all'],
  current: ['select id from kept', 'kept(id=id)!'],
  hinted: [
    'select o.id from orders o force index for join (primary) join users u use index (primary) on u.id = o.user_id',
    'orders(id=id)!',
  ],
  ordered: ['select id from orders order by total limit 1, 3', 'orders(id=id)!'],
  first_with_ties: ['select id from orders order by total fetch first 2 rows with ties', 'orders(id=id)!'],
  filtered: [
    "select id from orders where user_id in (select id from users where name like 'a%' escape '|') and exists (select 1 from items i join users u)",
    'orders(id=id)!',
  ],
  computed: ["select id + 0 as id, coalesce(code, '') as code, (user_id) as u from orders", 'orders(u=user_id)!'],
  expressions: [
    `select id, cast(name as char(10) charset utf8mb4) c, convert(name using latin1) v, trim(both 'x' from name) t, name collate utf8mb4_bin n,
       match (name) against ('x') as m, x'41' x, b'1' b, -id g, ~id i, id div 2 d, interval(id, 1) iv, date'2020-01-01' dt,
       timestampdiff(day, now(), now()) td, now() + interval 1 day pl, json_value(meta, '$.a') j
     from users`,
    'users(id=id)!',
  ],
  literals: [
    `select id, 'it''s \\\\ "q" \` from \`x\` join (' as l, _utf8mb4'ü' as u, 'nul\\0 line\\n' as z from users where name <> '\\\\'`,
    'users(id=id)!',
  ],
  'hostile `name` "(': [
    'select `a``b.c` as `x`` from ``y`, `select`, `näme, from` as `näme` from `we``ird.t"x(`',
    'we`ird.t"x((x` from `y=a`b.c, select=select, näme=näme, from)!',
  ],
  hostile_alias: [
    'select `o x``y.z (`.id from orders `o x``y.z (` join users o on o.id = `o x``y.z (`.user_id',
    'orders(id=id)!',
  ],
  swapped_alias: [
    'select users.id, orders.id as other from orders users join users orders on orders.id = users.user_id',
    'orders(id=id)!',
    'users(other=id)',
  ],
};

const modes = {
  NO_BACKSLASH_ESCAPES: "select id, '\\' as s from orders where code <> '\\'",
  ANSI_QUOTES: `select "id", 'a"b' as "s" from "orders"`,
  ORACLE: `select "id", 'a' || 'b' as s from "orders"`,
};

const shown = ({ name, columns, from, single }: ViewSource): string =>
  `${name}(${columns.map((column, at) => `${column}=${from[at] ?? ''}`).join(', ')})${single ? '!' : ''}`;

const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

describeMysql('the sources of views on MariaDB', () => {
  let database: MysqlDatabase;
  let catalog: Catalog;

  beforeAll(async () => {
    database = await createMysqlDatabase('view_sources');
    await loadMysql(database.url, tables);
    const definitions = Object.entries(views).map(
      ([name, [definition]]) => `create view ${quoted(name)} as ${definition}`,
    );
    await loadMysql(database.url, `set sql_mode = ''; ${definitions.join(';')}`);
    for (const [mode, definition] of Object.entries(modes))
      await loadMysql(database.url, `set sql_mode = '${mode}'; create view mode_${mode} as ${definition}`);
    await loadMysql(database.url, rows);
    const connection = await connect(database.url);
    catalog = await readCatalog(connection).finally(() => connection.close());
  });

  afterAll(() => database.drop());

  const sourcesOf = (name: string): readonly ViewSource[] =>
    catalog.tables.find((each) => each.name === name)?.sources ?? [];

  test.each(Object.entries(views))('%s', (name, [, ...expected]) => {
    expect(sourcesOf(name).map(shown)).toEqual(expected.map((each) => each.replace('?', '')));
  });

  test('of views that were made in other modes', () => {
    for (const mode of Object.keys(modes))
      expect([mode, sourcesOf(`mode_${mode}`).map(shown)]).toEqual([mode, ['orders(id=id)!']]);
  });

  test('the rows of a view have the keys that are found, and no others', async () => {
    const connection = await createConnection({ uri: database.url, charset: 'utf8mb4' });
    try {
      for (const [name, [, ...expected]] of Object.entries(views)) {
        for (const [at, source] of sourcesOf(name).entries()) {
          const key = catalog.tables.find((each) => each.name === source.name)?.primaryKey?.columns ?? [];
          const columns = key.map((column) => source.columns[source.from.indexOf(column)]);
          if (columns.length === 0 || !columns.every((column) => column !== undefined)) continue;
          const list = columns.map(quoted).join(', ');
          const [[found]] = await connection.query<RowDataPacket[]>(
            `select count(*) as total, count(distinct ${list}) as different from ${quoted(name)}`,
          );
          const holds = Number(found?.['total']) === Number(found?.['different']);
          expect([name, source.name, holds]).toEqual([name, source.name, source.single || expected[at]?.endsWith('?')]);
        }
      }
    } finally {
      await connection.end();
    }
  });
});
