import { graphqlWhere, randomAsked, randomComparisons, type Asked, type Sorting } from './filter.js';
import type { Random } from './random.js';
import type { OracleRequest } from './request.js';
import { referring, without } from './rest.js';
import { randomRow, type OracleColumn, type OracleTable } from './schema.js';

/** Random GraphQL requests: arguments as variables, as literals, or as both in turn. */

type Row = Readonly<Record<string, unknown>>;

/** An argument of a field, with the type of its variable. */
interface Argument {
  readonly name: string;
  readonly type: string;
  readonly value: unknown;
}

interface Root {
  readonly alias: string;
  readonly name: string;
  readonly arguments: readonly Argument[];
  readonly selection: string;
}

const camel = (name: string): string => name.replace(/_(.)/g, (_, first: string) => first.toUpperCase());
const upper = (name: string): string => name.charAt(0).toUpperCase() + camel(name.slice(1));
const fieldOf = (table: string): string => `§${upper(table)}`;
const typeOf = (table: string): string => `§§${upper(table)}`;
/** The relation of a foreign key, in its own table. */
const relationOf = ({ name }: OracleColumn): string => `§${upper(name)}`;

export function graphqlRequest(random: Random, tables: readonly OracleTable[]): OracleRequest {
  const isMutation = random.chance(55);
  const roots = random.times(random.chance(15) ? 2 : 1, (at) =>
    isMutation ? mutation(random, tables, `m${String(at)}`) : query(random, tables, `q${String(at)}`),
  );
  return documentOf(random, isMutation ? 'mutation' : 'query', roots);
}

/** A read that the reference SQL answers, too. */
export function graphqlReference(random: Random, tables: readonly OracleTable[]): OracleRequest {
  const table = random.pick(tables);
  const asked = randomAsked(random, table);
  const root = {
    alias: 'rows',
    name: fieldOf(table.name),
    arguments: listArguments(table, asked),
    selection: '{ id }',
  };
  return { ...documentOf(random, 'query', [root], 0), reference: { table, asked } };
}

/** A subscription, with the columns of a table and the keys of the rows to which it refers. */
export function graphqlSubscription(random: Random, tables: readonly OracleTable[]): string {
  const table = random.pick(tables);
  const name = `${fieldOf(table.name)}Changes`;
  const comparisons = randomComparisons(random, table);
  const filter = listArguments(table, { comparisons, order: [], limit: undefined, offset: undefined });
  const columns = random.shuffled(['id', ...random.some(table.columns.map((column) => column.name))]);
  const forward = table.columns.filter(({ target }) => target !== undefined && random.chance(25)).map(relationOf);
  const selection = `{ operation key data { ${[...columns, ...forward.map((each) => `${each} { id }`)].join(' ')} } }`;
  const root = { alias: 'told', name, arguments: filter, selection };
  return documentOf(random, 'subscription', [root]).body ?? '';
}

function documentOf(
  random: Random,
  operation: 'query' | 'mutation' | 'subscription',
  roots: readonly Root[],
  leftOut = 4,
): OracleRequest {
  const declared: string[] = [];
  const variables: Record<string, unknown> = {};
  const fields = roots.map((root) => {
    const given = root.arguments.map(({ name, type, value }) => {
      if (!random.chance(60)) return `${name}: ${literal(value)}`;
      const variable = `${root.alias}_${name}`;
      declared.push(`$${variable}: ${type}`);
      // A variable that is declared and not given is as if its argument were not there. Without an
      // order, a part of the rows may be any part of them.
      if (!random.chance(leftOut) || name === 'orderBy') variables[variable] = value;
      return `${name}: $${variable}`;
    });
    return `${root.alias}: ${root.name}${given.length === 0 ? '' : `(${given.join(', ')})`} ${root.selection}`;
  });
  const head = declared.length === 0 ? operation : `${operation} (${declared.join(', ')})`;
  return {
    method: 'POST',
    path: '/graphql',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: `${head} { ${fields.join(' ')} }`, variables }),
  };
}

/** Words that GraphQL writes without quotes: directions and names of constraints. */
class Word {
  constructor(readonly text: string) {}

  toJSON(): string {
    return this.text;
  }
}

/** A value as GraphQL writes it. */
export function literal(value: unknown): string {
  if (value instanceof Word) return value.text;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, member]) => `${name}: ${literal(member)}`)
    .join(', ')}}`;
}

function listArguments(table: OracleTable, { comparisons, order, limit, offset }: Asked): readonly Argument[] {
  const type = typeOf(table.name);
  return [
    ...(comparisons.length === 0
      ? []
      : [{ name: 'where', type: `${type}WhereInput`, value: graphqlWhere(comparisons) }]),
    ...(order.length === 0
      ? []
      : [
          {
            name: 'orderBy',
            type: `[${type}OrderByInput!]`,
            value: order.map((each) => ({ [each.column]: direction(each) })),
          },
        ]),
    ...(limit === undefined ? [] : [{ name: 'limit', type: 'Int', value: limit }]),
    ...(offset === undefined ? [] : [{ name: 'offset', type: 'Int', value: offset }]),
  ];
}

const direction = ({ descending, nullsFirst }: Sorting): Word =>
  new Word(`${descending ? 'DESC' : 'ASC'}_NULLS_${nullsFirst ? 'FIRST' : 'LAST'}`);

function selectionOf(random: Random, tables: readonly OracleTable[], table: OracleTable): string {
  const columns = random.shuffled(['id', ...random.some(table.columns.map(({ name }) => name))]);
  const forward = table.columns.filter(({ target }) => target !== undefined && random.chance(25));
  const backward = referring(tables, table).filter(() => random.chance(25));
  const related = [...forward.map(relationOf), ...backward.map(fieldOf)].map((name) => `${name} { id }`);
  return `{ ${[...columns, ...related].join(' ')} }`;
}

function query(random: Random, tables: readonly OracleTable[], alias: string): Root {
  const table = random.pick(tables);
  const asked = randomAsked(random, table);
  const all = listArguments(table, asked);
  const name = fieldOf(table.name);
  const selection = selectionOf(random, tables, table);
  const kind = random.below(10);
  if (kind < 5) return { alias, name, arguments: all, selection };
  if (kind < 6) {
    const id = { name: 'id', type: 'Int!', value: random.below(20) };
    return { alias, name: `${name}ByPk`, arguments: [id], selection };
  }
  const filtered = all.filter((each) => each.name === 'where' || (kind < 8 && each.name === 'orderBy'));
  if (kind < 8) {
    const first = { name: 'first', type: 'Int', value: 1 + random.below(5) };
    const total = random.chance(40) ? 'totalCount ' : '';
    const shown = `{ ${total}nodes ${selection} pageInfo { hasNextPage hasPreviousPage endCursor } }`;
    return { alias, name: `${name}Connection`, arguments: [...filtered, first], selection: shown };
  }
  return {
    alias,
    name: `${name}Aggregate`,
    arguments: filtered,
    selection: '{ count min { id } max { id } sum { id } }',
  };
}

function mutation(random: Random, tables: readonly OracleTable[], alias: string): Root {
  const table = random.pick(tables);
  const type = typeOf(table.name);
  const selection = selectionOf(random, tables, table);
  const kind = random.below(10);
  const conflict = random.chance(30) ? conflictOf(random, table) : [];
  if (kind < 2) {
    const input = { name: 'input', type: `${type}CreateInput!`, value: randomRow(random, table) };
    return { alias, name: `create${type}`, arguments: [input, ...conflict], selection };
  }
  if (kind < 4) {
    const input = { name: 'input', type: `${type}CreateInput!`, value: created(random, tables, table) };
    return { alias, name: `create${type}`, arguments: [input], selection };
  }
  if (kind < 7) {
    const value = random.times(random.below(4), () => randomRow(random, table, random.pick([30, 60, 95])));
    const inputs = { name: 'inputs', type: `[${type}CreateInput!]!`, value };
    return { alias, name: `createMany${type}`, arguments: [inputs, ...conflict], selection };
  }
  const atMost = random.chance(15) ? [{ name: 'atMost', type: 'Int', value: random.below(4) }] : [];
  if (kind < 8) return { alias, name: `delete${type}`, arguments: [whichOf(random, table), ...atMost], selection };
  const changesRelated = random.chance(45);
  const which = changesRelated ? { name: 'id', type: 'Int', value: 1 + random.below(15) } : whichOf(random, table);
  const values = without(randomRow(random, table, 30), 'id');
  const value = changesRelated ? { ...values, ...changed(random, tables, table) } : values;
  const input = { name: 'input', type: `${type}UpdateInput!`, value };
  const number = table.columns.find(({ kind: of, name }) => of === 'int' && !Object.hasOwn(value, name));
  const inc =
    number !== undefined && random.chance(20)
      ? [{ name: 'inc', type: `${type}IncInput`, value: { [number.name]: 1 + random.below(3) } }]
      : [];
  return { alias, name: `update${type}`, arguments: [which, input, ...inc, ...atMost], selection };
}

const whichOf = (random: Random, table: OracleTable): Argument => ({
  name: 'where',
  type: `${typeOf(table.name)}WhereInput`,
  value: random.chance(25) ? { id: { gt: 40 } } : graphqlWhere(randomComparisons(random, table, 1)),
});

function conflictOf(random: Random, table: OracleTable): readonly Argument[] {
  const unique = table.columns.filter((column) => column.unique).map(({ name }) => `${table.name}_${name}_key`);
  const constraint = new Word(random.pick([`${table.name}_pkey`, ...unique]));
  const columns = table.columns.map(({ name }) => new Word(name));
  const update = random.chance(60) ? { updateColumns: random.chance(80) ? random.some(columns) : [] } : {};
  return [{ name: 'onConflict', type: `${typeOf(table.name)}OnConflict`, value: { constraint, ...update } }];
}

/** A new row with rows of the tables that refer to it, and with the row that it refers to. */
function created(random: Random, tables: readonly OracleTable[], table: OracleTable): Row {
  const row: Record<string, unknown> = { ...randomRow(random, table) };
  for (const name of referring(tables, table)) {
    const other = tables.find((each) => each.name === name);
    if (other === undefined || random.chance(40)) continue;
    const rows = random.times(random.below(3), () => without(randomRow(random, other), `${table.name}_id`));
    const connect = random.chance(30) ? { connect: [{ id: 1 + random.below(10) }] } : {};
    row[fieldOf(name)] = { ...(random.chance(80) ? { data: rows } : {}), ...connect };
  }
  for (const column of table.columns) {
    const pointed = tables.find(({ name }) => name === column.target);
    if (pointed === undefined || random.chance(40)) continue;
    Reflect.deleteProperty(row, column.name);
    const id = { id: 1 + random.below(10) };
    row[relationOf(column)] = random.pick<Row>([
      { data: randomRow(random, pointed) },
      { connect: id },
      { connectOrCreate: { where: id, create: randomRow(random, pointed) } },
    ]);
  }
  return row;
}

/** Changes of related rows. */
function changed(random: Random, tables: readonly OracleTable[], table: OracleTable): Row {
  const row: Record<string, unknown> = {};
  for (const name of referring(tables, table)) {
    const other = tables.find((each) => each.name === name);
    if (other === undefined || random.chance(40)) continue;
    const fresh = (): Row => without(randomRow(random, other), `${table.name}_id`);
    const id = (): Row => ({ id: 1 + random.below(12) });
    const all: Row = {
      disconnect: [id()],
      delete: [id()],
      update: [{ where: id(), data: without(fresh(), 'id') }],
      upsert: [{ where: id(), create: fresh(), update: without(fresh(), 'id') }],
      connect: [id()],
      connectOrCreate: [{ where: id(), create: fresh() }],
      create: [fresh()],
    };
    row[fieldOf(name)] = Object.fromEntries(random.some(Object.entries(all), 20));
  }
  for (const column of table.columns) {
    const pointed = tables.find(({ name }) => name === column.target);
    if (pointed === undefined || random.chance(50)) continue;
    row[relationOf(column)] = random.pick<Row>([
      { connect: { id: 1 + random.below(10) } },
      { create: randomRow(random, pointed) },
      { update: without(randomRow(random, pointed, 40), 'id') },
      { disconnect: true },
    ]);
  }
  return row;
}
