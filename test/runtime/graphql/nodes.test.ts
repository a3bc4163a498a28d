import type { Driver } from '../../../runtime/src/dialect/driver.js';
import { createDriver } from '../../support/create-driver.js';
import { describeDatabase } from '../../support/describe-database.js';
import { startGraphqlServer, type GraphqlServer } from '../../support/graphql-server.js';
import { settingsWith } from '../../support/intents.js';
import { schemaOf } from '../../support/live-schema.js';
import { openServed, until, writeCustom, type Served, type ServedServer } from '../../support/served-as-role.js';

/**
 * Policies, guards, conditions and custom resolvers apply to rows that are found by their global
 * identifiers.
 */

const sql = `
  create schema desk;
  create table desk.files (id int primary key, owner text not null, name text not null, hidden bool not null default false);
  alter table desk.files enable row level security;
  create policy own on desk.files using (owner = nullif(current_setting('request.user_id', true), '') or owner = 'all');
  create table desk.safes (id int primary key, name text not null);
  create table desk.drawers (id int primary key, name text not null);
  create table desk.lamps (id bigint primary key, name text not null);
  create table desk.days (id date primary key, name text not null);
  create table desk.shelves (id int primary key, name text not null, lamp_id bigint references desk.lamps);
  create table desk.hosts (id inet primary key);
  create schema attic;
  create table attic.boxes (id int primary key);
  insert into desk.files values (1, 'all', 'a', false), (2, 'ada', 'b', false), (3, 'all', 'c', true);
  insert into desk.safes values (1, 'open'), (2, 'shut');
  insert into desk.drawers values (1, 'from the table');
  insert into desk.lamps values (9007199254740993, 'bright');
  insert into desk.days values ('2024-02-29', 'leap');
  insert into desk.shelves values (1, 'upper', 9007199254740993);
  insert into attic.boxes values (1);`;

const custom = `
import { Arg, Authorized, FieldResolver, Int, Query, Resolver, Root, UseMiddleware } from 'type-graphql';
import { DeskFiles } from '../generated/desk/files.table.js';
import { DeskSafes, DeskSafesResolver } from '../generated/desk/safes.table.js';
import { DeskDrawers } from '../generated/desk/drawers.table.js';
import { DeskLamps } from '../generated/desk/lamps.table.js';
import { DeskDays } from '../generated/desk/days.table.js';
import { DeskShelves } from '../generated/desk/shelves.table.js';

@Resolver(() => DeskFiles)
class Files {
  @FieldResolver(() => String)
  shout(@Root() file: DeskFiles): string {
    return file.name.toUpperCase() + file.id;
  }
}

Authorized('root')(DeskSafesResolver.prototype, 'deskSafesByPk');
UseMiddleware(async ({ args }, next) => {
  if (args.id !== 1) throw new Error('Only the first safe, and not ' + JSON.stringify(args.id) + '.');
  return next();
})(DeskSafesResolver.prototype, 'deskSafesByPk');

@Resolver()
class Own {
  @Query(() => DeskDrawers, { nullable: true })
  deskDrawersByPk(@Arg('id', () => Int) id: number): object | null {
    return id === 7 ? { id, name: 'made up ' + typeof id } : null;
  }
  @Query(() => DeskLamps)
  ownLamp(): object {
    return { id: '9007199254740993', name: 'own' };
  }
  @Query(() => DeskDays)
  ownDay(): object {
    return { id: new Date(), name: 'own' };
  }
}

Authorized('root')(DeskShelves);

export const custom = {
  resolvers: [Files, Own],
  authChecker: ({ context }) => context.identity.userId === 'root',
  hooks: { 'desk.files': { onRead: ({ identity }) => (identity.userId === 'root' ? undefined : { hidden: { eq: false } }) } },
};`;

const idOf = (...parts: readonly unknown[]): string => Buffer.from(JSON.stringify(parts)).toString('base64url');

interface Body {
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly message: string; readonly path?: readonly unknown[] }[];
}

let served: Served;
let server: ServedServer;

beforeAll(async () => {
  served = await openServed({ name: 'nodes', schema: 'desk', sql, custom, config: { relay: {} } });
  server = await served.start({ APP_LOG_LEVEL: 'silent', APP_SCHEMAS: 'desk' });
});

afterAll(async () => {
  await server.stop();
  await served.drop();
});

async function ask(document: string, user?: string): Promise<Body> {
  const headers = user === undefined ? {} : { authorization: `Bearer ${await served.token(user)}` };
  return JSON.parse((await server.ask(document, headers)).text) as Body;
}

async function data(document: string, user?: string): Promise<Body['data']> {
  const body = await ask(document, user);
  expect(body.errors).toBeUndefined();
  return body.data;
}

const node = (type: string, key: string, selection = '{ __typename nodeId }'): string =>
  `{ node(id: "${idOf(type, key)}") ${selection} }`;

test('a policy hides a row, and so does `onRead`', async () => {
  const shown = (id: string) => ({ node: { __typename: 'DeskFiles', nodeId: idOf('DeskFiles', id) } });
  expect(await data(node('DeskFiles', '1'))).toEqual(shown('1'));
  expect(await data(node('DeskFiles', '2'))).toEqual({ node: null });
  expect(await data(node('DeskFiles', '2'), 'ada')).toEqual(shown('2'));
  expect(await data(node('DeskFiles', '3'), 'ada')).toEqual({ node: null });
  expect(await data(node('DeskFiles', '3'), 'root')).toEqual(shown('3'));
});

test('fields of the user’s own are answered, beside rows of other types', async () => {
  const [file, hidden, lamp] = [idOf('DeskFiles', '1'), idOf('DeskFiles', '3'), idOf('DeskLamps', '9007199254740993')];
  const selection = '{ __typename again: nodeId ... on DeskFiles { shout } ... on DeskLamps { name } }';
  expect(await data(`{ node(id: "${file}") ${selection} }`)).toEqual({
    node: { __typename: 'DeskFiles', again: file, shout: 'A1' },
  });
  expect(
    await data(`{ some: nodes(ids: ["${lamp}", "x", "${file}", "${hidden}"]) ${selection} other: deskLamps { id } }`),
  ).toEqual({
    some: [
      { __typename: 'DeskLamps', again: lamp, name: 'bright' },
      null,
      { __typename: 'DeskFiles', again: file, shout: 'A1' },
      null,
    ],
    other: [{ id: '9007199254740993' }],
  });
});

test('what a guard of `…ByPk` refuses, `node` refuses', async () => {
  const selection = '{ ... on DeskSafes { name } }';
  const refused = await ask(node('DeskSafes', '1', selection));
  expect(refused.data).toEqual({ node: null });
  expect(refused.errors).toMatchObject([
    { message: expect.stringContaining('Access denied') as string, path: ['node'] },
  ]);
  expect(await data(node('DeskSafes', '1', selection), 'root')).toEqual({ node: { name: 'open' } });
  const other = await ask(node('DeskSafes', '2', selection), 'root');
  expect(other.data).toEqual({ node: null });
  expect(other.errors).toMatchObject([{ path: ['node'] }]);
  const ids = [idOf('DeskSafes', '2'), idOf('DeskSafes', '1'), idOf('DeskLamps', '9007199254740993')];
  const some = await ask(`{ nodes(ids: ${JSON.stringify(ids)}) { __typename ... on DeskSafes { name } } }`, 'root');
  expect(some.data).toEqual({
    nodes: [null, { __typename: 'DeskSafes', name: 'open' }, { __typename: 'DeskLamps' }],
  });
  expect(some.errors).toMatchObject([{ path: ['nodes', 0] }]);
});

test('a resolver in the place of `…ByPk` answers `node`, too', async () => {
  const selection = '{ __typename nodeId ... on DeskDrawers { name } }';
  expect(await data(node('DeskDrawers', '1', selection))).toEqual({ node: null });
  const drawer = { __typename: 'DeskDrawers', nodeId: idOf('DeskDrawers', '7'), name: 'made up number' };
  expect(await data(node('DeskDrawers', '7', selection))).toEqual({ node: drawer });
  const ids = [idOf('DeskDrawers', '7'), idOf('DeskFiles', '1')];
  expect(await data(`{ nodes(ids: ${JSON.stringify(ids)}) ${selection} }`)).toEqual({
    nodes: [drawer, { __typename: 'DeskFiles', nodeId: ids[1] }],
  });
});

test('a guard on a whole type guards its identifier', async () => {
  const { data: found, errors } = await ask('{ deskShelves { nodeId } }');
  expect(found).toBeNull();
  expect(errors).toMatchObject([{ path: ['deskShelves', 0, 'nodeId'] }]);
  expect(await data('{ deskShelves { nodeId } }', 'root')).toEqual({
    deskShelves: [{ nodeId: idOf('DeskShelves', '1') }],
  });
  expect((await ask(node('DeskShelves', '1', '{ nodeId }'))).data).toEqual({ node: null });
});

test('rows that code of the user’s answers have an identifier, where they have their key', async () => {
  expect(await data('{ ownLamp { nodeId name } deskLamps { nodeId } }')).toEqual({
    ownLamp: { nodeId: idOf('DeskLamps', '9007199254740993'), name: 'own' },
    deskLamps: [{ nodeId: idOf('DeskLamps', '9007199254740993') }],
  });
  const { errors } = await ask('{ ownDay { nodeId } }');
  expect(errors).toMatchObject([
    { message: expect.stringContaining('DeskDays.nodeId was not read') as string, path: ['ownDay', 'nodeId'] },
  ]);
});

test('rows of a schema that is not served are not found', async () => {
  expect(await data(node('AtticBoxes', '1'))).toEqual({ node: null });
  expect(await data('{ __type(name: "Node") { possibleTypes { name } } }')).toMatchObject({
    __type: { possibleTypes: expect.not.arrayContaining([{ name: 'AtticBoxes' }]) as unknown },
  });
});

test('an error of a key says of which field it is', async () => {
  const [file, host] = [idOf('DeskFiles', '1'), idOf('DeskHosts', 'nowhere')];
  for (const own of ['name', 'shout']) {
    const rows = `nodes(ids: ["${file}", "${host}"]) { ... on DeskFiles { ${own} } }`;
    const { errors } = await ask(`{ deskLamps { id } rows: ${rows} }`);
    expect(errors).toMatchObject([{ message: 'A value does not have the form its type needs.', path: ['rows'] }]);
  }
});

describe('middleware around every root field', () => {
  let other: ServedServer;

  beforeAll(async () => {
    await writeCustom(
      served,
      `export const custom = {
        globalMiddlewares: [
          ({ args, info, context }, next) => {
            console.log('Called: ' + info.fieldName + ' ' + JSON.stringify(args));
            if (context.identity.userId === 'refused') throw new Error('The middleware refuses.');
            return next();
          },
        ],
      };`,
    );
    other = await served.start({ APP_CACHE_SCHEMA_TTL_MINUTES: '1', APP_LOG_LEVEL: 'silent' });
  });
  afterAll(() => other.stop());

  const send = async (user?: string): Promise<Body> => {
    const headers = user === undefined ? {} : { authorization: `Bearer ${await served.token(user)}` };
    const [lamp, shelf] = [idOf('DeskLamps', '9007199254740993'), idOf('DeskShelves', '1')];
    const document = `{ node(id: "${shelf}") { nodeId } nodes(ids: ["${lamp}", "x", "${shelf}"]) { __typename } }`;
    return JSON.parse((await other.ask(document, headers)).text) as Body;
  };
  const check = async (): Promise<void> => {
    expect(await send()).toEqual({
      data: {
        node: { nodeId: idOf('DeskShelves', '1') },
        nodes: [{ __typename: 'DeskLamps' }, null, { __typename: 'DeskShelves' }],
      },
    });
    const { data: found, errors } = await send('refused');
    expect(found).toEqual({ node: null, nodes: [null, null, null] });
    expect(errors?.map(({ path }) => path)).toEqual([['node'], ['nodes', 0], ['nodes', 2]]);
    await until(() => Promise.resolve(other.log().includes('Called: deskShelvesByPk {"id":1}')));
  };

  test('is around rows that are found by their identifiers, as around `…ByPk`', check);

  test('is so in the schema of a changed database, too', async () => {
    await served.query('alter table desk.lamps add more int');
    await until(async () => {
      const { text } = await other.ask('{ __type(name: "DeskLamps") { fields { name } } }');
      return text.includes('"more"');
    });
    await check();
  });
});

describe('a type of the user’s that is called like the interface', () => {
  const types = {
    'an object': `@ObjectType() class Node { @Field(() => String) body() { return ''; } }
      @Resolver() class Own { @Query(() => Node) own() { return {}; } }`,
    'an interface': `@InterfaceType('Node') class Base { @Field(() => String) body; }
      @ObjectType({ implements: Base }) class Leaf extends Base {}
      @Resolver() class Own { @Query(() => Leaf) own() { return {}; } }`,
    'an input': `@InputType() class Node { @Field(() => String) body; }
      @Resolver() class Own { @Query(() => String) own(@Arg('node', () => Node) node) { return node.body; } }`,
    'an enum': `const kind = { leaf: 'leaf' }; registerEnumType(kind, { name: 'Node' });
      @Resolver() class Own { @Query(() => kind) own() { return 'leaf'; } }`,
  };

  test.each(Object.entries(types))('%s: the server does not start, and says why', async (_, text) => {
    const imports = 'Arg, Field, InputType, InterfaceType, ObjectType, Query, Resolver, registerEnumType';
    const own = `import { ${imports} } from 'type-graphql';\n${text}\nexport const custom = { resolvers: [Own] };`;
    await writeCustom(served, own);
    const refused = await served
      .start({ APP_SCHEMAS: 'desk' })
      .then(async (started) => `started and ended with ${String(await started.stop())}`, String);
    expect(refused).toContain(
      'Your code has a GraphQL type called Node, the name of the interface of rows with a global identifier. (TW018)',
    );
    expect(refused).toContain('Give your type another name');
    expect(refused).not.toMatch(/\n\s+at /);
  });
});

describe('a schema that is made of a model alone', () => {
  let driver: Driver;
  let alone: GraphqlServer;

  beforeAll(async () => {
    const described = await describeDatabase(served.url, { relay: { nodeId: 'key' } });
    driver = createDriver(settingsWith({ 'app.datasource.url': served.url }));
    alone = await startGraphqlServer({ registry: described.registry, schema: schemaOf(described), driver });
  });
  afterAll(async () => {
    await alone.close();
    await driver.close();
  });

  test('answers a document in one statement, whatever the types of its rows', async () => {
    const [lamp, shelf] = [idOf('DeskLamps', '9007199254740993'), idOf('DeskShelves', '1')];
    const query = `query ($id: ID!, $ids: [ID!]!) {
      node(id: $id) { key ... on DeskShelves { name deskLampId { key } } }
      nodes(ids: $ids) { __typename key }
      deskLamps { key }
    }`;
    for (const id of [lamp, shelf, lamp, shelf]) {
      alone.forget();
      const { body } = await alone.ask(query, { id, ids: [shelf, lamp, 'x', lamp] });
      expect(body).toEqual({
        data: {
          node: id === lamp ? { key: lamp } : { key: shelf, name: 'upper', deskLampId: { key: lamp } },
          nodes: [
            { __typename: 'DeskShelves', key: shelf },
            { __typename: 'DeskLamps', key: lamp },
            null,
            { __typename: 'DeskLamps', key: lamp },
          ],
          deskLamps: [{ key: lamp }],
        },
      });
      expect(alone.rounds.map(({ length }) => length)).toEqual([1]);
    }
  });

  test('compiles a statement for a type, and not for each key', async () => {
    alone.forget();
    for (const key of ['1', '2', '9007199254740993'])
      await alone.ask('query ($id: ID!) { node(id: $id) { key } }', { id: idOf('DeskLamps', key) });
    expect(new Set(alone.rounds.flat().map(({ text }) => text)).size).toBe(1);
  });
});
