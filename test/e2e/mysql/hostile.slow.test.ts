import { loadMysql, describeMysql } from '../../support/mysql.js';
import { bothWays } from './features.js';
import { serveMysql, type ServedMysql } from './served.js';

const names = [
  `a'b`,
  'a"b',
  'a`b',
  String.raw`a\b`,
  'a?b',
  'a b',
  '?',
  'j',
  'k',
  't',
  'k0',
  'rn',
  'c0',
  'r0',
  'select',
  'Ünï',
  "'; drop table x; --",
  '%s',
  '$1',
  '@x',
  ':n',
  '{}',
];
const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

const texts = [
  `'`,
  '"',
  '\\',
  `\\'`,
  `'; drop table people; --`,
  '%',
  '_',
  '!',
  '?',
  '`',
  '/* */',
  '\u0001',
  '\n',
  '\r\n',
  '😀',
  "x' or '1'='1",
  '\\"',
  '${x}',
  '*',
];

/**
 * A table whose columns have every such name, a table that refers to it, and for each name a table
 * with this name.
 */
const schema = `
create table ${quoted(`t'"?`)} (id int primary key, ${names.map((name) => `${quoted(name)} varchar(60)`).join(', ')});
create table ${quoted('child`s')} (${quoted('p`k')} int primary key, ${quoted(`parent'?`)} int,
  constraint ${quoted(`fk'"`)} foreign key (${quoted(`parent'?`)}) references ${quoted(`t'"?`)} (id));
${names.map((name, at) => `create table ${quoted(`${name} ${String(at)}`)} (${quoted(name)} int primary key, body text);`).join('\n')}
create table texts (id int primary key auto_increment, body varchar(100) collate utf8mb4_bin unique, doc json);
`;

describe.each(bothWays)('names and texts of every kind on MariaDB%s', (_, environment) => {
  describeMysql('', () => {
    suite(environment);
  });
});

function suite(environment: Readonly<Record<string, string>>): void {
  let served: ServedMysql;

  beforeAll(async () => {
    served = await serveMysql(environment, schema);
  });

  afterAll(() => served.stop());

  const path = (name: string): string => encodeURIComponent(name);

  test('every column is written, read, filtered and ordered by', async () => {
    const row = { id: 1, ...Object.fromEntries(names.map((name) => [name, `<${name}>`])) };
    const table = path(`t'"?`);
    const post = await served.rest(table, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(row),
    });
    expect([post.status, post.body]).toEqual([201, row]);
    const patched = await served.rest(`${table}?id=eq.1`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(row),
    });
    expect(patched.body).toEqual([row]);
    expect((await served.rest(table)).body).toMatchObject({ data: [row] });
  });

  test('every table answers over REST and GraphQL, and relations by such names', async () => {
    for (const [at, name] of names.entries()) {
      const { status, body } = await served.rest(path(`${name} ${String(at)}`));
      expect([name, status, body]).toMatchObject([name, 200, { data: [] }]);
    }
    await loadMysql(served.url, `insert into ${quoted('child`s')} values (7, 1), (8, 1), (9, null)`);
    const { body } = await served.rest(`${path(`t'"?`)}?select=id,${path('child`s')}(*)`);
    expect(body).toMatchObject({ data: [{ id: 1, 'child`s': [{ 'p`k': 7 }, { 'p`k': 8 }] }] });
  });

  test('every text comes back as it went in, and is found by what it is', async () => {
    const rows = texts.map((body, at) => ({ id: at + 1, body, doc: { [body]: body } }));
    const { body } = await served.rest('texts', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(rows),
    });
    expect(body).toEqual(rows);
    for (const [at, text] of texts.entries()) {
      for (const where of [
        `body: {eq: ${JSON.stringify(text)}}`,
        `body: {in: [${JSON.stringify(text)}]}`,
        `doc: {hasKey: ${JSON.stringify(text)}}`,
      ]) {
        const answer = await served.ask(`{ rows: $Texts(where: {${where.replaceAll('$', '\\u0024')}}) { id body } }`);
        expect([where, answer.body]).toEqual([where, { data: { rows: [{ id: at + 1, body: text }] } }]);
      }
      const found = await served.ask(
        `{ rows: $Texts(where: {body: {contains: ${JSON.stringify(text).replaceAll('$', '\\u0024')}}}) { body } }`,
      );
      const { rows: contained } = (
        found.body as { readonly data: { readonly rows: readonly { readonly body: string }[] } }
      ).data;
      expect(contained.map((each) => each.body).sort()).toEqual(texts.filter((each) => each.includes(text)).sort());
    }
    expect((await served.rest('people?limit=1')).status).toBe(200);
  });
}
