import { describeMysql } from '../../support/mysql.js';
import { openServed, until } from '../../support/served-as-role.js';
import { serveMysql } from './support/served-mysql.js';

// A nested write consists of several statements, and the first ones are done when a later one
// fails. Custom code may catch that error.

const tables = `
  create table folders (id int primary key, name varchar(40) not null);
  create table files (id int primary key, folder_id int, name varchar(40) not null,
    constraint files_name unique (name), constraint files_folder foreign key (folder_id) references folders (id));
  create table notes (id int primary key);`;
const rows = `insert into folders values (1, 'first'); insert into files values (1, 1, 'a'), (2, null, 'b');`;

const custom = (schema: string): string => `
  import { sql } from 'kysely';
  import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';

  const told = [];
  const create = 'mutation { createFolders(input: { id: 5, name: "beside" }) { id } }';
  const caught = (error) => error.message;

  class Own {
    /** The error is passed over in the transaction that the write is in. */
    passOver(document, context) {
      return context.transaction(async () => {
        await context.query(create);
        return await context.query(document).then(() => 'written', caught);
      });
    }
    /** The write has a savepoint of its own. */
    inside(document, context) {
      return context.transaction(async () => {
        await context.query(create);
        const answer = await context.transaction(() => context.query(document)).then(() => 'written', caught);
        const { folders } = await context.query('{ folders(orderBy: { id: ASC }) { name files(orderBy: { id: ASC }) { name } } }');
        return answer + ' ' + JSON.stringify(folders);
      });
    }
    told() { return told.splice(0); }
  }
  const declare = (name, decorator) => {
    const method = Object.getOwnPropertyDescriptor(Own.prototype, name);
    if (name !== 'told') {
      Arg('document', () => String)(Own.prototype, name, 0);
      Ctx()(Own.prototype, name, 1);
    }
    decorator(Own.prototype, name, method);
  };
  declare('passOver', Mutation(() => String));
  declare('inside', Mutation(() => String));
  declare('told', Query(() => [String]));
  Resolver()(Own);

  const afterCommit = ({ table, operation }) => { told.push(table.split('.')[1] + ' ' + operation); };
  export const custom = {
    resolvers: [Own],
    hooks: {
      '${schema}.folders': { afterCommit },
      '${schema}.files': {
        afterCommit,
        beforeInsert: async ({ rows, transaction }) => {
          if (rows.some(({ name }) => name === 'noted'))
            await transaction((db) => sql\`insert into ${schema}.notes values (2)\`.execute(db));
          if (!rows.some(({ name }) => name === 'hooked')) return;
          await transaction(async (db) => {
            await sql\`insert into ${schema}.notes values (1)\`.execute(db);
            await sql\`insert into ${schema}.notes values (1)\`.execute(db);
          }).catch(() => undefined);
        },
      },
    },
  };`;

interface Board {
  readonly ask: (query: string, variables?: object) => Promise<Body>;
  readonly load: (sql: string) => Promise<unknown>;
  readonly rows: (sql: string) => Promise<readonly unknown[]>;
  readonly stop: () => Promise<void>;
}

interface Body {
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}

const names = { schemaPrefix: 'never', relations: 'simple' };
const json = { 'content-type': 'application/json' };
const body = (query: string, variables?: object): string => JSON.stringify({ query, variables });

async function postgresBoard(): Promise<Board> {
  const served = await openServed({
    name: 'handle_caught',
    schema: 'board',
    sql: `create schema board; set search_path = board; ${tables} ${rows}`,
    custom: custom('board'),
    config: { names },
  });
  const server = await served.start({ APP_LOG_LEVEL: 'silent' });
  const run = (sql: string): Promise<readonly unknown[]> =>
    served.query(sql.replaceAll(/\b(folders|files|notes)\b(?! \()/g, 'board.$1'));
  return {
    ask: async (query, variables) =>
      JSON.parse((await server.send('POST', '/graphql', json, body(query, variables))).text) as Body,
    load: run,
    rows: run,
    stop: async () => {
      await server.stop();
      await served.drop();
    },
  };
}

async function mysqlBoard(): Promise<Board> {
  const served = await serveMysql('handle_caught', tables + rows, custom, { names });
  return {
    ask: async (query, variables) =>
      JSON.parse((await served.send('POST', '/graphql', json, body(query, variables))).text) as Body,
    load: (sql) => served.load(sql),
    rows: (sql) => served.rows(sql),
    stop: () => served.stop(),
  };
}

/**
 * A folder and its file are updated before the last part fails: in one case without an error of the
 * database, in the other with such an error.
 */
const nested = (last: string): string =>
  `mutation { updateFolders(where: { id: { eq: 1 } }, input: { name: "changed",
    files: { update: [{ where: { id: 1 }, data: { name: "changed" } }], ${last} } }) { id } }`;
const failing = [
  ['a row that is not there', nested('connect: [{ id: 99 }]'), 'TW008'],
  ['a constraint of the database', nested('create: [{ id: 9, name: "b" }]'), '23505'],
] as const;

function describeCaught(open: () => Promise<Board>): void {
  let board: Board;

  beforeAll(async () => {
    board = await open();
  });
  afterAll(() => board.stop());
  beforeEach(async () => {
    for (const sql of [
      'delete from files where id > 2',
      'delete from folders where id > 1',
      'delete from notes where id > 0',
      "update folders set name = 'first'",
      "update files set name = 'a', folder_id = 1 where id = 1",
      "update files set name = 'b', folder_id = null where id = 2",
    ])
      await board.load(sql);
    await board.ask('{ told }');
  });

  const folders = () => board.rows('select id, name from folders order by id');
  const files = () => board.rows('select id, name from files order by id');
  const unchanged = async (): Promise<void> => {
    expect(await files()).toEqual([
      { id: 1, name: 'a' },
      { id: 2, name: 'b' },
    ]);
    expect(await folders()).toContainEqual({ id: 1, name: 'first' });
  };

  test.each(failing)('%s: without a savepoint nothing of the transaction is kept', async (_what, document) => {
    const { data, errors } = await board.ask('mutation ($document: String!) { passOver(document: $document) }', {
      document,
    });
    expect(data).toBeNull();
    expect(errors).toHaveLength(1);
    await unchanged();
    expect(await folders()).toHaveLength(1);
    expect((await board.ask('{ told }')).data).toEqual({ told: [] });
  });

  test.each(failing)('%s: with one only the nested write is undone', async (_what, document) => {
    const { data, errors } = await board.ask('mutation ($document: String!) { inside(document: $document) }', {
      document,
    });
    expect(errors).toBeUndefined();
    expect(data?.['inside']).toMatch(
      / \[\{"name":"first","files":\[\{"name":"a"\}\]\},\{"name":"beside","files":\[\]\}\]$/,
    );
    expect(data?.['inside']).not.toMatch(/^written/);
    await unchanged();
    expect(await folders()).toHaveLength(2);
    await until(async () => JSON.stringify((await board.ask('{ told }')).data).includes('folders'));
    expect((await board.ask('{ told }')).data).toEqual({ told: [] });
  });

  test.each(failing)('%s: beside generated fields of a mutation it is the same', async (_what, document) => {
    const { data, errors } = await board.ask(
      `mutation ($document: String!) { createFolders(input: { id: 7, name: "generated" }) { id } inside(document: $document)
        last: createFolders(input: { id: 8, name: "last" }) { id } }`,
      { document },
    );
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({ createFolders: { id: 7 }, last: { id: 8 } });
    await unchanged();
    expect((await folders()).length).toBe(4);
  });

  test.each(failing)('%s: a client that sends it has nothing written', async (_what, document, code) => {
    const { errors } = await board.ask(document);
    expect(errors).toMatchObject([{ extensions: { code } }]);
    await unchanged();
  });

  test('a hook of a row inside a row catches an error of its own: that part alone is undone', async () => {
    const { errors } = await board.ask(nested('create: [{ id: 3, name: "hooked" }]'));
    expect(errors).toBeUndefined();
    expect(await board.rows('select id from notes')).toEqual([]);
    expect(await files()).toContainEqual({ id: 3, name: 'hooked' });
    expect(await folders()).toContainEqual({ id: 1, name: 'changed' });
  });

  test.each([
    ['a row', 'mutation { createFiles(input: { id: 4, name: "noted" }) { id } }'],
    ['a row inside a row', nested('create: [{ id: 4, name: "noted" }]')],
  ])('a hook of %s that is written in a savepoint begins one inside it', async (_what, document) => {
    const { data, errors } = await board.ask('mutation ($document: String!) { inside(document: $document) }', {
      document,
    });
    expect(errors).toBeUndefined();
    expect(data?.['inside']).toMatch(/^written/);
    expect(await board.rows('select id from notes')).toEqual([{ id: 2 }]);
    expect(await files()).toContainEqual({ id: 4, name: 'noted' });
  });
}

describe('PostgreSQL: an error of a nested write that code of the user’s catches', () => {
  describeCaught(postgresBoard);
});
describeMysql('MariaDB: an error of a nested write that code of the user’s catches', () => {
  describeCaught(mysqlBoard);
});
