/**
 * The tables that both databases have, with the same rows, and the parts of them that documents may
 * use.
 */

export type Kind = 'int' | 'text' | 'numeric' | 'date' | 'timestamp' | 'enum' | 'json' | 'float' | 'boolean';

export interface Table {
  readonly name: string;
  readonly columns: Readonly<Record<string, Kind>>;
  readonly key: readonly string[];
  /** Its column for full-text search, which the databases show differently. */
  readonly searched?: string;
  /** The target table by field name without its prefix. */
  readonly relations: Readonly<Record<string, { readonly table: string; readonly many: boolean }>>;
}

export const tables: Readonly<Record<string, Table>> = {
  customers: {
    name: 'customers',
    columns: {
      id: 'int',
      name: 'text',
      city: 'text',
      rating: 'int',
      balance: 'numeric',
      score: 'float',
      joined: 'date',
      seen: 'timestamp',
      settings: 'json',
      active: 'boolean',
      trusted: 'boolean',
    },
    key: ['id'],
    relations: { Orders: { table: 'orders', many: true } },
  },
  orders: {
    name: 'orders',
    columns: { id: 'int', customer_id: 'int', status: 'enum', total: 'numeric', placed: 'date', note: 'text' },
    key: ['id'],
    searched: 'words',
    relations: { CustomerId: { table: 'customers', many: false }, Items: { table: 'items', many: true } },
  },
  items: {
    name: 'items',
    columns: { order_id: 'int', line: 'int', sku: 'text', quantity: 'int', price: 'numeric', sent: 'boolean' },
    key: ['order_id', 'line'],
    relations: { OrderId: { table: 'orders', many: false } },
  },
};

/** Values that occur in rows and in conditions of documents. */
export const pools: Readonly<Record<Exclude<Kind, 'json'>, readonly string[]>> = {
  int: ['0', '1', '2', '3', '5', '-4', '12'],
  text: ['Ann', 'ann', 'Änn', 'b_%', '', 'B\\x', "O'Neil", '日本', ' two ', 'a"q"'],
  numeric: ['0', '10.50', '-3.25', '9999999.99', '0.10', '7'],
  float: ['0', '1.5', '-2.25', '1000'],
  date: ['2024-01-01', '2024-02-29', '1999-12-31'],
  timestamp: ['2024-01-01T00:00:00', '2024-02-29T12:34:56.789', '1999-12-31T23:59:59.000001'],
  enum: ['open', 'paid', 'lost'],
  boolean: ['true', 'false'],
};

/** Words that are their own stems. */
export const words = ['fox', 'river', 'amber', 'copper', 'wolf', 'mint'];

const documents = [
  'fox river',
  'river fox',
  'The fox, the wolf; mint & copper!',
  'amber',
  'AMBER (wolf) fox, river',
  'copper mint copper',
  'of the',
  '',
  "wolf's river: amber, copper",
  'mint fox river amber wolf copper',
];

const jsons = [
  '{"a": 1, "tags": ["x", "y"]}',
  '[1, 2.50, null]',
  '"text"',
  '{}',
  '{"b": {"c": "é"}}',
  '12345678901234567890',
];

/** MariaDB stores truth values as numbers, and numbers other than 1 are true, too. */
export const otherTruths = `update customers set active = 2 where active and id % 2 = 0; update customers set trusted = -3 where trusted and id % 3 = 0;
  update items set sent = 100 where sent and line = 2;`;

/** The statements that create the tables. `text` and the others are type names of the database. */
export function schemaSql(
  at: (name: string) => string,
  types: Readonly<Record<'text' | 'json' | 'timestamp' | 'double' | 'status' | 'words', string>>,
  document: (text: string) => string,
): string {
  return `
    create table ${at('customers')} (
      id integer primary key, name ${types.text} not null, city ${types.text}, rating integer,
      balance numeric(12, 2) not null, score ${types.double}, joined date, seen ${types.timestamp}, settings ${types.json},
      active boolean, trusted boolean not null);
    create table ${at('orders')} (
      id integer primary key, customer_id integer, status ${types.status} not null, total numeric(12, 2) not null,
      placed date, note ${types.text}, ${types.words},
      constraint orders_customer foreign key (customer_id) references ${at('customers')} (id));
    create table ${at('items')} (
      order_id integer not null, line integer not null, sku ${types.text} not null, quantity integer,
      price numeric(12, 2), sent boolean, primary key (order_id, line),
      constraint items_order foreign key (order_id) references ${at('orders')} (id));
    ${rowsSql(at, document)}`;
}

function rowsSql(at: (name: string) => string, document: (text: string) => string): string {
  const pick = <T>(all: readonly T[], seed: number): T | undefined =>
    all[((seed % all.length) + all.length) % all.length];
  const literal = (text: string | undefined): string =>
    text === undefined ? 'null' : `'${text.replaceAll("'", "''")}'`;
  /** One value in `nulls` is null. */
  const value = (kind: Kind, seed: number, nulls = 0): string => {
    if (nulls > 0 && seed % nulls === 0) return 'null';
    const at = seed * 7 + Math.floor(seed / 3);
    if (kind === 'boolean') return pick(pools.boolean, at) ?? 'null';
    return literal(pick(kind === 'json' ? jsons : pools[kind], at));
  };
  const numbered = (count: number, row: (n: number) => readonly string[]): string =>
    Array.from({ length: count }, (_, n) => `(${row(n + 1).join(', ')})`).join(', ');
  const customers = numbered(14, (n) => [
    ...[String(n), value('text', n), value('text', n + 2, 3), value('int', n, 4), value('numeric', n)],
    ...[value('float', n, 5), value('date', n, 3), value('timestamp', n, 4), value('json', n, 6)],
    ...[value('boolean', n, 5), value('boolean', n % 4 === 0 ? 1 : 0)],
  ]);
  const orders = numbered(40, (n) => [
    ...[String(n), n % 9 === 0 ? 'null' : String((n % 11) + 1), value('enum', n), value('numeric', n + 1)],
    ...[value('date', n, 4), value('text', n, 2)],
    n % 7 === 0 ? 'null' : document(literal(pick(documents, n))),
  ]);
  const items = numbered(90, (n) => [
    ...[String((n % 30) + 1), String(Math.floor((n - 1) / 30) + 1), value('text', n), value('int', n, 5)],
    ...[value('numeric', n, 7), value('boolean', n, 4)],
  ]);
  return `insert into ${at('customers')} values ${customers};
    insert into ${at('orders')} values ${orders};
    insert into ${at('items')} values ${items};`;
}
