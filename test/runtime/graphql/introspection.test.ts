import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { brotliDecompressSync } from 'node:zlib';
import { executeSync, getIntrospectionQuery, parse, visit, type DocumentNode } from 'graphql';
import { print, Kind } from 'graphql';
import { createDriver } from '../../support/create-driver.js';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import { startGraphqlServer, type GraphqlServer, type Reply } from '../../support/graphql-server.js';
import { settingsWith } from '../../support/intents.js';
import { extendedSchema } from '../../support/live-schema.js';
import { createFilledDatabase, type TestDatabase } from '../../support/postgres.js';
import { board, boardRegistry, boardSql } from '../../support/registry.js';

const times = (count: number, text: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => text(at)).join(' ');

/** The board's schema with sixty additional types. */
const schema = extendedSchema(
  board,
  `
    ${times(60, (at) => `"The records of sort ${at}." type Sort${at} { ${times(12, (field) => `field${field}(first: Int! = 10, after: [String!]): [Sort${(at + field) % 60}!]!`)} }`)}
    interface Named { name: String }
    type One implements Named { name: String @deprecated(reason: "It was one.") old(a: Int @deprecated): Int }
    union Either = One | Sort0
    extend type Query { ${times(60, (at) => `sort${at}: Sort${at}`)} named: Named either: Either }
  `,
);

const standard = getIntrospectionQuery({
  descriptions: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  experimentalDirectiveDeprecation: true,
  oneOf: true,
});
const root = standard.slice(
  standard.indexOf('__schema'),
  standard.lastIndexOf('}', standard.indexOf('fragment FullType')),
);
const fragments = standard.slice(standard.indexOf('fragment FullType'));

let database: TestDatabase;
let driver: Driver;
let server: GraphqlServer;

beforeAll(async () => {
  database = await createFilledDatabase('graphql_introspection', boardSql);
  driver = createDriver(settingsWith({ 'app.datasource.url': database.url }));
  server = await startGraphqlServer({ registry: boardRegistry, schema, driver });
});

afterAll(async () => {
  await server.close();
  await driver.close();
  await database.drop();
});

beforeEach(() => {
  server.forget();
});

/**
 * The text around the first difference; undefined for equal texts. Jest would take minutes to
 * compare several megabytes.
 */
function difference(text: string, expected: string): readonly string[] | undefined {
  if (text === expected) return undefined;
  let at = 0;
  while (text[at] === expected[at]) at += 1;
  return [text, expected].map((each) => each.slice(Math.max(0, at - 80), at + 80));
}

describe('answers are those of graphql-js', () => {
  test.each<readonly [string, string, object?]>([
    ['the standard query', standard],
    [
      'aliases',
      '{ a: __schema { queryType { name } types { n: name } m: types { kind } } b: __schema { types { name } } }',
    ],
    [
      'fields that are merged',
      '{ __schema { types { name } } __schema { types { kind fields { name } } types { fields { args { name } } } } }',
    ],
    [
      'a type by name',
      '{ __type(name: "One") { kind name fields(includeDeprecated: true) { name args(includeDeprecated: true) { name isDeprecated } isDeprecated deprecationReason } interfaces { name possibleTypes { name } } } }',
    ],
    ['without what is deprecated', '{ __type(name: "One") { fields { name args { name } } } }'],
    ['a type that is not there', '{ __type(name: "Nobody") { name } }'],
    [
      'a union',
      '{ __type(name: "Either") { kind possibleTypes { name } fields { name } inputFields { name } enumValues { name } } }',
    ],
    [
      'a type by a variable',
      'query ($name: String!, $all: Boolean) { __type(name: $name) { name fields(includeDeprecated: $all) { name } } }',
      { name: 'One', all: true },
    ],
    [
      'the same with another value',
      'query ($name: String!, $all: Boolean) { __type(name: $name) { name fields(includeDeprecated: $all) { name } } }',
      { name: 'Either', all: false },
    ],
    [
      'directives',
      'query ($no: Boolean = false) { __schema { types @include(if: $no) { name } queryType @skip(if: $no) { name ...F } } } fragment F on __Type { ... on __Type @include(if: true) { kind } }',
    ],
    [
      'the same with another value',
      'query ($no: Boolean = false) { __schema { types @include(if: $no) { name } queryType @skip(if: $no) { name ...F } } } fragment F on __Type { ... on __Type @include(if: true) { kind } }',
      { no: true },
    ],
    [
      'names of types, on every level',
      '{ __typename s: __schema { __typename queryType { __typename name } directives { __typename locations args { __typename defaultValue } } } }',
    ],
    [
      'text that has to be quoted',
      '{ __schema { directives { name description args { description defaultValue type { ofType { name } } } } } }',
    ],
  ])('%s', async (_what, query, variables: object = {}) => {
    const { body, text } = await server.ask(query, variables);
    const expected = executeSync({
      schema,
      document: parse(query),
      variableValues: variables as Record<string, unknown>,
    });
    expect(difference(text, JSON.stringify(expected))).toBeUndefined();
    expect(body.errors).toBeUndefined();
    expect(server.rounds).toHaveLength(0);
    // The second answer comes from the cache.
    expect(difference((await server.ask(query, variables)).text, text)).toBeUndefined();
  });

  test('beside data, in the order of the document', async () => {
    const { text } = await server.ask(
      '{ a: __type(name: "One") { name } kanbanLabelsByPk(id: 1) { name } t: __typename __schema { queryType { name } } l: kanbanLabels(limit: 1, orderBy: {id: ASC}) { id } }',
    );
    expect(JSON.parse(text)).toEqual({
      data: {
        a: { name: 'One' },
        kanbanLabelsByPk: { name: 'urgent' },
        t: 'Query',
        __schema: { queryType: { name: 'Query' } },
        l: [{ id: 1 }],
      },
    });
    expect(Object.keys((JSON.parse(text) as { data: object }).data)).toEqual([
      'a',
      'kanbanLabelsByPk',
      't',
      '__schema',
      'l',
    ]);
    expect(server.rounds).toHaveLength(1);
  });

  test('beside a field that fails', async () => {
    const { body } = await server.ask(
      '{ __type(name: "One") { name } kanbanIssues(where: {search: {rawSearch: "a & & b"}}) { id } }',
    );
    expect(body.errors).toHaveLength(1);
  });

  test('in a document with a mutation, whichever is chosen', async () => {
    const query = 'mutation M { __typename } query Q { __schema { queryType { name } } }';
    const response = await fetch(server.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, operationName: 'Q' }),
    });
    expect(await response.json()).toEqual({ data: { __schema: { queryType: { name: 'Query' } } } });
  });

  test('compressed, for clients that can read that', async () => {
    const http = await import('node:http');
    const reply = await new Promise<{ coding: string | undefined; body: Buffer }>((resolve, reject) => {
      const request = http.request(
        server.url,
        { method: 'POST', headers: { 'content-type': 'application/json', 'accept-encoding': 'br' } },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => {
            resolve({ coding: response.headers['content-encoding'], body: Buffer.concat(chunks) });
          });
        },
      );
      request.on('error', reject);
      request.end(JSON.stringify({ query: standard }));
    });
    expect(reply.coding).toBe('br');
    expect(difference(brotliDecompressSync(reply.body).toString(), (await server.ask(standard)).text)).toBeUndefined();
  });
});

describe('what clients ask to learn a schema is answered', () => {
  /** Adds `__typename` to documents, as clients with a normalised cache do. */
  const withTypenames = (query: string): string => {
    const typename = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } } as const;
    const document: DocumentNode = visit(parse(query), {
      SelectionSet: (set) => ({ ...set, selections: [...set.selections, typename] }),
    });
    return print(document);
  };

  test.each([
    ["graphql-js's, with every option", standard],
    ["graphql-js's, with none", getIntrospectionQuery({ descriptions: false })],
    ["graphql-js's own default", getIntrospectionQuery()],
    ['with __typename everywhere', withTypenames(standard)],
    [
      'with types that are unwrapped further',
      standard.replace(
        'fragment TypeRef on __Type {',
        'fragment TypeRef on __Type { ofType { ofType { ofType { ofType { ofType { ofType { ofType { ofType { ofType { ofType { ofType { kind name } } } } } } } } } } }',
      ),
    ],
  ])('%s', async (_what, query) => {
    expect((await server.ask(query)).body.errors).toBeUndefined();
  });

  test('even where the limit is as low as it can be', async () => {
    const strict = await startGraphqlServer({
      registry: boardRegistry,
      schema,
      driver,
      settings: { 'app.graphql.max-introspection-cost': 1 },
    });
    try {
      expect((await strict.ask(standard)).body.errors).toBeUndefined();
      expect((await strict.ask(`{ a: ${root} b: ${root} c: ${root} } ${fragments}`)).body.errors?.[0]?.message).toBe(
        'The introspection in this document costs more than the standard introspection query.',
      );
    } finally {
      await strict.close();
    }
  });
});

describe('a document that asks more of introspection than its size lets it is refused before it runs', () => {
  const types = 'types { fields { name args { name type { name } } } }';
  const big = times(90, (at) => `a${at}: ${types}`);

  test.each<readonly [string, string, object?]>([
    ['three standard queries', `{ a: ${root} b: ${root} c: ${root} } ${fragments}`],
    ['50 aliased __schema', `{ ${times(50, (at) => `a${at}: __schema { types { ...FullType } }`)} } ${fragments}`],
    ['90 aliased types', `{ __schema { ${big} } }`],
    ['the same in a fragment', `{ __schema { ...F } } fragment F on __Schema { ${big} }`],
    [
      'in a fragment that is spread often',
      `{ ${times(40, (at) => `a${at}: __schema { ...F }`)} } fragment F on __Schema { ${types} }`,
    ],
    [
      'in fragments inside fragments',
      `{ ...A } fragment A on Query { ${times(20, (at) => `a${at}: __schema { ...B }`)} } fragment B on __Schema { x: types { ...C } y: types { ...C } } fragment C on __Type { fields { name args { name type { name } } } }`,
    ],
    ['in inline fragments', `{ ... on Query { ... { __schema { ... on __Schema { ${big} } } } } }`],
    ['included by a variable', `query ($yes: Boolean = true) { __schema @include(if: $yes) { ${big} } }`],
    ['not skipped by a variable', `query ($no: Boolean!) { __schema @skip(if: $no) { ${big} } }`, { no: false }],
    ['beside data', `{ kanbanLabels { id } __schema { ${big} } }`],
    ['beside a mutation that is not chosen', `query Q { __schema { ${big} } }`],
    [
      'types by name',
      `{ ${times(45, (at) => `a${at}: __type(name: "Query") { fields { args { name } type { fields { name args { name } } } } }`)} }`,
    ],
    [
      'the root by its own field',
      `{ ${times(45, (at) => `a${at}: __schema { queryType { fields { type { fields { name args { name } } } } } }`)} }`,
    ],
    [
      'fields of fields of all types',
      '{ __schema { types { fields { type { ofType { ofType { ofType { fields { args { name type { name } } } } } } } } } } }',
    ],
    ['long aliases', `{ __schema { types { fields { ${'a'.repeat(100_000)}: name } } } }`],
    [
      '__typename everywhere',
      `{ __schema { ${times(90, (at) => `a${at}: types { fields { __typename args { __typename } } }`)} } }`,
    ],
  ])('%s', async (_what, query, variables: object = {}) => {
    const { body } = await server.ask(query, variables);
    expect(body.errors?.[0]).toMatchObject({
      message: 'The introspection in this document costs more than 2 standard introspection queries.',
      extensions: { code: 'TW011', hint: expect.stringContaining('app.graphql.max-introspection-cost') as unknown },
    });
    expect(body.data).toBeUndefined();
    expect(server.rounds).toHaveLength(0);
  });

  test('what a directive leaves out costs nothing', async () => {
    const { body } = await server.ask(
      `query ($yes: Boolean!) { __schema { ... @include(if: $yes) { ${big} } queryType { name } } }`,
      { yes: false },
    );
    expect(body).toEqual({ data: { __schema: { queryType: { name: 'Query' } } } });
  });

  test('the setting raises the limit', async () => {
    const generous = await startGraphqlServer({
      registry: boardRegistry,
      schema,
      driver,
      settings: { 'app.graphql.max-introspection-cost': 3 },
    });
    try {
      const { body } = await generous.ask(`{ a: ${root} b: ${root} c: ${root} } ${fragments}`);
      expect(body.errors).toBeUndefined();
    } finally {
      await generous.close();
    }
  });
});

test('other requests are answered while introspection is being written', async () => {
  const order: string[] = [];
  const note = async (what: string, reply: Promise<Reply>): Promise<void> => {
    expect((await reply).body.errors).toBeUndefined();
    order.push(what);
  };
  // So many that three other requests are through earlier on any machine.
  const times = 20;
  const roots = Array.from({ length: times }, (_, at) => `a${String(at)}: ${root}`).join(' ');
  const settings = { 'app.graphql.max-introspection-cost': times };
  const fresh = await startGraphqlServer({ registry: boardRegistry, schema, driver, settings });
  try {
    await fresh.ask('{ kanbanLabelsByPk(id: 1) { name } }');
    const long = note('introspection', fresh.ask(`{ ${roots} } ${fragments}`));
    for (let at = 0; at < 3; at += 1) await note('data', fresh.ask('{ kanbanLabelsByPk(id: 1) { name } }'));
    await long;
  } finally {
    await fresh.close();
  }
  expect(order).toEqual(['data', 'data', 'data', 'introspection']);
});
