import {
  buildClientSchema,
  getIntrospectionQuery,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  type GraphQLInputField,
  type IntrospectionQuery,
} from 'graphql';
import { operators } from '../../runtime/src/plan/operators.js';
import { query, serveDatabase, type ServedDatabase } from '../support/served-database.js';

/**
 * Types of extensions whose operators are outside the search path, or even in another schema than
 * their type: every operator that the API offers answers as it does where both are in `public`.
 */
interface Sample {
  readonly extension: string;
  readonly type: string;
  readonly values: readonly [string, string, string];
  /** The first value, written otherwise if the type can. */
  readonly again: string;
}

const samples: readonly Sample[] = [
  { extension: 'citext', type: 'citext', values: ['Ab', 'bA', 'cc'], again: 'aB' },
  { extension: 'ltree', type: 'ltree', values: ['a', 'a.b', 'b'], again: 'a' },
  { extension: 'hstore', type: 'hstore', values: ['a=>1,b=>2', 'c=>1', 'd=>1'], again: 'b=>2,a=>1' },
  {
    extension: 'isn',
    type: 'isbn13',
    values: ['978-0-393-04002-9', '978-0-393-32723-6', '978-3-16-148410-0'],
    again: '9780393040029',
  },
  { extension: 'cube', type: 'cube', values: ['(1)', '(2)', '(3)'], again: '1' },
  { extension: 'seg', type: 'seg', values: ['1', '2', '3'], again: '1.0' },
];

const tablesOf = (schema: string, { type, values }: Sample): string => `
create domain d_${type} as ${schema}.${type};
create table t_${type} (id int primary key, v ${schema}.${type}, d d_${type}, l ${schema}.${type}[]);
create table k_${type} (k ${schema}.${type} primary key, n int);
insert into t_${type} select n, v::${schema}.${type}, v::${schema}.${type}, array[v::${schema}.${type}]
  from unnest(array[${values.map((each) => `'${each}'`).join()}]) with ordinality as u (v, n);
insert into t_${type} values (4, null, null, null);
insert into k_${type} select v, id from t_${type} where v is not null;`;

const databaseOf = (extensions: string, types: string): string => `
create schema if not exists ext;
create schema if not exists moved;
${samples.map(({ extension }) => `create extension ${extension} schema ${extensions};`).join('\n')}
${extensions === types ? '' : samples.map(({ type }) => `alter type ${extensions}.${type} set schema ${types};`).join('\n')}
${samples.map((each) => tablesOf(types, each)).join('\n')}`;

const config = { 'app.rest.postgrest': '/rest/v1', names: { schemaPrefix: 'never' } };
const layouts = { public: ['public', 'public'], ext: ['ext', 'ext'], moved: ['ext', 'moved'] } as const;
const served: ServedDatabase[] = [];
beforeAll(async () => {
  for (const [name, [extensions, types]] of Object.entries(layouts)) {
    served.push(await serveDatabase(`operators_${name}`, [databaseOf(extensions, types)], config));
  }
});
afterAll(async () => {
  for (const each of served) await each.stop();
});

interface Asked {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** What each server answers, without the names of the schemas. */
async function answers({ path, method = 'GET', headers, body }: Asked): Promise<readonly string[]> {
  return Promise.all(
    served.map(async ({ server }) => {
      const answer = await fetch(`${server.base}${path}`, {
        method,
        headers: { 'Content-Type': 'application/json', Prefer: 'return=representation', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return `${String(answer.status)} ${await answer.text()}`.replaceAll(/\b(?:ext|moved|public)\./g, '');
    }),
  );
}

/** The requests that are answered differently, or as a failure of the server. */
async function failures(all: readonly Asked[]): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for (const asked of all) {
    const [expected = '', ...others] = await answers(asked);
    const fails = expected.startsWith('5') || (asked.path === '/graphql' && expected.includes('"errors"'));
    if (fails || others.some((each) => each !== expected)) found.push({ ...asked, expected, others });
  }
  return found;
}

const spellings = [...new Set(operators.flatMap(({ rest = [] }) => rest))];

function operandsOf(spelling: string, column: string, { again, values }: Sample): readonly string[] {
  if (spelling.startsWith('is.')) return [spelling];
  if (spelling === 'arraylength') return ['arraylength.1'];
  const all = [again, values[1]].map((each) => (column === 'l' ? `{"${each}"}` : each));
  const inList = all.map((each) => `"${each.replaceAll('"', String.raw`\"`)}"`).join();
  return ['in', 'notin'].includes(spelling) ? [`${spelling}.(${inList})`] : all.map((each) => `${spelling}.${each}`);
}

test.each(samples)('REST filters, orders and groups by $type', async (sample) => {
  const table = `t_${sample.type}`;
  const asked = ['v', 'd', 'l'].flatMap((column) => [
    ...spellings
      .flatMap((spelling) => operandsOf(spelling, column, sample))
      .flatMap((filter) => [filter, `not.${filter}`])
      .map((filter) => `${table}?${column}=${encodeURIComponent(filter)}&order=id`),
    `${table}?order=${column}.desc,id`,
    `${table}?select=${column}.min()`,
    `${table}?select=${column}.max()`,
    `${table}?select=${column},id.count()&order=${column}`,
  ]);
  expect(
    await failures(asked.flatMap((path) => ['/api/v1/', '/rest/v1/'].map((mount) => ({ path: mount + path })))),
  ).toEqual([]);
});

interface Filter {
  readonly name: string;
  readonly operators: readonly GraphQLInputField[];
}

/** The filters of the columns of a table, by introspection. */
async function filtersOf(table: string): Promise<readonly Filter[]> {
  const [first] = served;
  if (first === undefined) return [];
  const { data } = await query(first.server, getIntrospectionQuery());
  const field = buildClientSchema(data as IntrospectionQuery)
    .getQueryType()
    ?.getFields()[table];
  const where = field?.args.find(({ name }) => name === 'where')?.type;
  if (!isInputObjectType(where)) return [];
  return ['v', 'd', 'l'].map((name) => {
    const filter = where.getFields()[name]?.type;
    return { name, operators: isInputObjectType(filter) ? Object.values(filter.getFields()) : [] };
  });
}

/** A value for an operator of a filter, by the type that it takes. */
function valueFor({ type }: GraphQLInputField, sample: Sample, deep = false): unknown {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return [sample.again, sample.values[1]].slice(0, deep ? 1 : 2);
  switch (getNamedType(type).name) {
    case 'Boolean':
      return true;
    case 'String':
      return sample.again;
    default:
      return isInputObjectType(nullable) ? { eq: 1 } : sample.again;
  }
}

const ask = (text: string, variables: unknown = {}): Asked => ({
  path: '/graphql',
  method: 'POST',
  body: { query: text, variables },
});

/** `tCitext`, `TCitext` */
const graphqlNames = (prefix: string, { type }: Sample): { readonly field: string; readonly name: string } => {
  const rest = `${type.charAt(0).toUpperCase()}${type.slice(1)}`;
  return { field: `${prefix}${rest}`, name: `${prefix.toUpperCase()}${rest}` };
};

test.each(samples)('GraphQL filters, orders and groups by $type', async (sample) => {
  const { field, name } = graphqlNames('t', sample);
  const filters = await filtersOf(field);
  expect(filters.map(({ operators: { length } }) => length > 3)).toEqual([true, true, true]);
  const rows = `query ($w: ${name}WhereInput) { ${field}(where: $w, orderBy: {id: ASC}) { id v d l } }`;
  const filtered = filters.flatMap(({ name: column, operators: offered }) =>
    offered.flatMap((each) => {
      const condition = { [column]: { [each.name]: valueFor(each, sample, column === 'l') } };
      return [ask(rows, { w: condition }), ask(rows, { w: { not: condition } })];
    }),
  );
  const orders = ['v', 'd'].map((column) => ask(`{ ${field}(orderBy: [{${column}: DESC}, {id: ASC}]) { id } }`));
  // GraphQL groups by types with a kind of their own.
  const groups = (sample.type === 'citext' ? ['v', 'd', 'l'] : ['l']).flatMap((column) => [
    ask(`{ ${field}(distinctOn: [${column}], orderBy: [{${column}: ASC}]) { ${column} } }`),
    ask(`{ ${field}Aggregate(groupBy: [${column}]) { groups { key { ${column} } count } } }`),
    ask(`{ ${field}Aggregate { countDistinct { ${column} } } }`),
  ]);
  expect(await failures([...filtered, ...orders, ...groups])).toEqual([]);
});

test.each(samples)('keys and cursors of $type', async (sample) => {
  const { field, name } = graphqlNames('k', sample);
  const table = `k_${sample.type}`;
  const key = encodeURIComponent(sample.again);
  const merge = { Prefer: 'return=representation,resolution=merge-duplicates' };
  const walk = async (direction: string, after: string | null): Promise<readonly unknown[]> => {
    const page = `{ ${field}Connection(first: 1, after: ${JSON.stringify(after)}, orderBy: [{k: ${direction}}]) {
      nodes { n } pageInfo { endCursor hasNextPage } } }`;
    const found = await failures([ask(page)]);
    const [server] = served;
    const { data } = server === undefined ? {} : await query(server.server, page);
    const { pageInfo } = (data as Record<string, { pageInfo: { endCursor: string; hasNextPage: boolean } }>)[
      `${field}Connection`
    ] ?? { pageInfo: { endCursor: '', hasNextPage: false } };
    return [...found, ...(pageInfo.hasNextPage ? await walk(direction, pageInfo.endCursor) : [])];
  };
  expect([...(await walk('ASC', null)), ...(await walk('DESC', null))]).toEqual([]);
  expect(
    await failures([
      { path: `/api/v1/${table}/${key}` },
      ask(`query ($k: String!) { ${field}ByPk(k: $k) { n } }`, { k: sample.again }),
      { path: `/api/v1/${table}/${key}`, method: 'PATCH', headers: { 'If-Match': '*' }, body: { n: 10 } },
      { path: `/api/v1/${table}/${key}`, method: 'PATCH', headers: { 'If-Match': '"other"' }, body: { n: 11 } },
      { path: `/api/v1/${table}/${key}`, method: 'PUT', body: { n: 12 } },
      ...['/api/v1/', '/rest/v1/'].map((mount, at) => ({
        path: `${mount}${table}`,
        method: 'POST',
        headers: merge,
        body: [
          { k: sample.again, n: 20 + at },
          { k: sample.values[1], n: 30 + at },
        ],
      })),
      { path: `/rest/v1/${table}?k=eq.${key}`, method: 'PUT', body: { k: sample.again, n: 40 } },
      ask(`mutation ($w: ${name}WhereInput!) { update${name}(where: $w, input: {n: 50}) { n } }`, {
        w: { k: { in: [sample.again] } },
      }),
      ask(`mutation ($w: ${name}WhereInput!) { delete${name}(where: $w) { n } }`, {
        w: { k: { eq: sample.again } },
      }),
      { path: `/api/v1/${table}?order=n` },
    ]),
  ).toEqual([]);
});
