import type { Random } from '../random.js';
import {
  callers,
  effectOf,
  hides,
  kept,
  shown,
  viewOf,
  type Caller,
  type Effect,
  type ModelWrite,
  type Row,
  type Select,
  type TableName,
  type TenantModel,
} from './model.js';

export const forms = ['/api/v1', '/rest/v1'] as const;
type Form = (typeof forms)[number];
type Accept = 'application/json' | 'application/vnd.pgrst.object+json' | 'text/csv';

/** A tag, and the bytes that it stands for. */
export interface Tag {
  readonly etag: string;
  readonly form: Form;
  /** A row and its list are read as JSON by the same writers. */
  readonly isCsv: boolean;
  /** What the row was, by the columns that were read. */
  readonly view: string;
}

export interface Read {
  readonly tenant: number;
  readonly table: TableName;
  readonly id: number;
  readonly caller: Caller;
  readonly form: Form;
  readonly path: string;
  readonly select: Select;
  readonly headers: Readonly<Record<string, string>>;
  readonly isCsv: boolean;
}

export interface Write extends ModelWrite, Omit<Read, 'headers' | 'path'> {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly ifMatch: readonly (Tag | '*' | 'weak' | 'other')[] | undefined;
  readonly ifNoneMatch: readonly (Tag | '*')[] | undefined;
  readonly accept: Accept;
  readonly isDryRun: boolean;
}

/** The expected result of a write. */
export interface Expected {
  /** Undefined where the answer may be either: the tag stands for this state in another form. */
  readonly matches: boolean | undefined;
  readonly effect: Effect;
}

const ids = [1, 2, 3, 4] as const;
const selects: readonly Select[] = [undefined, undefined, undefined, ['id'], ['n', 'note'], ['id', 'n', 'owner']];
const embedded: Select = ['id', 'n', 'kids(id)'];

/** Who asks for which row. */
export type Place = Pick<Read, 'tenant' | 'table' | 'id' | 'caller' | 'form'>;

export const randomPlace = (random: Random, tables: readonly TableName[]): Place => ({
  tenant: random.below(2),
  table: random.pick(tables),
  id: random.pick(ids),
  caller: random.pick(callers),
  form: random.pick(forms),
});

const selectOf = (random: Random, table: TableName): Select =>
  table === 'plain' && random.chance(20) ? embedded : selects[random.below(selects.length)];

export function randomRead(random: Random, at: Place): Read {
  const select = selectOf(random, at.table);
  const accept = random.pick<Accept>(['application/json', 'application/vnd.pgrst.object+json', 'text/csv']);
  const isCsv = accept === 'text/csv' && select !== embedded;
  const isRow = at.form === '/api/v1' && random.chance(30);
  const query = select === undefined ? '' : `select=${select.join(',')}`;
  const path = isRow ? `${at.table}/${String(at.id)}?${query}` : `${at.table}?id=eq.${String(at.id)}&${query}`;
  const headers = {
    accept: accept === 'text/csv' && !isCsv ? 'application/json' : accept,
    ...(random.chance(30) && !isRow ? { prefer: 'count=exact' } : {}),
    ...(random.chance(30) ? { 'accept-encoding': 'gzip' } : {}),
  };
  return { ...at, path: `${at.form}/${path.replace(/[?&]$/, '')}`, select, headers, isCsv };
}

/**
 * @param tags what clients have read of the row, the latest one first
 * @param columns those of the table
 */
export function randomWrite(random: Random, at: Place, tags: readonly Tag[], columns: readonly string[]): Write {
  const method = random.pick(['PATCH', 'PATCH', 'PUT', 'DELETE'] as const);
  const select = selectOf(random, at.table);
  const accept = random.pick<Accept>([
    'application/json',
    'application/json',
    'application/vnd.pgrst.object+json',
    'text/csv',
  ]);
  const isCsv = accept === 'text/csv';
  const body = method === 'DELETE' ? {} : bodyOf(random, method, at, columns);
  const isDryRun = random.chance(8);
  const prefer = [
    random.pick(['', 'return=representation', 'return=representation', 'return=minimal', 'return=headers-only']),
    ...(isDryRun ? ['tx=rollback'] : []),
    ...random.some(['count=exact', 'handling=strict', 'handling=strict, max-affected=1'], 10).slice(1),
  ].filter((each) => each !== '');
  // What inserts has no tag of a row.
  const ifMatch = random.chance(method === 'PUT' ? 55 : 85) ? matchOf(random, tags) : undefined;
  const ifNoneMatch =
    method === 'PUT' && random.chance(40)
      ? tags.length > 0 && random.chance(30)
        ? tags.slice(0, 1)
        : (['*'] as const)
      : undefined;
  const query = select === undefined || isCsv ? '' : `&select=${select.join(',')}`;
  return {
    ...at,
    method,
    body,
    select: isCsv ? undefined : select,
    accept,
    isCsv,
    isDryRun,
    ifMatch,
    ifNoneMatch,
    path: `${at.form}/${at.table}?id=eq.${String(at.id)}${query}`,
    headers: {
      accept,
      ...(prefer.length > 0 ? { prefer: prefer.join(', ') } : {}),
      ...(ifMatch === undefined ? {} : { 'if-match': ifMatch.map((each) => headerOf(each, tags)).join(', ') }),
      ...(ifNoneMatch === undefined
        ? {}
        : { 'if-none-match': ifNoneMatch.map((each) => headerOf(each, tags)).join(', ') }),
    },
  };
}

function matchOf(random: Random, tags: readonly Tag[]): Write['ifMatch'] {
  if (random.chance(15)) return ['*'];
  const list = random.times(random.chance(30) ? 2 + random.below(3) : 1, () => {
    const [latest] = tags;
    if (latest === undefined || random.chance(6)) return 'other';
    if (random.chance(7)) return 'weak';
    return random.chance(70) ? latest : random.pick(tags);
  });
  return list;
}

function headerOf(each: Tag | '*' | 'weak' | 'other', [latest]: readonly Tag[]): string {
  if (each === '*') return '*';
  if (each === 'weak') return `W/${latest?.etag ?? '"none"'}`;
  return each === 'other' ? '"other"' : each.etag;
}

function bodyOf(
  random: Random,
  method: 'PATCH' | 'PUT',
  { table, id, caller }: Pick<Read, 'table' | 'id' | 'caller'>,
  columns: readonly string[],
): Row {
  const values: Row = {
    n: random.chance(15) ? kept : random.below(5),
    note: random.pick(['a', 'b', 'c']),
    secret: random.pick(['s', 't']),
    owner: random.chance(75) ? caller.sub : random.pick(['ada', 'bob']),
    shared: random.below(2),
    extra: random.below(3),
  };
  const known = columns.filter((column) => column in values);
  const seen = known.filter((column) => !hides(table, caller, column));
  if (method === 'PUT') return { id, ...pick(values, seen) };
  if (random.chance(5)) return {};
  return pick(values, random.chance(10) ? random.some(known, 40) : random.some(seen, 40));
}

const pick = (values: Row, names: readonly string[]): Row =>
  Object.fromEntries(names.map((name) => [name, values[name] ?? null]));

export function expectedOf(model: TenantModel, write: Write): Expected {
  return { matches: holds(model, write), effect: effectOf(model, write) };
}

function holds(model: TenantModel, { table, id, caller, select, form, isCsv, ...write }: Write): boolean | undefined {
  const views = new Set(
    [undefined, select].flatMap((each) => {
      const view = viewOf(model, table, id, caller, each);
      return view === undefined ? [] : [JSON.stringify(view)];
    }),
  );
  const isNamed = (each: Tag | '*' | 'weak' | 'other'): boolean | undefined => {
    if (each === '*') return views.size > 0;
    if (typeof each === 'string') return false;
    if (!views.has(each.view)) return false;
    // Several embedded rows have no order, which the tag depends on.
    const isOrdered = !/"id":\d+\},\{/.test(each.view);
    return each.form === form && each.isCsv === isCsv && isOrdered ? true : undefined;
  };
  const match = write.ifMatch === undefined ? true : some(write.ifMatch.map(isNamed));
  const none = write.ifNoneMatch === undefined ? false : some(write.ifNoneMatch.map(isNamed));
  if (match === false || none === true) return false;
  return match === undefined || none === undefined ? undefined : true;
}

/** Whether some are true; undefined where it is not known. */
const some = (list: readonly (boolean | undefined)[]): boolean | undefined =>
  list.includes(true) ? true : list.includes(undefined) ? undefined : false;

export const answeredRow = (model: TenantModel, { table, caller, select }: Write, row: Row): object | undefined =>
  shown(model, table, row, caller, select);
