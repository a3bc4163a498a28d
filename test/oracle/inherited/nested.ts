import { literal } from '../graphql.js';
import type { Heir } from './schema.js';
import type { Row, Twin } from './twin.js';

export const does = ['connect', 'disconnect', 'update', 'delete', 'create', 'upsert', 'connectOrCreate'] as const;

/** A row inside a row: how naive SQL writes what a nested write of GraphQL asks for. */
export interface Nested {
  readonly to: Heir;
  readonly kind: 'one' | 'many';
  readonly does: (typeof does)[number];
  /** The key that names a related row. */
  readonly id: string;
  readonly v: number;
  readonly made: NewRow;
}

export interface NewRow {
  readonly id: number;
  readonly tag: string;
  readonly up_id: number | null;
}

export const refuse = (why: string): never => {
  throw new Error(why);
};

const sqlOf = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : String(value));

export const written = (row: object): { readonly names: string; readonly values: string } => ({
  names: Object.keys(row).join(', '),
  values: Object.values(row).map(sqlOf).join(', '),
});

export const assigned = (row: object): string =>
  Object.entries(row)
    .map(([name, value]) => `${name} = ${sqlOf(value)}`)
    .join(', ');

export function stepOf({ kind, does: step, id, v, made: { id: key, tag } }: Nested): string {
  const [where, data, create] = [`{ id: ${id} }`, `{ v: ${String(v)} }`, literal({ id: key, tag })];
  const isMany = kind === 'many';
  const one = (text: string): string => `${step}: ${isMany ? `[${text}]` : text}`;
  switch (step) {
    case 'connect':
      return one(where);
    case 'disconnect':
    case 'delete':
      return one(isMany ? where : 'true');
    case 'update':
      return one(isMany ? `{ where: ${where}, data: ${data} }` : data);
    case 'create':
      return one(create);
    case 'upsert':
      return one(`{ ${isMany ? `where: ${where}, ` : ''}create: ${create}, update: ${data} }`);
    case 'connectOrCreate':
      return one(`{ where: ${where}, create: ${create} }`);
  }
}

/** All or nothing, as a request is. */
export async function writeInside(twin: Twin, given: Heir, row: Row, write: Nested): Promise<void> {
  await twin.run('begin');
  try {
    await (write.kind === 'one' ? writeTarget(twin, given, row, write) : writeReferring(twin, row, write));
    await twin.run('commit');
  } catch (error) {
    await twin.run('rollback');
    throw error;
  }
}

const set = (twin: Twin, { name }: Heir, tag: string, to: string): Promise<unknown> =>
  twin.run(`update shop.${name} set ${to} where tag = '${tag}'`);

const remove = (twin: Twin, { name }: Heir, tag: string): Promise<unknown> =>
  twin.run(`delete from shop.${name} where tag = '${tag}'`);

function insert(twin: Twin, { name }: Heir, row: NewRow): Promise<unknown> {
  const { names, values } = written(row);
  return twin.run(`insert into shop.${name} (${names}) values (${values})`);
}

/** The row that a foreign key refers to is one of the table itself. */
async function writeTarget(
  twin: Twin,
  given: Heir,
  row: Row,
  { to, does: step, id, v, made }: Nested,
): Promise<unknown> {
  const own = async (key: string): Promise<Row | undefined> => (await twin.rows(to.name, `r.own and r.id = ${key}`))[0];
  const point = (key: string): Promise<unknown> => set(twin, given, row.tag, `up_id = ${key}`);
  const create = async (): Promise<unknown> => {
    await insert(twin, to, made);
    return point(String(made.id));
  };
  const now = row.up_id === null ? undefined : await own(String(row.up_id));
  switch (step) {
    case 'connect':
      return (await own(id)) === undefined ? refuse('no such row') : point(id);
    case 'connectOrCreate':
      return (await own(id)) === undefined ? create() : point(id);
    case 'create':
      return create();
    case 'disconnect':
      return point('null');
    case 'upsert':
      if (row.up_id === null) return create();
      return set(twin, to, now?.tag ?? refuse('hidden'), `v = ${String(v)}`);
    case 'update':
      return set(twin, to, now?.tag ?? refuse('not related'), `v = ${String(v)}`);
    case 'delete':
      if (now === undefined) return refuse('not related');
      await point('null');
      return remove(twin, to, now.tag);
  }
}

async function writeReferring(twin: Twin, row: Row, { to, does: step, id, v, made }: Nested): Promise<unknown> {
  if (!row.own) return refuse('no foreign key refers to the row');
  const named = await twin.rows(to.name, `r.id = ${id}`);
  const related = named.filter((each) => each.up_id === row.id);
  const one = (rows: readonly Row[]): string => (rows.length === 1 ? rows[0]?.tag : undefined) ?? refuse('not one row');
  const create = (): Promise<unknown> => insert(twin, to, { ...made, up_id: row.id });
  const connect = (): Promise<unknown> => set(twin, to, one(named), `up_id = ${String(row.id)}`);
  switch (step) {
    case 'connect':
      return connect();
    case 'connectOrCreate':
      return named.length === 0 ? create() : connect();
    case 'disconnect':
      return set(twin, to, one(related), 'up_id = null');
    case 'update':
      return set(twin, to, one(related), `v = ${String(v)}`);
    case 'upsert':
      if (related.length > 0) return set(twin, to, one(related), `v = ${String(v)}`);
      return named.length > 0 ? refuse('not related') : create();
    case 'delete':
      return remove(twin, to, one(related));
    case 'create':
      return create();
  }
}
