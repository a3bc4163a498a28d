import { createMysqlDatabase, describeMysql, loadMysql } from '../../support/mysql.js';
import { buildGenerated } from '../../support/generated-program.js';
import { post, type GraphqlBody } from '../../support/graphql-server.js';
import { createTestDatabase, loadSql } from '../../support/postgres.js';
import type { RunningServer } from '../../support/running-server.js';
import { startServerHere } from '../../support/server-here.js';
import type { Transpiled } from '../../support/transpile.js';
import { until } from '../../support/until.js';

/** Global identifiers of rows over HTTP, on both databases. */

interface Board {
  readonly url: string;
  readonly load: (sql: string) => Promise<void>;
  readonly drop: () => Promise<void>;
}

const projects = `
  create table projects (id int primary key, title varchar(80) not null);
  create table issues (id bigint primary key, project_id int not null, title varchar(80) not null, hidden int not null default 0,
    constraint issues_project foreign key (project_id) references projects (id));
  create table members (project_id int not null, name varchar(40) not null, role varchar(20),
    primary key (project_id, name),
    constraint members_project foreign key (project_id) references projects (id));
  create table scribbles (body varchar(80));
  create view titles as select id, title from projects;
  insert into projects values (1, 'Web'), (2, 'App');
  insert into issues values (9007199254740993, 1, 'Slow', 0), (2, 1, 'Crash', 0), (3, 2, 'Typo', 1);
  insert into members values (1, 'Zoë "Z" \\\\ 字', 'lead'), (1, 'Bob', null), (2, 'Bob', 'guest');
  insert into scribbles values ('x');
`;

/** Tables with one row each, by the type of their key. */
const keys: Readonly<Record<'postgres' | 'mysql', Readonly<Record<string, readonly [type: string, value: string]>>>> = {
  postgres: {
    uuids: ['uuid', `'8d8ac610-566d-4ef0-9c22-186b2a5ed793'`],
    texts: ['text', `'a/b+c é "'`],
    days: ['date', `'2024-02-29'`],
    moments: ['timestamptz', `'2024-02-29 12:00:00.1234+02'`],
    plain_moments: ['timestamp', `'2024-02-29 12:00:00.1234'`],
    times: ['time', `'23:59:59.5'`],
    amounts: ['numeric(20, 4)', `'1234567890.5'`],
    smalls: ['smallint', `-7`],
    flags: ['boolean', `true`],
    hashes: ['bytea', `'\\\\xff00'`],
    moods: ['mood', `'it''s, bad'`],
    spans: ['interval', `'1 day 02:00'`],
    addresses: ['inet', `'10.0.0.1/24'`],
    ranges: ['int4range', `'[1,5)'`],
  },
  mysql: {
    uuids: ['uuid', `'8d8ac610-566d-4ef0-9c22-186b2a5ed793'`],
    texts: ['varchar(40)', `'a/b+c é "'`],
    latins: ['char(10) character set latin1', `'Grün'`],
    days: ['date', `'2024-02-29'`],
    moments: ['timestamp(6)', `'2024-02-29 12:00:00.1234'`],
    plain_moments: ['datetime(6)', `'2024-02-29 12:00:00.1234'`],
    times: ['time(3)', `'23:59:59.5'`],
    amounts: ['decimal(20, 4)', `'1234567890.5'`],
    smalls: ['tinyint', `-7`],
    counters: ['bigint unsigned', `18446744073709551615`],
    flags: ['tinyint(1)', `1`],
    hashes: ['binary(4)', `x'ff00ff01'`],
    moods: [`enum('good', 'it''s, bad')`, `'it''s, bad'`],
    bits: ['bit(4)', `b'1010'`],
  },
};

const keyTables = (dialect: keyof typeof keys): string =>
  Object.entries(keys[dialect])
    .map(
      ([name, [type, value]]) =>
        `create table ${name} (the_key ${type} primary key, body varchar(10)); insert into ${name} values (${value}, 'found');`,
    )
    .join('\n');

async function postgresBoard(): Promise<Board> {
  const database = await createTestDatabase('relay');
  const text = `create schema board; set search_path = board; create type mood as enum ('good', 'it''s, bad');`;
  await loadSql(database.url, text + (projects + keyTables('postgres')).replaceAll('\\\\', '\\'));
  return { url: database.url, load: (sql) => loadSql(database.url, sql), drop: () => database.drop() };
}

async function mysqlBoard(): Promise<Board> {
  const database = await createMysqlDatabase('relay');
  await loadMysql(database.url, projects + keyTables('mysql'));
  return { url: database.url, load: (sql) => loadMysql(database.url, sql), drop: () => database.drop() };
}

const config = { names: { schemaPrefix: 'never', columns: 'camel', relations: 'simple' }, relay: {} };

const idOf = (...parts: readonly unknown[]): string => Buffer.from(JSON.stringify(parts)).toString('base64url');

function describeNodes(open: () => Promise<Board>, dialect: keyof typeof keys): void {
  let board: Board;
  let program: Transpiled;
  let server: RunningServer;

  beforeAll(async () => {
    board = await open();
    program = await buildGenerated(board.url, { 'tablewright.config.json': JSON.stringify(config) });
    server = await startServerHere(program.folder, { DATABASE_URL: board.url, APP_CACHE_SCHEMA_TTL_MINUTES: '1' });
  });

  afterAll(async () => {
    await server.stop();
    await program.remove();
    await board.drop();
  });

  const ask = async (query: string, variables = {}): Promise<GraphqlBody> =>
    (await post(`${server.base}/graphql`, JSON.stringify({ query, variables }))).body;
  const data = async (query: string, variables = {}): Promise<Record<string, unknown>> => {
    const body = await ask(query, variables);
    expect(body.errors).toBeUndefined();
    return body.data as Record<string, unknown>;
  };
  const firstId = async (list: string): Promise<string> => {
    const { rows } = (await data(`{ rows: ${list}(limit: 1) { nodeId } }`)) as { rows: { nodeId: string }[] };
    return rows[0]?.nodeId ?? '';
  };

  test('every row of a table with a key has an identifier, and `node` finds the row by it', async () => {
    const { issues } = (await data('{ issues(orderBy: {id: ASC}) { id nodeId project { nodeId } } }')) as {
      issues: { id: string; nodeId: string; project: { nodeId: string } }[];
    };
    expect(issues.map(({ nodeId }) => nodeId)).toEqual(['2', '3', '9007199254740993'].map((id) => idOf('Issues', id)));
    for (const { id, nodeId, project } of issues) {
      const found = await data('query ($id: ID!) { node(id: $id) { nodeId __typename ... on Issues { id title } } }', {
        id: nodeId,
      });
      expect(found).toEqual({ node: { nodeId, __typename: 'Issues', id, title: expect.any(String) as string } });
      expect(await data(`{ node(id: "${project.nodeId}") { ... on Projects { title } } }`)).toEqual({
        node: { title: expect.any(String) as string },
      });
    }
  });

  test.each(Object.keys(keys[dialect]))('a key of every type: %s', async (table) => {
    const list = table.replace(/_(.)/g, (_, first: string) => first.toUpperCase());
    const id = await firstId(list);
    expect(id).toMatch(/^[\w-]+$/);
    expect(
      await data('query ($id: ID!) { node(id: $id) { nodeId __typename } nodes(ids: [$id]) { nodeId } }', { id }),
    ).toEqual({
      node: { nodeId: id, __typename: list.replace(/^./, (first) => first.toUpperCase()) },
      nodes: [{ nodeId: id }],
    });
  });

  test('a key of several columns, with characters of every kind', async () => {
    const { members } = (await data('{ members(orderBy: [{projectId: ASC}, {role: ASC}]) { name nodeId } }')) as {
      members: { name: string; nodeId: string }[];
    };
    expect(members).toHaveLength(3);
    for (const { name, nodeId } of members)
      expect(await data(`{ node(id: "${nodeId}") { ... on Members { name nodeId } } }`)).toEqual({
        node: { name, nodeId },
      });
  });

  test('one shape of a document finds rows of several types by variable', async () => {
    const query = `query ($id: ID!) { node(id: $id) { __typename
      ... on Issues { title project { title } } ...Named } } fragment Named on Projects { title issues(orderBy: {id: DESC}) { title } }`;
    const [issue, project] = [idOf('Issues', '2'), idOf('Projects', '2')];
    for (let round = 0; round < 2; round += 1) {
      expect(await data(query, { id: issue })).toEqual({
        node: { __typename: 'Issues', title: 'Crash', project: { title: 'Web' } },
      });
      expect(await data(query, { id: project })).toEqual({
        node: { __typename: 'Projects', title: 'App', issues: [{ title: 'Typo' }] },
      });
      expect(await data(query, { id: idOf('Members', '1', 'Bob') })).toEqual({ node: { __typename: 'Members' } });
      expect(await data(query, { id: 'nonsense' })).toEqual({ node: null });
    }
  });

  test('fragments on the interface, and on other types than the row’s', async () => {
    const id = idOf('Projects', '1');
    expect(
      await data(`{ a: node(id: "${id}") { ... on Node { again: nodeId } ... on Issues { title } }
        b: node(id: "${id}") { ... on Issues { title } } }`),
    ).toEqual({ a: { again: await firstId('projects') }, b: {} });
  });

  test('`nodes` answers in the order of its identifiers, with null for what is not there', async () => {
    const ids = [idOf('Projects', '2'), 'x', idOf('Issues', '2'), idOf('Projects', '77'), idOf('Projects', '1')];
    const selected = '{ __typename ... on Projects { title } ... on Issues { title } }';
    const nodes = [
      { __typename: 'Projects', title: 'App' },
      null,
      { __typename: 'Issues', title: 'Crash' },
      null,
      { __typename: 'Projects', title: 'Web' },
    ];
    expect(await data(`query ($ids: [ID!]!) { nodes(ids: $ids) ${selected} }`, { ids })).toEqual({ nodes });
    expect(await data(`{ nodes(ids: ${JSON.stringify(ids)}) ${selected} }`)).toEqual({ nodes });
    expect(await data(`query ($ids: [ID!]!) { nodes(ids: $ids) ${selected} }`, { ids: [] })).toEqual({ nodes: [] });
    const [first] = ids;
    expect(await data(`query ($id: ID!) { nodes(ids: [$id, "x"]) ${selected} }`, { id: first })).toEqual({
      nodes: [nodes[0], null],
    });
  });

  test('`nodes` takes a hundred identifiers', async () => {
    const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { nodeId } }';
    const { nodes } = (await data(query, { ids: Array.from({ length: 100 }, () => idOf('Projects', '1')) })) as {
      nodes: unknown[];
    };
    expect(nodes).toHaveLength(100);
    const { errors } = await ask(query, { ids: Array.from({ length: 101 }, () => 'x') });
    expect(errors).toMatchObject([{ message: 'nodes takes 100 identifiers at most.', path: ['nodes'] }]);
  });

  test.each([
    '',
    'x',
    '====',
    idOf(),
    idOf('Projects'),
    idOf('Projects', 'x'),
    idOf('Projects', '99999999999999999999'),
    idOf('Projects', 1),
    idOf('Projects', null),
    idOf('Projects', '1', '1'),
    idOf('Projects', '1 or true'),
    idOf('Projects', '77'),
    idOf('Days', '2023-02-29'),
    idOf('Days', 'today'),
    idOf('Moments', '2023-02-28 25:00:00'),
    idOf('Uuids', 'x'),
    idOf('Amounts', '1e5'),
    idOf('Flags', 'perhaps'),
    idOf('Hashes', '\\xf'),
    idOf('Moods', 'unknown'),
    idOf('Texts', 'a\0b'),
    idOf('Scribbles', 'x'),
    idOf('Query'),
    idOf('Node', '1'),
    idOf('__proto__', '1'),
    Buffer.from('{"length": 2}').toString('base64url'),
  ])('an identifier of nothing is null: %s', async (id) => {
    expect(
      await data('query ($id: ID!) { node(id: $id) { nodeId __typename } nodes(ids: [$id]) { nodeId } }', { id }),
    ).toEqual({
      node: null,
      nodes: [null],
    });
    expect(await data(`{ node(id: ${JSON.stringify(id)}) { nodeId } }`)).toEqual({ node: null });
  });

  test('edges, mutations and views have identifiers too; tables without a key have none', async () => {
    const { connection } = (await data(
      '{ connection: projectsConnection(first: 1) { nodes { nodeId } edges { node { nodeId } } } }',
    )) as { connection: { nodes: { nodeId: string }[] } };
    const id = connection.nodes[0]?.nodeId ?? '';
    expect(connection).toEqual({ nodes: [{ nodeId: id }], edges: [{ node: { nodeId: id } }] });
    const { created } = (await data(
      'mutation { created: createProjects(input: {id: 50, title: "New"}) { nodeId title } }',
    )) as { created: { nodeId: string } };
    expect(await data(`{ node(id: "${created.nodeId}") { ... on Projects { title } } }`)).toEqual({
      node: { title: 'New' },
    });
    expect(await data('mutation { deleteProjects(where: {id: {eq: 50}}) { nodeId } }')).toEqual({
      deleteProjects: [{ nodeId: created.nodeId }],
    });
    expect(await data(`{ node(id: "${created.nodeId}") { nodeId } }`)).toEqual({ node: null });
    const { __type } = await data(`{ __type(name: "Node") { kind fields { name } possibleTypes { name } } }`);
    const { possibleTypes, ...node } = __type as { possibleTypes: { name: string }[] };
    expect(node).toEqual({ kind: 'INTERFACE', fields: [{ name: 'nodeId' }] });
    const names = possibleTypes.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['Issues', 'Members', 'Projects', 'Uuids']));
    expect(names).not.toContain('Scribbles');
    const { errors } = await ask('{ scribbles { nodeId } }');
    expect(errors).toHaveLength(1);
  });

  test('a table that comes later has identifiers as soon as it is served', async () => {
    await board.load(
      dialect === 'postgres'
        ? `create table board.later (id int primary key); insert into board.later values (1)`
        : `create table later (id int primary key); insert into later values (1)`,
    );
    await until(async () => {
      const { data: found } = await ask('{ later { id } }');
      return found !== undefined;
    });
    const id = await firstId('later');
    expect(await data('query ($id: ID!) { node(id: $id) { __typename ... on Later { id } } }', { id })).toEqual({
      node: { __typename: 'Later', id: 1 },
    });
    expect(await data(`{ nodes(ids: ["${id}", "${idOf('Projects', '1')}"]) { __typename } }`)).toEqual({
      nodes: [{ __typename: 'Later' }, { __typename: 'Projects' }],
    });
  });
}

describe('on PostgreSQL', () => {
  describeNodes(postgresBoard, 'postgres');
});

describeMysql('on MariaDB', () => {
  describeNodes(mysqlBoard, 'mysql');
});
