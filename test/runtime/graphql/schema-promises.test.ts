import { openServed, type Served, type ServedServer } from '../../support/served-as-role.js';

/**
 * What the schema of GraphQL says, a request may do: types of lists of lists, optional arguments,
 * the texts of floats, pages, and the list of types itself.
 */
const sql = `
create schema sink;
create domain sink.texts as text[];
create domain sink.many_texts as sink.texts[];
create domain sink.cubes as sink.many_texts[];
create domain sink.bigs as bigint[];
create domain sink.renamed as sink.many_texts;
create type sink.pair as (one sink.texts, many sink.many_texts);
create domain sink.pairs as sink.pair[];
create type sink.mood as enum ('good', 'bad');
create domain sink.moods as sink.mood[];
create table sink.types (
  id integer primary key,
  texts sink.texts, many sink.many_texts, plain sink.texts[], cubes sink.cubes, bigs sink.bigs, many_bigs sink.bigs[],
  renamed sink.renamed, pair sink.pair, pairs sink.pairs, many_pairs sink.pairs[], moods sink.moods, many_moods sink.moods[],
  matrix integer[][]
);
insert into sink.types values (1,
  '{a,b}', array['{a,b}', '{c}']::sink.texts[], array['{a,b}', null, '{}']::sink.texts[],
  array[array['{a}']::sink.texts[]::sink.many_texts]::sink.many_texts[], '{1,2}', array['{1,2}']::sink.bigs[],
  array['{x}']::sink.texts[], row('{a}', array['{b}']::sink.texts[]), array[row('{a}', array['{b}']::sink.texts[])::sink.pair],
  array_append(array[array[row('{a}', array['{b}']::sink.texts[])::sink.pair]::sink.pairs], null), '{good,bad}', array['{good}']::sink.moods[],
  '{{1,2},{3,4}}');
insert into sink.types values (2);
create domain sink.score as double precision;
create type sink.point as (x double precision, y real);
create table sink.numbers (id integer primary key, f double precision, r real, fs double precision[], s sink.score, p sink.point, spans numrange);
insert into sink.numbers values (1, 'Infinity', '-Infinity', '{NaN,Infinity,1.5}', 'NaN', row('NaN', 'Infinity')), (2, 1, 1, '{}', 1, null);
create function sink.half(v double precision) returns double precision language sql immutable as $$ select v / 2 $$;
create function sink.numbers_times(n sink.numbers, factor double precision, plus double precision default 0) returns double precision language sql immutable as $$ select n.id * factor + plus $$;
create function sink.note(a text, b integer) returns text language sql stable as $$ select coalesce(a, 'null') || coalesce(b, -1) $$;
create procedure sink.put(inout a text, b integer) language plpgsql as $$ begin a := coalesce(a, 'null') || coalesce(b, -1); end $$;
create function sink.answer() returns sink.many_texts language sql stable as $$ select many from sink.types where id = 1 $$;
create function sink.answer_pairs() returns sink.pairs[] language sql stable as $$ select many_pairs from sink.types where id = 1 $$;
create view sink.keyless as select f as n from sink.numbers;
create function sink.answers() returns setof sink.many_texts language sql stable as $$ select many from sink.types where id = 1 $$;
create function sink.answers_one() returns setof sink.texts language sql stable as $$ select texts from sink.types $$;
create function sink.answer_texts() returns sink.texts[] language sql stable as $$ select plain from sink.types where id = 1 $$;
create function sink.types_same(r sink.types) returns sink.many_texts language sql stable as $$ select r.many $$;
create function sink.echo(v sink.many_texts, w sink.texts[], p sink.pairs) returns sink.many_texts language sql stable as $$ select v $$;
create function sink.write_echo(v sink.many_texts) returns sink.many_texts language sql volatile as $$ select v $$;
create function sink.write_echoes(v sink.many_texts) returns setof sink.texts language sql volatile as $$ select unnest(v) $$;
create function sink.tabled() returns table (a sink.texts, b sink.many_texts) language sql stable as $$ select texts, many from sink.types where id = 1 $$;
`;
const custom = `
import 'reflect-metadata';
import { Arg, FieldResolver, Float, Query, Resolver, Root } from 'type-graphql';
import { SinkTypes } from '../generated/sink/types.table.js';
@Resolver(() => SinkTypes)
class Own {
  @FieldResolver(() => String)
  own(@Root() row: SinkTypes): string { return String(row.id); }
  @Query(() => String)
  hello(): string { return 'hello'; }
  @Query(() => String)
  twice(@Arg('value', () => Float) value: number): string { return String(2 * value) + ' ' + typeof value; }
}
export const custom = { resolvers: [Own] };
`;

let served: Served;
let server: ServedServer;
beforeAll(async () => {
  served = await openServed({ name: 'sink', schema: 'sink', sql, custom, config: { functions: ['sink.*'] } });
  server = await served.start();
});
afterAll(async () => {
  await server.stop();
  await served.drop();
});
interface Answer {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly message: string }[];
}
const ask = async (document: string, variables?: object): Promise<Answer> => {
  const json = { 'content-type': 'application/json' };
  const { text } = await server.send('POST', '/graphql', json, JSON.stringify({ query: document, variables }));
  return JSON.parse(text) as Answer;
};
/** Both ways of an answer: the database's own text, and graphql-js, which a custom field needs. */
const both = async (document: string): Promise<readonly unknown[]> => {
  const [text, executed] = [await ask(document), await ask(document.replace('{', '{ hello '))];
  const { hello, ...data } = executed.data ?? {};
  expect([hello, executed.errors]).toEqual(['hello', undefined]);
  return [text, { data }];
};

// First of all: a server that has been asked for all types knows them.
test('__type answers no type that __schema does not list', async () => {
  const names = ['Vector', 'TextSearch', 'UUIDFilterInput', 'VectorInput', 'Nonsense', '__Type', 'ID', 'SinkTypes'];
  const asked = names.map((name) => `${name}: __type(name: "${name}") { name }`).join(' ');
  const found = [await ask(`{ ${asked} }`), await ask(`{ hello ${asked} }`)];
  const { data } = await ask('{ __schema { types { name } } }');
  const { types } = data?.['__schema'] as { readonly types: readonly { readonly name: string }[] };
  const listed = new Set(types.map(({ name }) => name));
  const expected = Object.fromEntries(names.map((name) => [name, listed.has(name) ? { name } : null]));
  expect(expected).toMatchObject({ Vector: null, Nonsense: null, SinkTypes: { name: 'SinkTypes' } });
  for (const each of found) expect(each.data).toMatchObject(expected);
});

describe('lists of lists, by domains over lists', () => {
  const all = `id texts many plain cubes bigs many_bigs renamed pair { one many } pairs { one many }
    many_pairs { one many } moods many_moods matrix same`;
  const pair = { one: ['a'], many: [['b']] };
  const row = {
    id: 1,
    texts: ['a', 'b'],
    many: [['a', 'b'], ['c']],
    plain: [['a', 'b'], null, []],
    cubes: [[['a']]],
    bigs: ['1', '2'],
    many_bigs: [['1', '2']],
    renamed: [['x']],
    pair,
    pairs: [pair],
    many_pairs: [[pair], null],
    moods: ['good', 'bad'],
    many_moods: [['good']],
    matrix: [
      [1, 2],
      [3, 4],
    ],
    same: [['a', 'b'], ['c']],
  };

  test('are answered, with and without custom code', async () => {
    const document = `{ sinkTypes(where: { id: { lte: 2 } }, orderBy: { id: ASC }) { ${all} } }`;
    const empty = Object.fromEntries(Object.keys(row).map((name) => [name, name === 'id' ? 2 : null]));
    for (const each of await both(document)) expect(each).toEqual({ data: { sinkTypes: [row, empty] } });
    expect(await ask(document.replace(all, `${all} own`))).toEqual({
      data: {
        sinkTypes: [
          { ...row, own: '1' },
          { ...empty, own: '2' },
        ],
      },
    });
  });

  test.each([
    ['sinkAnswer', row.many],
    ['sinkAnswers', [row.many]],
    ['sinkAnswersOne', [row.texts, null]],
    ['sinkAnswerTexts', row.plain],
    ['sinkAnswerPairs', row.many_pairs],
    ['sinkEcho(v: [["a"]], w: [["b"], null], p: [{ one: ["x"], many: [["y"]] }])', [['a']]],
  ])('are answered by functions: %s', async (call, expected) => {
    const fields = call === 'sinkAnswerPairs' ? ' { one many }' : '';
    const [name = ''] = call.split('(');
    for (const each of await both(`{ ${call}${fields} }`)) expect(each).toEqual({ data: { [name]: expected } });
  });

  test('are written and filtered by', async () => {
    const { texts, plain, cubes, bigs, many_bigs, pairs, moods, many_moods } = row;
    const input = { texts, plain, cubes, bigs, many_bigs, pair, pairs, many_pairs: [[pair]], moods, many_moods };
    const { data } = await ask(
      `mutation ($input: SinkTypesCreateInput!) { createSinkTypes(input: $input) { ${all} own } }`,
      { input: { ...input, id: 3, many: [['q'], ['r', 's']] } },
    );
    expect(data).toEqual({
      createSinkTypes: {
        ...input,
        id: 3,
        many: [['q'], ['r', 's']],
        same: [['q'], ['r', 's']],
        renamed: null,
        matrix: null,
        own: '3',
      },
    });
    const literal = 'many: { eq: [["q"], ["r", "s"]] }, plain: { hasAny: [["a", "b"]] }, cubes: { eq: [[["a"]]] }';
    expect(await ask(`{ sinkTypes(where: { ${literal} }) { id } }`)).toEqual({ data: { sinkTypes: [{ id: 3 }] } });
  });
});

describe('an argument that is left out takes its default, and is null without one', () => {
  test('of computed fields, also in filters, orders and aggregates', async () => {
    const document = `{
      sinkNumbers(where: { id: { eq: 2 } }, orderBy: [{ times: { direction: ASC } }]) { none: times one: times(factor: 3) two: times(factor: 3, plus: 1) }
      none: sinkNumbers(where: { times: { gt: 0 } }) { id }
      some: sinkNumbers(where: { id: { eq: 2 }, times: { args: { plus: 1 }, isNull: true } }) { id }
      sinkNumbersAggregate { max { times } } }`;
    for (const each of await both(document)) {
      expect(each).toEqual({
        data: {
          sinkNumbers: [{ none: null, one: 6, two: 7 }],
          none: [],
          some: [{ id: 2 }],
          sinkNumbersAggregate: { max: { times: null } },
        },
      });
    }
  });

  test('of functions and procedures', async () => {
    const document = '{ a: sinkNote b: sinkNote(a: "x") c: sinkNote(b: 2) }';
    for (const each of await both(document)) expect(each).toEqual({ data: { a: 'null-1', b: 'x-1', c: 'null2' } });
    expect(await ask('mutation { a: callSinkPut b: callSinkPut(a: "x") c: callSinkWriteEcho }')).toEqual({
      data: { a: '{"a":"null-1"}', b: '{"a":"x-1"}', c: null },
    });
  });
});

describe('Float takes the texts that it answers', () => {
  test('in documents: filters, arguments, lists, composites, increments', async () => {
    const answered = await ask(`{
      infinite: sinkNumbers(where: { f: { eq: "Infinity" } }) { id f r fs s p { x y } t: times(factor: "Infinity", plus: 1) }
      listed: sinkNumbers(where: { f: { in: ["Infinity", 1] }, id: { lt: 3 } }, orderBy: { id: ASC }) { id }
      both: sinkNumbers(where: { r: { eq: "-Infinity" }, s: { eq: "NaN" }, fs: { contains: ["NaN"] } }) { id }
      sinkHalf(v: "-Infinity")
      sinkNumbersAggregate(groupBy: [id], having: { sum: { f: { eq: "Infinity" } } }) { groups { key { id } } } }`);
    expect(answered).toEqual({
      data: {
        infinite: [
          {
            id: 1,
            f: 'Infinity',
            r: '-Infinity',
            fs: ['NaN', 'Infinity', 1.5],
            s: 'NaN',
            p: { x: 'NaN', y: 'Infinity' },
            t: 'Infinity',
          },
        ],
        listed: [{ id: 1 }, { id: 2 }],
        both: [{ id: 1 }],
        sinkHalf: '-Infinity',
        sinkNumbersAggregate: { groups: [{ key: { id: 1 } }] },
      },
    });
    const written = `mutation {
      createSinkNumbers(input: { id: 10, f: "NaN", r: "-Infinity", fs: ["NaN", 1, null], s: "Infinity", p: { x: "NaN", y: 1 } }) { f r fs s p { x y } }
      updateSinkNumbers(id: 2, input: {}, inc: { f: "Infinity" }) { f }
      deleteSinkNumbers(where: { id: { gte: 10 } }) { id } back: updateSinkNumbers(id: 2, input: { f: 1 }) { f } }`;
    expect(await ask(written)).toEqual({
      data: {
        createSinkNumbers: { f: 'NaN', r: '-Infinity', fs: ['NaN', 1, null], s: 'Infinity', p: { x: 'NaN', y: 1 } },
        updateSinkNumbers: [{ f: 'Infinity' }],
        deleteSinkNumbers: [{ id: 10 }],
        back: [{ f: 1 }],
      },
    });
  });

  test('in variables, one or many rows', async () => {
    const row = { id: 11, f: 'NaN', r: 'Infinity', fs: ['-Infinity', 2.5], s: 'NaN' };
    const insert = `mutation ($rows: [SinkNumbersCreateInput!]!) { createManySinkNumbers(inputs: $rows) { id f r fs s } }`;
    expect(await ask(insert, { rows: [row, { ...row, id: 12, f: 1.25 }] })).toEqual({
      data: { createManySinkNumbers: [row, { ...row, id: 12, f: 1.25 }] },
    });
    const read =
      'query ($f: Float, $in: [Float!]) { one: sinkNumbers(where: { id: { gt: 10 }, f: { eq: $f } }) { id } many: sinkNumbers(where: { id: { gt: 10 }, f: { in: $in } }, orderBy: { id: ASC }) { id } }';
    expect(await ask(read, { f: 'NaN', in: ['NaN', 1.25] })).toEqual({
      data: { one: [{ id: 11 }], many: [{ id: 11 }, { id: 12 }] },
    });
  });

  test.each(['"inf"', '"1.5"', '"infinity"', '"-NaN"', '""'])('but not %s', async (text) => {
    const { data, errors } = await ask(`{ sinkNumbers(where: { f: { eq: ${text} } }) { id } }`);
    expect([data, errors?.[0]?.message]).toEqual([undefined, expect.stringContaining('Float cannot represent')]);
    const asVariable = await ask('query ($f: Float) { sinkNumbers(where: { f: { eq: $f } }) { id } }', {
      f: JSON.parse(text) as string,
    });
    expect(asVariable.errors).toHaveLength(1);
  });

  test("code of one's own gets numbers", async () => {
    expect(await ask('{ twice(value: "-Infinity") }')).toEqual({ data: { twice: '-Infinity number' } });
  });
});

describe('a page that cannot be is refused, whatever of it is asked for', () => {
  const asked = ['totalCount', '__typename', 'nodes { id }', 'pageInfo { hasNextPage }', 'pageInfo { __typename }'];
  test.each(
    asked.flatMap((select) => ['sinkNumbersConnection', 'sinkKeylessConnection'].map((field) => [field, select])),
  )('%s { %s }', async (field = '', select = '') => {
    const fields = field === 'sinkKeylessConnection' ? select.replace('id', 'n') : select;
    for (const [page, message] of [
      ['first: -1', 'first has to be a whole number, 0 or more.'],
      ['last: -1', 'last has to be a whole number, 0 or more.'],
      ['first: 1, last: -1', 'last has to be a whole number, 0 or more.'],
      ['first: 1, after: "x"', '"after" is not a cursor.'],
      ['last: 1, before: "x"', '"before" is not a cursor.'],
    ]) {
      const { data, errors } = await ask(`{ ${field}(${page ?? ''}) { ${fields} } }`);
      expect([page, data, errors?.[0]?.message]).toEqual([page, null, message]);
    }
    const variables = `query ($n: Int, $c: String) { ${field}(first: $n, after: $c) { ${fields} } }`;
    expect((await ask(variables, { n: 5 })).errors).toBeUndefined();
    expect((await ask(variables, { n: -5 })).errors).toHaveLength(1);
    expect((await ask(variables, { n: 5, c: 'x' })).errors).toHaveLength(1);
    expect((await ask(variables, { n: 5 })).errors).toBeUndefined();
  });
});
