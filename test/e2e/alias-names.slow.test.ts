import { describeMysql } from '../support/mysql.js';
import { bothWays } from './mysql/features.js';
import { serveMysql } from './mysql/served.js';
import { serveDatabase } from '../support/served-database.js';

/** Names that our statements give to tables and columns of their own. */
const tables = 'k j f t p n g b v it q w o e s a l u c0 rn i d x r0 r1 new item'.split(' ');
const columns = 'rn c1 k k0 n v item total t key value x0 e0 o0 d g q w j i p s r1 is_new at start stop doc'.split(' ');

const json = { 'content-type': 'application/json' };

/** A table of each name: each refers to itself, and has a column of each name. */
const schemaOf = (quote: string): string =>
  tables
    .map((table) => {
      const id = (name: string): string => quote + name + quote;
      const own = columns.map((name) => `${id(name)} int`).join();
      const reference = `foreign key (${id('r0')}) references ${id(table)} (${id('c0')})`;
      return `create table ${id(table)} (${id('c0')} int primary key, ${id('r0')} int, ${own}, ${reference});`;
    })
    .join('\n');

interface Served {
  readonly rest: (path: string, init?: RequestInit) => Promise<{ readonly status: number; readonly body: unknown }>;
  /** @param document in which `#` before a table stands for the prefix of its fields */
  readonly ask: (document: string) => Promise<unknown>;
}

const upper = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

async function useTable({ rest, ask }: Served, table: string): Promise<void> {
  const all = Object.fromEntries(columns.map((name, at) => [name, at]));
  const merging = { ...json, prefer: 'resolution=merge-duplicates,return=representation' };
  const row = (c0: number, more: object): object => ({ c0, ...more });
  const write = (method: string, path: string, body: unknown): ReturnType<Served['rest']> =>
    rest(`${table}${path}`, { method, headers: merging, body: JSON.stringify(body) });

  expect(await write('POST', '', [row(1, { r0: 1, ...all }), row(2, { r0: 1, ...all })])).toMatchObject({
    status: 201,
  });
  expect(await write('POST', '', [row(2, { rn: 7, k: 8 }), row(3, { rn: 9, k: 9 })])).toMatchObject({
    body: [
      { c0: 2, rn: 7, k: 8, r0: 1 },
      { c0: 3, rn: 9, k: 9, r0: null },
    ],
  });
  expect(await write('POST', '', [row(3, { c1: 4 }), row(4, { rn: 5, v: 6 })])).toMatchObject({
    body: [
      { c0: 3, c1: 4, rn: 9 },
      { c0: 4, rn: 5, v: 6 },
    ],
  });
  expect(await write('PATCH', '?c0=gte.3', { rn: 1, item: 2 })).toMatchObject({ status: 200 });
  const asked = `${table}?rn=gte.1&order=k.desc,rn,c0&limit=2&offset=1&select=c0,rn,k`;
  expect(await rest(asked, { headers: { prefer: 'count=exact' } })).toMatchObject({ status: 200 });

  const type = upper(table);
  const read = (field: string, rest: string): string => `${field}: #${type}${rest}`;
  const fields = `c0 ${columns.join(' ')}`;
  const document = `{
    ${read('list', `(where: {or: [{rn: {gt: 0}}, {k: {eq: 1}}]}, orderBy: [{v: DESC}, {c0: ASC}], limit: 3) { ${fields} }`)}
    ${read('page', `Connection(first: 1, orderBy: {rn: DESC}) { totalCount edges { cursor node { ${fields} } } }`)}
    ${read('sum', 'Aggregate { count sum { rn k total } max { c0 } }')}
  }`;
  expect(await ask(document)).toMatchObject({ list: expect.anything() as unknown, page: { totalCount: 4 } });
  const updated = await ask(
    `mutation { it: update#${type}(where: {rn: {gte: 1}, k: {isNotNull: true}}, input: {k: 5, item: 6}) { c0 k item } }`,
  );
  expect(updated).toMatchObject({ it: expect.anything() as unknown });
  expect(await ask(`mutation { it: delete#${type}(where: {c0: {gte: 3}}) { ${fields} } }`)).toHaveProperty(
    'it.length',
    2,
  );
}

describe('PostgreSQL: tables and columns named like those of our statements', () => {
  let served: Awaited<ReturnType<typeof serveDatabase>>;
  beforeAll(async () => {
    served = await serveDatabase('alias_names', [schemaOf('"')]);
  });
  afterAll(() => served.stop());

  test.each(tables)('%s', async (table) => {
    const send = async (path: string, init?: RequestInit) => {
      const answer = await fetch(served.server.base + path, init);
      return { status: answer.status, body: (await answer.json()) as unknown };
    };
    const ask = async (document: string): Promise<unknown> => {
      const query = document.replaceAll(/(\w*)#/g, (_match, verb: string) =>
        verb === '' ? 'public' : `${verb}Public`,
      );
      const { body } = await send('/graphql', { method: 'POST', headers: json, body: JSON.stringify({ query }) });
      expect(body).not.toHaveProperty('errors');
      return (body as { readonly data: unknown }).data;
    };
    await useTable({ rest: (path, init) => send(`/api/v1/${path}`, init), ask }, table);
  });
});

describe.each(bothWays)('MariaDB%s: tables and columns named like those of our statements', (_, environment) => {
  describeMysql('', () => {
    suite(environment);
  });
});

function suite(environment: Readonly<Record<string, string>>): void {
  let served: Awaited<ReturnType<typeof serveMysql>>;
  beforeAll(async () => {
    served = await serveMysql(environment, '', schemaOf('`'));
  });
  afterAll(() => served.stop());

  test.each(tables)('%s', async (table) => {
    const ask = async (document: string): Promise<unknown> => {
      const named = document.replaceAll(/(\w*)#/g, (_match, verb: string) => (verb === '' ? '$' : `${verb}$$`));
      const { body } = await served.ask(named);
      expect(body).not.toHaveProperty('errors');
      return (body as { readonly data: unknown }).data;
    };
    await useTable({ rest: (path, init) => served.rest(path, init), ask }, table);
  });
}
