import { randomAsked, randomComparisons, restComparisons, restFilter } from './filter.js';
import type { Random } from './random.js';
import type { OracleRequest } from './request.js';
import { randomRow, type DatabaseName, type OracleTable } from './schema.js';

/** Random requests of both forms of REST. */

const mounts = ['/api/v1', '/rest/v1'];
const json = 'application/json';
const single = 'application/vnd.pgrst.object+json';

export function restRequest(random: Random, tables: readonly OracleTable[], database: DatabaseName): OracleRequest {
  const mount = random.pick(mounts);
  const kind = random.below(100);
  if (kind < 12) return simpleRead(random, tables, mount);
  if (kind < 32) return read(random, tables, mount);
  if (kind < 62) return insert(random, tables, mount);
  if (kind < 78) return change(random, tables, mount);
  if (kind < 84) return remove(random, tables, mount);
  if (kind < 90) return replace(random, tables, mount);
  return call(random, mount, database);
}

/** A read that the reference SQL answers, too. */
function simpleRead(random: Random, tables: readonly OracleTable[], mount: string): OracleRequest {
  const table = random.pick(tables);
  const asked = randomAsked(random, table);
  return {
    method: 'GET',
    path: `${mount}/${table.name}?${['select=id', ...restFilter(asked)].join('&')}`,
    headers: {},
    reference: { table, asked },
  };
}

function read(random: Random, tables: readonly OracleTable[], mount: string): OracleRequest {
  const table = random.pick(tables);
  const asked = randomAsked(random, table);
  const parameters = [
    ...(random.chance(70) ? [selectOf(random, tables, table)] : []),
    ...restFilter(asked),
    ...(random.chance(10) ? [`or=(id.eq.${String(random.below(9))},id.gt.${String(random.below(30))})`] : []),
    ...(random.chance(4) ? ['nonsense=eq.1'] : []),
  ];
  const prefer = random.chance(25)
    ? [random.pick(['count=exact', 'handling=strict', 'handling=strict, nonsense'])]
    : [];
  return {
    method: random.chance(94) ? 'GET' : 'HEAD',
    path: `${mount}/${table.name}?${parameters.join('&')}`,
    headers: {
      ...acceptOf(random),
      ...preferOf(prefer),
      ...(asked.order.length > 0 && random.chance(10) ? { range: '1-3' } : {}),
    },
  };
}

function selectOf(random: Random, tables: readonly OracleTable[], table: OracleTable): string {
  const columns = random.shuffled(['id', ...random.some(table.columns.map(({ name }) => name))]);
  const aliased = columns.map((name) => (random.chance(8) ? `other_${name}:${name}` : name));
  const related = [...table.columns.flatMap(({ target }) => target ?? []), ...referring(tables, table)];
  const embedded = random.chance(35) && related.length > 0 ? [`${random.pick(related)}(id)`] : [];
  return `select=${[...aliased, ...embedded].join(',')}`;
}

/** The tables that refer to a table. */
export const referring = (tables: readonly OracleTable[], { name }: OracleTable): readonly string[] =>
  tables.filter(({ columns }) => columns.some(({ target }) => target === name)).map((table) => table.name);

function acceptOf(random: Random): Readonly<Record<string, string>> {
  if (random.chance(80)) return {};
  return { accept: random.pick([json, 'text/csv', single, '*/*']) };
}

const preferOf = (tokens: readonly string[]): Readonly<Record<string, string>> =>
  tokens.length === 0 ? {} : { prefer: tokens.join(', ') };

function writePrefer(random: Random): readonly string[] {
  return [
    ...(random.chance(75)
      ? [`return=${random.pick(['representation', 'representation', 'minimal', 'headers-only'])}`]
      : []),
    ...(random.chance(35) ? [`missing=${random.pick(['default', 'null'])}`] : []),
    ...(random.chance(8) ? ['tx=rollback'] : []),
    ...(random.chance(10) ? [`handling=strict, max-affected=${String(random.below(4))}`] : []),
    ...(random.chance(4) ? ['count=exact'] : []),
  ];
}

function insert(random: Random, tables: readonly OracleTable[], mount: string): OracleRequest {
  const table = random.pick(tables);
  const isMerge = random.chance(35);
  const parameters = [
    ...(random.chance(25) ? [`columns=${columnsOf(random, table)}`] : []),
    ...(random.chance(50) ? [selectOf(random, tables, table)] : []),
    ...(isMerge && random.chance(40) ? [`on_conflict=${conflictOf(random, table)}`] : []),
  ];
  const prefer = [
    ...writePrefer(random),
    ...(isMerge ? [`resolution=${random.pick(['merge-duplicates', 'ignore-duplicates'])}`] : []),
  ];
  const path = `${mount}/${table.name}?${parameters.join('&')}`;
  const headers = { 'content-type': json, ...acceptOf(random), ...preferOf(random.shuffled(prefer)) };
  if (!isMerge && random.chance(12)) return { method: 'POST', path, headers, body: nested(random, tables, table) };
  if (random.chance(6))
    return { method: 'POST', path, headers: { ...headers, 'content-type': 'text/csv' }, body: csv(random, table) };
  const body = random.chance(40)
    ? randomRow(random, table)
    : random.times(random.below(4), () => randomRow(random, table, random.pick([30, 60, 95])));
  return { method: 'POST', path, headers, body: JSON.stringify(body) };
}

/** A row with rows of tables that refer to it, or with the row to which it refers. */
function nested(random: Random, tables: readonly OracleTable[], table: OracleTable): string {
  const row: Record<string, unknown> = { ...randomRow(random, table) };
  for (const name of referring(tables, table)) {
    const other = tables.find((each) => each.name === name);
    if (other === undefined || random.chance(40)) continue;
    row[name] = { data: random.times(random.below(3), () => without(randomRow(random, other), `${table.name}_id`)) };
  }
  const target = table.columns.find((column) => column.target !== undefined)?.target;
  const pointed = tables.find(({ name }) => name === target);
  if (pointed !== undefined && random.chance(60)) {
    Reflect.deleteProperty(row, `${pointed.name}_id`);
    row[pointed.name] = random.chance(50)
      ? { data: randomRow(random, pointed) }
      : { connect: { id: 1 + random.below(10) } };
  }
  return JSON.stringify(row);
}

export const without = (row: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(row).filter(([key]) => key !== name));

function csv(random: Random, table: OracleTable): string {
  const columns = random.some(table.columns.filter(({ kind }) => kind === 'int' || kind === 'text'));
  const row = (): string => columns.map(() => random.pick(['1', '2', '', '""', 'NULL'])).join(',');
  return [columns.map(({ name }) => name).join(','), ...random.times(1 + random.below(3), row)].join('\n');
}

const columnsOf = (random: Random, table: OracleTable): string =>
  random.some(['id', ...table.columns.map(({ name }) => name)], 55).join(',');

const conflictOf = (random: Random, table: OracleTable): string =>
  random.pick([
    'id',
    ...table.columns.filter(({ unique }) => unique).map(({ name }) => name),
    random.pick(table.columns).name,
  ]);

function change(random: Random, tables: readonly OracleTable[], mount: string): OracleRequest {
  const table = random.pick(tables);
  const parameters = [
    ...restComparisons(randomComparisons(random, table, 1)),
    ...(random.chance(30) ? [`columns=${columnsOf(random, table)}`] : []),
    ...(random.chance(40) ? [selectOf(random, tables, table)] : []),
  ];
  const changes = without(randomRow(random, table, 35), 'id');
  return {
    method: 'PATCH',
    path: `${mount}/${table.name}?${parameters.join('&')}`,
    headers: { 'content-type': json, ...acceptOf(random), ...preferOf(random.shuffled(writePrefer(random))) },
    body: JSON.stringify(changes),
  };
}

function remove(random: Random, tables: readonly OracleTable[], mount: string): OracleRequest {
  const table = random.pick(tables);
  const filters = random.chance(30) ? ['id=gt.40'] : restComparisons(randomComparisons(random, table, 1));
  const select = random.chance(40) ? [selectOf(random, tables, table)] : [];
  return {
    method: 'DELETE',
    path: `${mount}/${table.name}?${[...filters, ...select].join('&')}`,
    headers: { ...acceptOf(random), ...preferOf(writePrefer(random)) },
  };
}

function replace(random: Random, tables: readonly OracleTable[], mount: string): OracleRequest {
  const table = random.pick(tables);
  const id = 1 + random.below(25);
  const row = randomRow(random, table, random.chance(80) ? 100 : 70);
  return {
    method: 'PUT',
    path: `${mount}/${table.name}?id=eq.${String(id)}`,
    headers: { 'content-type': json, ...acceptOf(random), ...preferOf(writePrefer(random)) },
    body: JSON.stringify({ ...row, id }),
  };
}

function call(random: Random, mount: string, database: DatabaseName): OracleRequest {
  const x = random.below(40);
  const lowest = 10 + random.below(40);
  const [name, given] =
    database === 'mariadb'
      ? (['total', { x, y: 3 }] as const)
      : random.pick([
          ['total', { x }] as const,
          ['total', { x, y: 3 }] as const,
          ['alphas', { lowest }] as const,
          ['alphas', {}] as const,
          ['forget', { lowest }] as const,
        ]);
  const query = Object.entries(given).map(([key, value]) => `${key}=${String(value)}`);
  const filter = name === 'alphas' && random.chance(50) ? ['select=id', 'order=id.desc', 'limit=3'] : [];
  if (random.chance(30))
    return {
      method: 'GET',
      path: `${mount}/rpc/${name}?${[...query, ...filter].join('&')}`,
      headers: acceptOf(random),
    };
  return {
    method: 'POST',
    path: `${mount}/rpc/${name}?${filter.join('&')}`,
    headers: { 'content-type': json, ...acceptOf(random), ...preferOf(random.chance(30) ? writePrefer(random) : []) },
    body: JSON.stringify(given),
  };
}
