import fc from 'fast-check';
import { cities, names } from './data.js';

type Kind = 'int' | 'bigint' | 'numeric' | 'float' | 'text' | 'date' | 'timestamp' | 'enum' | 'json';

interface Table {
  readonly field: string;
  readonly columns: Readonly<Record<string, Kind>>;
  /** The columns that make an order total. */
  readonly key: readonly string[];
  readonly one: Readonly<Record<string, string>>;
  readonly many: Readonly<Record<string, string>>;
}

const tables: Readonly<Record<string, Table>> = {
  customers: {
    field: '$Customers',
    columns: {
      id: 'int',
      name: 'text',
      city: 'text',
      born: 'date',
      balance: 'numeric',
      score: 'float',
      seen: 'timestamp',
      mood: 'enum',
      data: 'json',
    },
    key: ['id'],
    one: {},
    many: { $Orders: 'orders', $TagsViaCustomerTags: 'tags' },
  },
  orders: {
    field: '$Orders',
    columns: { id: 'bigint', customer_id: 'int', total: 'numeric', placed: 'timestamp', note: 'text' },
    key: ['id'],
    one: { $CustomerId: 'customers' },
    many: { $Items: 'items' },
  },
  items: {
    field: '$Items',
    columns: { order_id: 'bigint', line: 'int', sku: 'text', qty: 'int' },
    key: ['order_id', 'line'],
    one: { $OrderId: 'orders' },
    many: {},
  },
  tags: {
    field: '$Tags',
    columns: { code: 'text', label: 'text' },
    key: ['code'],
    one: {},
    many: { $CustomersViaCustomerTags: 'customers' },
  },
};

const tableOf = (name: string): Table => {
  const table = tables[name];
  if (table === undefined) throw new Error(`there is no table ${name}`);
  return table;
};

const quoted = (text: string): string => JSON.stringify(text);
const some = <T>(list: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...list);
const text = some([...names.map((name) => name.replace("''", "'")), ...cities, 'a', '%', '_', '\\', 'B']).map(quoted);
const day = some(['2000-01-15', '2001-06-30', '2002-12-01']);

function value(kind: Kind): fc.Arbitrary<string> {
  switch (kind) {
    case 'int':
      return fc.integer({ min: -1, max: 31 }).map(String);
    case 'bigint':
      return fc.integer({ min: -1, max: 81 }).map((number) => quoted(String(number)));
    case 'numeric':
      return some(['0', '-3.25', '12.5', '40', '79.99']);
    case 'float':
      return some(['0.5', '3.5', '8']);
    case 'date':
      return day.map(quoted);
    case 'timestamp':
      return day.map((each) => quoted(`${each}T12:00:00Z`));
    case 'enum':
      return some(['fine', 'so_so', 'bad']);
    default:
      return text;
  }
}

const jsonFilter = some([
  '{hasKey: "a"}',
  '{hasKeys: ["a", "b"]}',
  '{hasAnyKeys: ["b", "c"]}',
  '{contains: {a: 1}}',
  '{contains: ["a"]}',
  '{eq: {a: 2}}',
  '{neq: []}',
  '{isNull: true}',
  '{path: "\\u0024.c.d"}',
]);

function condition(kind: Kind): fc.Arbitrary<string> {
  if (kind === 'json') return jsonFilter;
  const one = value(kind);
  const list = fc.array(one, { maxLength: 4 }).map((values) => `[${values.join(', ')}]`);
  const operations = [
    fc.tuple(some(['eq', 'neq', 'isDistinctFrom']), one),
    fc.tuple(some(['in', 'notIn']), list),
    fc.tuple(some(['isNull', 'isNotNull']), fc.constant('true')),
  ];
  if (kind !== 'enum') {
    operations.push(fc.tuple(some(['gt', 'gte', 'lt', 'lte']), one));
    operations.push(
      fc.tuple(
        fc.constant('between'),
        fc.tuple(one, one).map(([low, high]) => `[${low}, ${high}]`),
      ),
    );
  }
  if (kind === 'text') {
    operations.push(
      fc.tuple(some(['contains', 'startsWith', 'endsWith', 'icontains', 'istartsWith', 'iendsWith']), text),
    );
    operations.push(fc.tuple(some(['like', 'ilike']), some(['"a%"', '"%e%"', '"_"', '"B%n"', '"%\\\\%"'])));
    operations.push(
      fc.tuple(some(['regex', 'iregex']), some(['"^[a-c]"', '"n$"'.replace('$', '\\u0024'), '"."', '"^\\u0024"'])),
    );
  }
  return fc.oneof(...operations).map(([operator, operand]) => `{${operator}: ${operand}}`);
}

function where(name: string, depth: number): fc.Arbitrary<string> {
  const table = tableOf(name);
  const column = some(Object.entries(table.columns)).chain(([column_, kind]) =>
    condition(kind).map((each) => `${column_}: ${each}`),
  );
  if (depth === 0) return column.map((each) => `{${each}}`);
  const inner = where(name, depth - 1);
  const parts: fc.Arbitrary<string>[] = [
    column,
    column,
    inner.map((each) => `not: ${each}`),
    fc
      .tuple(some(['and', 'or']), fc.array(inner, { maxLength: 2 }))
      .map(([word, each]) => `${word}: [${each.join(', ')}]`),
  ];
  for (const [relation, other] of Object.entries(table.one))
    parts.push(where(other, depth - 1).map((each) => `${relation}: ${each}`));
  for (const [relation, other] of Object.entries(table.many))
    parts.push(
      fc
        .tuple(some(['some', 'every', 'none']), where(other, depth - 1))
        .map(([word, each]) => `${relation}: {${word}: ${each}}`),
    );
  return fc.oneof(...parts).map((each) => `{${each}}`);
}

const direction = some(['ASC', 'DESC', 'ASC_NULLS_FIRST', 'DESC_NULLS_LAST', 'ASC_NULLS_LAST', 'DESC_NULLS_FIRST']);

function order(name: string): fc.Arbitrary<string> {
  const table = tableOf(name);
  const columns = Object.entries(table.columns).flatMap(([column, kind]) => (kind === 'json' ? [] : [column]));
  const keys: fc.Arbitrary<string>[] = [
    fc.tuple(some(columns), direction).map(([column, way]) => `{${column}: ${way}}`),
  ];
  for (const relation of Object.keys(table.many))
    keys.push(some(['ASC', 'DESC']).map((way) => `{${relation}: {_count: ${way}}}`));
  for (const [relation, other] of Object.entries(table.one))
    keys.push(
      fc.tuple(some(tableOf(other).key), direction).map(([column, way]) => `{${relation}: {${column}: ${way}}}`),
    );
  const last = table.key.map((column) => `{${column}: ASC}`);
  return fc.array(fc.oneof(...keys), { maxLength: 2 }).map((given) => `orderBy: [${[...given, ...last].join(', ')}]`);
}

/** The arguments of a list always give a total order, so that only one answer is correct. */
const listArguments = (name: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      order(name),
      fc.option(where(name, 2).map((each) => `where: ${each}`)),
      fc.option(fc.integer({ min: 0, max: 12 }).map((limit) => `limit: ${String(limit)}`)),
      fc.option(fc.integer({ min: 0, max: 6 }).map((offset) => `offset: ${String(offset)}`)),
    )
    .map((parts) => `(${parts.filter((part) => part !== null).join(', ')})`);

function aggregateOf(name: string): fc.Arbitrary<string> {
  const columns = Object.entries(tableOf(name).columns);
  const numbers = columns.flatMap(([column, kind]) =>
    ['int', 'bigint', 'numeric', 'float'].includes(kind) ? [column] : [],
  );
  const ordered = columns.flatMap(([column, kind]) => (kind === 'json' ? [] : [column]));
  const sums = numbers.length === 0 ? '' : ` sum { ${numbers.join(' ')} }`;
  return some(ordered).map(
    (key) =>
      `(groupBy: [${key}]) { count${sums} min { ${ordered.join(' ')} } max { ${ordered.join(' ')} } countDistinct { ${ordered.join(' ')} } groups { key { ${key} } count } }`,
  );
}

function selection(name: string, depth: number): fc.Arbitrary<string> {
  const table = tableOf(name);
  const columns = fc.subarray(Object.keys(table.columns), { minLength: 1 }).map((each) => each.join(' '));
  if (depth === 0) return columns;
  const parts: fc.Arbitrary<string>[] = [columns];
  for (const [relation, other] of Object.entries(table.one))
    parts.push(
      fc
        .option(selection(other, depth - 1), { nil: undefined })
        .map((each) => (each === undefined ? '' : `${relation} { ${each} }`)),
    );
  for (const [relation, other] of Object.entries(table.many)) {
    parts.push(
      fc
        .option(fc.tuple(listArguments(other), selection(other, depth - 1)), { nil: undefined })
        .map((each) => (each === undefined ? '' : `${relation}${each[0]} { ${each[1]} }`)),
    );
    parts.push(
      fc
        .option(aggregateOf(other), { nil: undefined, freq: 1 })
        .map((each) => (each === undefined ? '' : `${relation}Aggregate${each}`)),
    );
  }
  return fc.tuple(...parts).map((each) => each.join(' '));
}

const list = (name: string): fc.Arbitrary<string> =>
  fc
    .tuple(listArguments(name), selection(name, 2))
    .map(([given, selected]) => `${tableOf(name).field}${given} { ${selected} }`);

const aggregate = (name: string): fc.Arbitrary<string> =>
  aggregateOf(name).map((each) => `${tableOf(name).field}Aggregate${each}`);

const connection = (name: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      order(name),
      fc.option(
        where(name, 1).map((each) => `, where: ${each}`),
        { nil: '' },
      ),
      some(['first', 'last']),
      fc.integer({ min: 0, max: 9 }),
      selection(name, 1),
    )
    .map(
      ([ordered, filter, side, size, selected]) =>
        `${tableOf(name).field}Connection(${ordered}${filter}, ${side}: ${String(size)}) { totalCount nodes { ${selected} } pageInfo { hasNextPage hasPreviousPage } }`,
    );

/** Documents to which both databases have to give the same JSON. */
export const documents: fc.Arbitrary<string> = some(Object.keys(tables))
  .chain((name) => fc.oneof(list(name), list(name), list(name), aggregate(name), connection(name)))
  .map((field) => `{ ${field} }`);
