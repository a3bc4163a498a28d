/** A level of a nested read: one row for each row of the level above. */
interface Level {
  /** The name in the answer, which is also REST's name for the table. */
  readonly name: string;
  readonly columns: readonly string[];
  /** GraphQL's name for the relation. */
  readonly field: string;
  readonly table: string;
  /** The join condition between its rows `c` and the rows above, `p`. */
  readonly on: string;
  /** Whether the relation is to many rows, of which the read takes the first, or to one row. */
  readonly many: boolean;
}

const orders: Level = {
  name: 'orders',
  columns: ['id', 'status'],
  field: 'benchOrders',
  table: 'bench.orders',
  on: 'c.customer_id = p.id',
  many: true,
};

/** The levels go down from customers to items by foreign keys, up again, and down once more. */
const below: readonly Level[] = [
  orders,
  {
    name: 'items',
    columns: ['id', 'product'],
    field: 'benchItems',
    table: 'bench.items',
    on: 'c.order_id = p.id',
    many: true,
  },
  {
    name: 'orders',
    columns: ['id', 'total'],
    field: 'benchOrderId',
    table: 'bench.orders',
    on: 'c.id = p.order_id',
    many: false,
  },
  {
    name: 'customers',
    columns: ['id', 'name'],
    field: 'benchCustomerId',
    table: 'bench.customers',
    on: 'c.id = p.customer_id',
    many: false,
  },
  orders,
];

export const depths: readonly number[] = [1, ...below.map((_, at) => at + 2)];

/** The path of the REST request with this number of levels. */
export function nestedRest(levels: number): string {
  const chosen = below.slice(0, levels - 1);
  const select = chosen.reduceRight((inner, { name, columns }) => `,${name}(${columns.join(',')}${inner})`, '');
  const parameters = chosen.flatMap(({ many }, at) => {
    const path = chosen
      .slice(0, at + 1)
      .map(({ name }) => name)
      .join('.');
    return many ? [`&${path}.order=id.asc&${path}.limit=1`] : [];
  });
  return `/customers?select=id,name${select}&order=id.asc&limit=10${parameters.join('')}`;
}

/** The GraphQL document with this number of levels. */
export function nestedGraphql(levels: number): string {
  const inner = below.slice(0, levels - 1).reduceRight((rest, { name, columns, field, many }) => {
    const which = many ? '(orderBy: { id: ASC }, limit: 1)' : '';
    return ` ${name}: ${field}${which} { ${columns.join(' ')}${rest} }`;
  }, '');
  return `{ list: benchCustomers(orderBy: { id: ASC }, limit: 10) { id name${inner} } }`;
}

/** The SQL that returns the list as JSON text, with this number of levels. */
export function nestedSql(levels: number): string {
  const inner = below.slice(0, levels - 1).reduceRight((rest, level, at) => {
    // Each level has its number as its alias; `p` and `c` in `on` stand for the parent and the
    // child.
    const [parent, child] = [`t${at + 1}`, `t${at + 2}`];
    const on = level.on.replace('p.', `${parent}.`).replace('c.', `${child}.`);
    const select = `select ${level.columns.map((column) => `${child}.${column}`).join(', ')}${rest} from ${level.table} ${child} where ${on}`;
    const json = level.many
      ? `(select coalesce(json_agg(r), '[]') from (${select} order by ${child}.id limit 1) r)`
      : `(select row_to_json(r) from (${select}) r)`;
    return `, ${json} as ${level.name}`;
  }, '');
  return `select coalesce(json_agg(t order by id), '[]')::text from (
    select t1.id, t1.name${inner} from bench.customers t1 order by t1.id limit 10) t`;
}
