import { describeMysql } from '../support/mysql.js';
import { serveMysql, type ServedMysql } from './mysql/served.js';
import { serveDatabase, type ServedDatabase } from '../support/served-database.js';

/** JSON of which a parser and a printer would change each part. */
const text = String.raw`{"b" :  1, "a":12345678901234567890, "a": 1.0, "n": null, "s": "\u0041\"}", "l": [ [] , {"b" : {}} ]}`;

const occurrences = (answer: string): number => answer.split(text).length - 1;

const writing = { 'content-type': 'application/json', prefer: 'return=representation' };

describe('PostgreSQL keeps the text of a json column', () => {
  const sql = `
    create domain document as json;
    create type labelled as (n bigint, j json, span int4range);
    create table t (id int primary key, j json, list json[], d document, docs document[], c labelled, cs labelled[],
      big bigint, span int4range, ns int[]);
    create table part (id int primary key, t int references t, j json);
    create function all_t() returns setof t stable language sql as 'select * from t where id = 1';
    insert into t values (1, '${text}', array['${text}'::json], '${text}', array['${text}'::document],
      row(1, '${text}', '[1,2)'), array[row(1, '${text}', '[1,2)')::labelled], 9007199254740993, '[1,2)', '{1}');
    insert into part values (1, 1, '${text}');
  `;
  const fields = 'id j list d docs c { n j span { lower } } cs { n j } big span { lower } ns';
  let served: ServedDatabase;

  beforeAll(async () => {
    const config = { functions: ['public.*'], 'app.rest.postgrest': '/rest/v1' };
    served = await serveDatabase('json_text', [sql], config);
  });
  afterAll(() => served.stop());

  const send = async (path: string, init: RequestInit = {}): Promise<string> => {
    const answer = await fetch(served.server.base + path, init);
    const given = await answer.text();
    if (!answer.ok) throw new Error(given);
    return given;
  };
  const ask = (query: string): Promise<string> =>
    send('/graphql', { method: 'POST', headers: writing, body: JSON.stringify({ query }) });

  test.each([
    ['/api/v1/t?id=eq.1', 6],
    ['/api/v1/t/1', 6],
    ['/api/v1/t?id=eq.1&select=big,j', 1],
    ['/api/v1/t?id=eq.1&select=j,part(id,j)', 2],
    ['/api/v1/part?select=j,t(id,list)', 2],
    ['/api/v1/rpc/all_t', 6],
    ['/rest/v1/t?id=eq.1', 6],
    ['/rest/v1/part?select=j,...t(tj:j,span)', 2],
    ['/rest/v1/rpc/all_t', 6],
  ])('in GET %s', async (path, expected) => {
    expect(occurrences(await send(path))).toBe(expected);
  });

  test.each([
    [`{ publicT(where: {id: {eq: 1}}) { ${fields} } }`, 6],
    [`{ publicT(where: {id: {eq: 1}}) { __typename ${fields} } __schema { queryType { name } } }`, 6],
    [`{ publicPart { j publicT { ${fields} } } }`, 7],
    [`{ publicTConnection(where: {id: {eq: 1}}) { edges { node { ${fields} } } } }`, 6],
    [`{ publicAllT { ${fields} } }`, 6],
    [`mutation { updatePublicT(where: {id: {eq: 1}}, input: {ns: [2]}) { ${fields} } }`, 6],
  ])('in %s', async (document, expected) => {
    expect(occurrences(await ask(document))).toBe(expected);
  });

  test.each<[body: string, expected: number]>([
    [`{"id": 2, "j": ${text}}`, 1],
    [`{"id": 2, "j": ${text}, "ns": [1], "big": 9007199254740993}`, 1],
    [`{"id": 2, "j": ${text}, "span": {"lower": 1, "upper": 2}}`, 1],
    [`{"id": 2, "j": ${text}, "list": [${text}, 1, ${text}]}`, 3],
    [`{"id": 2, "d": ${text}, "c": {"n": 1, "j": ${text}}, "cs": [{"j": ${text}}]}`, 3],
    [`[{"id": 2, "j": ${text}}, {"id": 3, "d": ${text}, "big": 1}]`, 2],
  ])('in a body, beside other columns: %s', async (body, expected) => {
    for (const path of ['/api/v1/t', '/rest/v1/t']) {
      expect(occurrences(await send(path, { method: 'POST', headers: writing, body }))).toBe(expected);
      await send(`${path}?id=gt.1`, { method: 'DELETE' });
    }
  });

  test('in PATCH and CSV', async () => {
    const csv = `id,j\n4,"${text.replaceAll('"', '""')}"\n`;
    const headers = { ...writing, 'content-type': 'text/csv' };
    expect(occurrences(await send('/api/v1/t', { method: 'POST', headers, body: csv }))).toBe(1);
    const body = `{"d": ${text}, "span": "[1,3)"}`;
    expect(occurrences(await send('/api/v1/t?id=eq.4', { method: 'PATCH', headers: writing, body }))).toBe(2);
    await send('/api/v1/t?id=eq.4', { method: 'DELETE' });
  });

  test('of a variable the value is kept, and the last of several members of one name', async () => {
    const query = 'mutation ($j: JSON) { createPublicT(input: {id: 5, j: $j}) { j } }';
    const body = `{"query": ${JSON.stringify(query)}, "variables": {"j": ${text}}}`;
    expect(await send('/graphql', { method: 'POST', headers: writing, body })).toContain('{"b":1,"a":1.0,"n":null');
    await send('/api/v1/t?id=eq.5', { method: 'DELETE' });
  });
});

describeMysql('MariaDB keeps the text of a JSON column', () => {
  let served: ServedMysql;

  beforeAll(async () => {
    const quoted = text.replaceAll('\\', '\\\\');
    served = await serveMysql(
      {},
      `insert into t values (1, '${quoted}', '${quoted}', 9007199254740993);`,
      'create table t (id int primary key, j json, k json, big bigint);',
    );
  });
  afterAll(() => served.stop());

  test('in reads', async () => {
    expect(occurrences((await served.rest('t')).text)).toBe(2);
    expect(occurrences((await served.ask('{ $T { id j big k } }')).text)).toBe(2);
  });

  test('in bodies, beside other columns', async () => {
    const post = async (body: string): Promise<number> =>
      occurrences((await served.rest('t', { method: 'POST', headers: writing, body })).text);
    expect(await post(`{"id": 2, "j": ${text}, "k": ${text}, "big": 1}`)).toBe(2);
    expect(await post(`[{"id": 3, "j": ${text}}, {"id": 4, "k": ${text}, "big": 9007199254740993}]`)).toBe(2);
  });
});
