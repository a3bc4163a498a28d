import type { Document, Operation, Parameter } from './document.js';

/** A request that the document has to describe, with its answers. */
export interface Asked {
  readonly method: string;
  /** The path below `/api/v1`, encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /**
   * The request selects columns, so the rows differ from the schema: docs/rest.md, "Typed clients".
   */
  readonly selects?: true;
  /** The request violates the document; only its answer has to conform. */
  readonly wrong?: true;
}

type Row = Readonly<Record<string, unknown>>;

/** The common part of all requests of a table, and the names of its columns in a URL. */
interface Subject {
  readonly path: string;
  readonly reading: Readonly<Record<string, string>>;
  readonly writing: Readonly<Record<string, string>>;
  readonly rows: readonly Row[];
  /** Filters by the name of their column. */
  readonly filters: readonly {
    readonly name: string;
    readonly column: string;
    readonly operators: readonly string[];
  }[];
}

/**
 * Requests to a table: every operator on every column, every form of answer, every write (rolled
 * back), and failing requests.
 */
export function* requestsTo(document: Document, path: string, rows: readonly Row[]): Generator<Asked> {
  const item = document.paths[path] ?? {};
  const subject: Subject = {
    path,
    reading: profileOf(document, item['get']),
    writing: profileOf(document, item['post'] ?? item['patch'] ?? item['delete']),
    rows,
    filters: filtersOf(document, item['get']),
  };
  yield* reads(subject);
  yield* filtered(subject);
  yield* selections(subject);
  if (document.paths[`${path}/{id}`] !== undefined) yield* byKey(subject);
  yield* writes(document, item, subject);
  yield* mistakes(item, subject);
}

function* reads({ path, reading, filters }: Subject): Generator<Asked> {
  const columns = filters.filter(({ operators }) => operators.includes('gt')).map(({ name }) => name);
  const queries = [
    '',
    '?limit=2&offset=1',
    '?limit=0',
    ...columns.flatMap((name) =>
      ['asc', 'desc.nullslast'].map((order) => query([['order', `${quoted(name)}.${order}`]])),
    ),
  ];
  for (const each of queries) yield { method: 'GET', path: path + each, headers: reading };
  yield { method: 'HEAD', path, headers: reading };
  const headers = [
    ...['exact', 'planned', 'estimated'].map((count) => ({ prefer: `count=${count}` })),
    { prefer: 'count=exact, handling=strict' },
    { range: '0-0' },
    { range: '0-1', prefer: 'count=exact' },
    { range: '1-' },
    { range: '100000-100001' },
    { range: '2-1' },
    { accept: 'text/csv' },
    { accept: 'text/csv', range: '0-1' },
    { accept: '*/*' },
    { 'if-none-match': '*' },
    { 'if-none-match': '"other"' },
  ];
  for (const each of headers) yield { method: 'GET', path, headers: { ...reading, ...each } };
  const object = { ...reading, accept: 'application/vnd.pgrst.object+json' };
  for (const limit of ['1', '2', '0']) yield { method: 'GET', path: `${path}?limit=${limit}`, headers: object };
  yield { method: 'GET', path: `${path}?limit=1`, headers: { ...object, range: '0-0' } };
}

function* filtered({ path, reading, rows, filters }: Subject): Generator<Asked> {
  const ask = (pairs: readonly (readonly [string, string])[]): Asked => ({
    method: 'GET',
    path: path + query([...pairs, ['limit', '2']]),
    headers: reading,
  });
  for (const { name, column, operators } of filters) {
    const value = textOf(rows.map((row) => row[column]).find((each) => each !== null && each !== undefined));
    for (const operator of operators) {
      const written = operation(operator, value);
      yield ask([[name, written]]);
      if (operator !== 'vector') yield ask([[name, `not.${written}`]]);
    }
    yield ask([
      [name, 'not.is.null'],
      [name, operation('neq', value)],
    ]);
    if (/^\w+$/.test(name)) {
      yield ask([['or', `(${name}.is.null,${name}.eq."${value.replaceAll(/["\\]/g, '\\$&')}")`]]);
      yield ask([['and', `(${name}.not.is.null,not.or(${name}.is.null))`]]);
    }
  }
}

function* selections({ path, reading, filters }: Subject): Generator<Asked> {
  for (const { column } of filters) {
    const name = quoted(column);
    for (const select of [name, `renamed:${name}`, `${name}::text`])
      yield {
        method: 'GET',
        path: `${path}${query([
          ['select', select],
          ['limit', '1'],
        ])}`,
        headers: reading,
        selects: true,
      };
  }
}

function* byKey({ path, reading, rows }: Subject): Generator<Asked> {
  const key = (row: Row): string => encodeURIComponent(textOf(row['id'] ?? Object.values(row)[0]));
  for (const row of rows) {
    const one = `${path}/${key(row)}`;
    yield { method: 'GET', path: one, headers: reading };
    for (const accept of ['text/csv', 'application/vnd.pgrst.object+json'])
      yield { method: 'GET', path: one, headers: { ...reading, accept } };
    yield { method: 'GET', path: one, headers: { ...reading, 'if-none-match': '*' } };
  }
  for (const id of ['987654321', 'no-such-key'])
    yield { method: 'GET', path: `${path}/${id}`, headers: reading, wrong: true };
}

const dry = 'tx=rollback';

/** Each write is rolled back, so the rows stay the same. */
function* writes(
  document: Document,
  item: Readonly<Record<string, Operation>>,
  { path, writing, rows, filters }: Subject,
): Generator<Asked> {
  const [first] = rows;
  if (first === undefined) return;
  const json = { ...writing, 'content-type': 'application/json' };
  const forms = [
    dry,
    `${dry}, return=minimal`,
    `${dry}, return=headers-only`,
    `${dry}, return=representation, count=exact, handling=strict, max-affected=5`,
  ];
  const writable = writableOf(document, item);
  const body = (row: Row): Row => Object.fromEntries(Object.entries(row).filter(([name]) => writable.has(name)));
  if (item['post'] !== undefined) {
    for (const prefer of forms)
      for (const resolution of ['', ', resolution=merge-duplicates', ', resolution=ignore-duplicates'])
        for (const sent of [body(first), rows.slice(0, 2).map(body), []])
          yield { method: 'POST', path, headers: { ...json, prefer: prefer + resolution }, body: JSON.stringify(sent) };
    const accept = 'application/vnd.pgrst.object+json';
    const prefer = `${dry}, resolution=merge-duplicates`;
    yield { method: 'POST', path, headers: { ...json, prefer, accept }, body: JSON.stringify(body(first)) };
    yield { method: 'POST', path, headers: { ...json, prefer, accept: 'text/csv' }, body: JSON.stringify(body(first)) };
  }
  const key = filters.find(({ column }) => column === 'id') ?? filters[0];
  if (key === undefined) return;
  const where = query([[key.name, `eq.${textOf(first[key.column])}`]]);
  for (const prefer of forms) {
    const headers = { ...json, prefer };
    if (item['patch'] !== undefined) {
      yield { method: 'PATCH', path: path + where, headers, body: JSON.stringify(body(first)) };
      yield { method: 'PATCH', path: path + where, headers, body: '{}' };
    }
    if (item['delete'] !== undefined) yield { method: 'DELETE', path: path + where, headers: { ...writing, prefer } };
    const keys = parametersOf(document, item['put']).filter(
      ({ schema }) => schema?.$ref?.endsWith('Filter.key') === true,
    );
    if (item['put'] !== undefined && keys.length > 0) {
      const whole = query(keys.map(({ name }) => [name, `eq.${textOf(first[columnOf(name)])}`]));
      yield { method: 'PUT', path: path + whole, headers, body: JSON.stringify(body(first)) };
    }
  }
}

function* mistakes(item: Readonly<Record<string, Operation>>, { path, reading, writing }: Subject): Generator<Asked> {
  const wrong = (method: string, more: string, headers: Readonly<Record<string, string>>, body?: string): Asked => ({
    method,
    path: path + more,
    headers,
    ...(body === undefined ? {} : { body }),
    wrong: true,
  });
  yield wrong('GET', '?no_such_column=eq.1', reading);
  yield wrong('GET', '?limit=-1', reading);
  yield wrong('GET', '?select=no_such_column', reading);
  yield wrong('GET', '', { ...reading, 'accept-profile': 'no-such-schema' });
  yield wrong('GET', '', { ...reading, accept: 'image/png' });
  yield wrong('GET', '', { ...reading, authorization: 'Bearer nonsense' });
  const json = { ...writing, 'content-type': 'application/json', prefer: dry };
  for (const method of ['POST', 'PATCH', 'PUT', 'DELETE']) {
    if (item[method.toLowerCase()] === undefined) continue;
    const body = method === 'DELETE' ? undefined : '{"no_such_column": 1}';
    yield wrong(method, '', json, body);
    yield wrong(method, '?no_such_column=eq.1', json, body);
    yield wrong(method, '', { ...json, authorization: 'Bearer nonsense' }, body);
    if (method === 'DELETE') continue;
    yield wrong(method, '', json, '{');
    yield wrong(method, '', { ...json, 'content-type': 'text/plain' }, 'x');
  }
}

function operation(operator: string, value: string): string {
  if (operator.startsWith('is.')) return operator;
  if (operator === 'vector') return `vector.{"near":${value},"limit":2}`;
  if (['in', 'notin', 'haskeys', 'hasanykeys'].includes(operator))
    return `${operator}.("${value.replaceAll(/["\\]/g, '\\$&')}")`;
  return `${operator}.${value}`;
}

function filtersOf(document: Document, operation: Operation | undefined): Subject['filters'] {
  return parametersOf(document, operation).flatMap(({ name, schema }) => {
    const kind = /\/(Filter\.\w+)$/.exec(schema?.$ref ?? '')?.[1];
    if (kind === undefined) return [];
    const said = document.components.schemas[kind]?.description ?? '';
    const operators = [...said.slice(said.indexOf('Operators:')).matchAll(/`([^`]+)`/g)].map(([, each = '']) => each);
    return [{ name, column: columnOf(name), operators }];
  });
}

function profileOf(document: Document, operation: Operation | undefined): Readonly<Record<string, string>> {
  const profile = parametersOf(document, operation).find(({ name }) => name.endsWith('-Profile'));
  const schema = profile?.schema?.enum?.[0];
  return profile === undefined || schema === undefined ? {} : { [profile.name]: schema };
}

export function parametersOf(document: Document, operation: Operation | undefined): readonly Parameter[] {
  return (operation?.parameters ?? []).flatMap((each) => {
    if (each.$ref === undefined) return [each];
    const shared = document.components.parameters[each.$ref.slice(each.$ref.lastIndexOf('/') + 1)];
    return shared === undefined ? [] : [shared];
  });
}

function writableOf(document: Document, item: Readonly<Record<string, Operation>>): ReadonlySet<string> {
  const text = JSON.stringify((item['post'] ?? item['patch'])?.requestBody ?? {});
  const name = /#\/components\/schemas\/([\w.]+)\.(?:Insert|Update)/.exec(text)?.[1] ?? '';
  return new Set(Object.keys(document.components.schemas[`${name}.Update`]?.properties ?? {}));
}

/** A reserved name has quotes in a URL. */
const columnOf = (name: string): string => name.replace(/^"(.*)"$/, '$1');

const quoted = (name: string): string =>
  /^\w+$/.test(name) ? name : `"${columnOf(name).replaceAll(/["\\]/g, '\\$&')}"`;

const query = (pairs: readonly (readonly [string, string])[]): string =>
  `?${pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')}`;

/** A value in the form of a filter. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return items.every((each) => typeof each === 'number') ? JSON.stringify(items) : `{${items.map(String).join()}}`;
  }
  return typeof value === 'string' ? value : value === undefined ? '1' : JSON.stringify(value);
}
