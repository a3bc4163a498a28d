import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  buildClientSchema,
  buildSchema,
  getIntrospectionQuery,
  isInputObjectType,
  lexicographicSortSchema,
  printSchema,
  type IntrospectionQuery,
} from 'graphql';
import { createTestDatabase, loadSql, openPool, type TestDatabase } from '../support/postgres.js';
import { buildGenerated } from '../support/generated-program.js';
import type { RunningServer } from '../support/running-server.js';
import { startServerHere } from '../support/server-here.js';
import { query, type GraphqlAnswer } from '../support/served-database.js';
import type { Transpiled } from '../support/transpile.js';

/**
 * Domains over every type that has levels: each domain is a level in the answer, and its checks
 * run.
 */
const domains = `
create type mood as enum ('good', 'very bad');
create type spot as (x int, y bigint);
create domain positive as int check (value > 0);
create domain small as positive check (value < 100);
create domain pair as int[] check (cardinality(value) = 2);
create domain pairs as pair[];
create domain big_pair as bigint[];
create domain big_pairs as big_pair[];
create domain feeling as mood;
create domain feelings as mood[];
create domain place as spot check ((value).x >= 0);
create domain places as spot[];
create domain span as int4range check (not isempty(value));
create table things (
  id int primary key,
  tiny small, tinies small[], pairs pairs, big_pairs big_pairs,
  feeling feeling, feelings feelings, many_feelings feeling[],
  place place, places places, many_places place[],
  span span, spans span[]
);
create table moods (feeling feeling primary key, note text);
`;

const given = {
  id: 1,
  tiny: 7,
  tinies: [1, 2],
  pairs: [
    [1, 2],
    [3, 4],
  ],
  big_pairs: [['9007199254740993'], ['2', '3']],
  feeling: 'very_bad',
  feelings: ['good', 'very_bad'],
  many_feelings: ['very_bad'],
  place: { x: 1, y: '2' },
  places: [{ x: 3, y: '4' }],
  many_places: [{ x: 5, y: '6' }],
  span: { lower: 1, upper: 5 },
  spans: [{ lower: 2, upper: 3 }],
};

const fields = `id tiny tinies pairs big_pairs feeling feelings many_feelings place { x y } places { x y } many_places { x y }
  span { lower upper } spans { lower upper }`;

/** Overloads that differ only in the exact type of an argument. */
const overloads = `
create procedure which(in n int, out seen text) language sql as $$ select 'int' $$;
create procedure which(in n bigint, out seen text) language sql as $$ select 'bigint' $$;
create procedure which(in n positive, out seen text) language sql as $$ select 'positive' $$;
create procedure which(in n small, out seen text) language sql as $$ select 'small' $$;
create procedure which(in n text, out seen text) language sql as $$ select 'text' $$;
create procedure which(in n varchar, out seen text) language sql as $$ select 'varchar' $$;
create procedure which(in n pair, out seen text) language sql as $$ select 'pair' $$;
create procedure which(in n int[], out seen text) language sql as $$ select 'int[]' $$;
create procedure which(in n pairs, out seen text) language sql as $$ select 'pairs' $$;
create procedure which(in n small[], out seen text) language sql as $$ select 'small[]' $$;
create procedure which(in n place, out seen text) language sql as $$ select 'place' $$;
create procedure which(in n spot, out seen text) language sql as $$ select 'spot' $$;
create procedure which(in n feeling, out seen text) language sql as $$ select 'feeling' $$;
create procedure which(in n mood, out seen text) language sql as $$ select 'mood' $$;
create procedure which(in n span, out seen text) language sql as $$ select 'span' $$;
create procedure echo(inout v pairs, inout w places, out never small) language sql as $$ select v, w, 1::small $$;
create domain required as int not null;
create procedure fill(out value required) language sql as $$ select 3::required $$;
`;

const functions = `
create table notes (id int primary key, body text);
insert into notes select n, 'note ' || n from generate_series(1, 21) as n;
create function notes_title(note notes) returns text language sql stable as $$ select upper(note.body) $$;
create function notes_length(note notes) returns int language sql immutable as $$ select length(note.body) $$;
create function notes_purge(note notes) returns int language plpgsql volatile as
  $$ begin delete from notes where id <> note.id; return 1; end $$;
`;

let database: TestDatabase;
let program: Transpiled;
let server: RunningServer;

beforeAll(async () => {
  database = await createTestDatabase('database_types');
  await loadSql(database.url, domains + overloads + functions);
  program = await buildGenerated(database.url);
  server = await startServerHere(program.folder, { DATABASE_URL: database.url, APP_LOG_LEVEL: 'warn' });
});

afterAll(async () => {
  await server.stop();
  await program.remove();
  await database.drop();
});

const ask = async (document: string, variables?: unknown): Promise<GraphqlAnswer> => {
  if (variables === undefined) return query(server, document);
  const answer = await fetch(`${server.base}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: document, variables }),
  });
  return (await answer.json()) as GraphqlAnswer;
};

const rest = async (
  path: string,
  init: RequestInit = {},
  headers: Record<string, string> = {},
): Promise<{ status: number; body: unknown }> => {
  const answer = await fetch(`${server.base}/api/v1/${path}`, {
    ...init,
    headers: { 'Content-Type': 'application/json', ...headers },
  });
  return { status: answer.status, body: await answer.json() };
};

/** The field of the overload with this argument type: names of overloads differ by a hash. */
async function fieldFor(type: string): Promise<string> {
  const catalog = JSON.parse(await readFile(join(program.folder, 'dist/generated/catalog.json'), 'utf8')) as {
    routines: readonly { name: string; signature: string }[];
  };
  const written = { varchar: 'character varying', int: 'integer', 'int[]': 'integer[]' }[type] ?? type;
  const signature = catalog.routines.find(
    (each) => each.name === 'which' && each.signature.replaceAll('public.', '').includes(`n ${written},`),
  );
  expect(signature).toBeDefined();
  const hash = createHash('sha256')
    .update(`public.which(${signature?.signature ?? ''})`)
    .digest('hex')
    .slice(0, 6);
  return `callPublicWhich_${hash}`;
}

describe('domains', () => {
  test('are written, read and filtered level by level', async () => {
    const create = `mutation ($input: PublicThingsCreateInput!) { createPublicThings(input: $input) { ${fields} } }`;
    expect(await ask(create, { input: given })).toEqual({ data: { createPublicThings: given } });
    expect(await ask(`{ publicThings { ${fields} } }`)).toEqual({ data: { publicThings: [given] } });
  });

  test.each([
    ['tiny: { eq: 7 }'],
    ['tinies: { contains: [2] }'],
    ['tinies: { eq: [1, 2] }'],
    ['pairs: { eq: [[1, 2], [3, 4]] }'],
    ['pairs: { contains: [[3, 4]] }'],
    ['pairs: { hasAny: [[9, 9], [1, 2]] }'],
    ['pairs: { length: { eq: 2 } }'],
    ['big_pairs: { contains: [["2", "3"]] }'],
    ['feeling: { eq: very_bad }'],
    ['feelings: { contains: [very_bad] }'],
    ['many_feelings: { hasAny: [very_bad] }'],
    ['span: { containsElement: 2 }'],
  ])('where: { %s }', async (where) => {
    expect(await ask(`{ publicThings(where: { ${where} }) { id } }`)).toEqual({ data: { publicThings: [{ id: 1 }] } });
  });
});

describe('domains over REST', () => {
  test('read as over GraphQL, and take the same bodies', async () => {
    const read = await rest('things?id=eq.1');
    expect(read).toMatchObject({
      status: 200,
      body: { data: [{ pairs: given.pairs, tinies: [1, 2], feeling: 'very bad' }] },
    });
    const patched = await rest('things?id=eq.1', { method: 'PATCH', body: JSON.stringify({ pairs: [[5, 6]] }) });
    expect(patched).toMatchObject({ status: 200, body: [{ pairs: [[5, 6]] }] });
  });

  test.each([
    'feeling=eq.very%20bad',
    'feeling=in.(good,"very%20bad")',
    'pairs=cs.%7B%22%7B5,6%7D%22%7D',
    'place=not.is.null',
  ])('%s', async (filter) => {
    expect(await rest(`things?${filter}&select=id&order=feeling`)).toMatchObject({ body: { data: [{ id: 1 }] } });
  });
});

test('a domain over an enum is a key, an order and an aggregate', async () => {
  const upsert = { method: 'POST', body: JSON.stringify({ feeling: 'good', note: 'one' }) };
  const merging = { Prefer: 'resolution=merge-duplicates' };
  expect(await rest('moods', upsert, merging)).toMatchObject({ status: 201, body: { feeling: 'good' } });
  expect(await rest('moods', upsert, merging)).toMatchObject({ status: 200, body: { feeling: 'good' } });
  expect(await ask(`{ publicMoodsByPk(feeling: good) { note } }`)).toEqual({
    data: { publicMoodsByPk: { note: 'one' } },
  });
  const document = `{
    publicMoodsConnection(first: 1, orderBy: { feeling: ASC }) { nodes { feeling } pageInfo { endCursor } }
    publicMoodsAggregate(groupBy: [feeling]) { min { feeling } groups { key { feeling } count } }
  }`;
  expect(await ask(document)).toMatchObject({
    data: {
      publicMoodsConnection: { nodes: [{ feeling: 'good' }] },
      publicMoodsAggregate: { min: { feeling: 'good' }, groups: [{ key: { feeling: 'good' }, count: 1 }] },
    },
  });
});

describe('procedures', () => {
  test.each([
    ['int', '1'],
    ['bigint', '"1"'],
    ['positive', '1'],
    ['small', '1'],
    ['text', '"a"'],
    ['varchar', '"a"'],
    ['pair', '[1, 2]'],
    ['int[]', '[1, 2]'],
    ['pairs', '[[1, 2]]'],
    ['small[]', '[1]'],
    ['place', '{ x: 1 }'],
    ['spot', '{ x: 1 }'],
    ['feeling', 'good'],
    ['mood', 'good'],
    ['span', '{ lower: 1, upper: 2 }'],
  ])('the overload that takes %s is the one that is called', async (type, value) => {
    const name = await fieldFor(type);
    expect(await ask(`mutation { ${name}(n: ${value}) }`)).toEqual({
      data: { [name]: JSON.stringify({ seen: type }) },
    });
  });

  test('the check of the domain runs', async () => {
    const answer = await ask(`mutation { ${await fieldFor('small')}(n: 100) }`);
    expect(answer.errors).toMatchObject([{ extensions: { code: '23514' } }]);
  });

  test('domains are given and answered level by level', async () => {
    const document = 'mutation { callPublicEcho(v: [[1, 2], [3, 4]], w: [{ x: 1, y: "2" }]) callPublicFill }';
    const { data } = (await ask(document)) as { data: Record<string, string> };
    expect(JSON.parse(data['callPublicEcho'] ?? '')).toEqual({
      v: [
        [1, 2],
        [3, 4],
      ],
      w: [{ x: 1, y: '2' }],
      never: 1,
    });
    expect(JSON.parse(data['callPublicFill'] ?? '')).toEqual({ value: 3 });
  });
});

describe('functions of a row', () => {
  const left = async () => {
    const pool = openPool({ connectionString: database.url, max: 1 });
    const { rows } = await pool.query<{ count: string }>('select count(*) from notes');
    await pool.end();
    return Number(rows[0]?.count);
  };

  test('that are STABLE or IMMUTABLE are fields', async () => {
    expect(await ask('{ publicNotesByPk(id: 1) { title length } }')).toEqual({
      data: { publicNotesByPk: { title: 'NOTE 1', length: 6 } },
    });
    expect(await rest('notes?id=eq.1&select=title,length')).toMatchObject({
      body: { data: [{ title: 'NOTE 1', length: 6 }] },
    });
  });

  test('that are VOLATILE are no fields, so that no request can write by reading', async () => {
    const documents = [
      '{ publicNotes { purge } }',
      '{ publicNotes(orderBy: { purge: ASC }) { id } }',
      '{ publicNotes(where: { purge: { eq: 1 } }) { id } }',
      '{ publicNotes(distinctOn: [purge]) { id } }',
      '{ publicNotesConnection(orderBy: { purge: ASC }) { nodes { purge } } }',
      '{ publicNotesAggregate(groupBy: [purge]) { sum { purge } } }',
      'mutation { updatePublicNotes(id: 1, input: { body: "x" }) { purge } }',
      'mutation { createPublicNotes(input: { id: 99 }) { purge } }',
      'mutation { deletePublicNotes(id: 1) { purge } }',
    ];
    for (const document of documents) expect(await ask(document)).not.toHaveProperty('data');
    for (const name of ['purge', 'notes_purge']) {
      for (const query of [
        `select=${name}`,
        `order=${name}`,
        `${name}=eq.1`,
        `select=id,body->${name}`,
        `or=(${name}.eq.1)`,
      ]) {
        expect((await rest(`notes?${query}`)).status).toBe(400);
      }
      const change = `notes?id=eq.1&select=${name}`;
      expect((await rest(change, { method: 'PATCH', body: '{"body":"x"}' })).status).toBe(400);
      expect((await rest(change, { method: 'PUT', body: '{"body":"x"}' })).status).toBe(400);
      expect((await rest(change, { method: 'DELETE' })).status).toBe(400);
      expect((await rest(`notes?select=${name}`, { method: 'POST', body: '{"id":99}' })).status).toBe(400);
    }
    expect(await left()).toBe(21);
  });
});

describe('the served schema', () => {
  test('is schema.graphql, with every description', async () => {
    const { data } = await query(server, getIntrospectionQuery({ specifiedByUrl: true }));
    const served = buildClientSchema(data as IntrospectionQuery);
    const written = buildSchema(await readFile(join(program.folder, 'dist/generated/schema.graphql'), 'utf8'));
    expect(printSchema(lexicographicSortSchema(served))).toBe(printSchema(lexicographicSortSchema(written)));
  });

  test('describes every root field, the arguments that tables share, and every input', async () => {
    const { data } = await query(server, getIntrospectionQuery());
    const schema = buildClientSchema(data as IntrospectionQuery);
    const roots = [schema.getQueryType(), schema.getMutationType()].flatMap((root) =>
      Object.values(root?.getFields() ?? {}),
    );
    expect(roots.length).toBeGreaterThan(20);
    expect(roots.filter(({ description }) => !description).map(({ name }) => name)).toEqual([]);
    const spelled = (name: string): boolean => name.endsWith('ByPk') || name.startsWith('call');
    const silent = roots
      .filter(({ name }) => !spelled(name))
      .flatMap(({ args }) => args.filter((each) => !each.description));
    expect(silent.map(({ name }) => name)).toEqual([]);
    const inputs = Object.values(schema.getTypeMap()).filter(isInputObjectType);
    // Inputs of composites and ranges are the database's own types, whose descriptions are the
    // database's comments.
    const own = inputs.filter(({ name }) =>
      /(Where|OrderBy|Create|Update|Inc|OnConflict|Filter|Having\w*)Input$/.test(name),
    );
    expect(own.filter(({ description }) => !description).map(({ name }) => name)).toEqual([]);
  });
});
