import { readFile, writeFile } from 'node:fs/promises';
import { buildModel, connect, readCatalog, serializeCatalog, type Catalog } from '../../../../runtime/src/generator.js';
import { expectFixedPoint } from '../../../support/fixed-point.js';
import {
  createMysqlDatabase,
  describeMariadb,
  loadMysql,
  mysqlServer,
  type MysqlDatabase,
} from '../../../support/mysql.js';

const fileUrl = (name: string): URL => new URL(name, import.meta.url);

async function read(url: string, schemas?: readonly string[]): Promise<Catalog> {
  const connection = await connect(url);
  try {
    return await readCatalog(connection, { schemas });
  } finally {
    await connection.close();
  }
}

/** The server's address for a user. */
function addressOf(username: string, password: string, database: string): string {
  return Object.assign(new URL(database, mysqlServer), { username, password }).href;
}

describeMariadb('readCatalog on one of each fact of MariaDB', () => {
  let database: MysqlDatabase;
  let catalog: Catalog;

  beforeAll(async () => {
    database = await createMysqlDatabase('catalog_exact');
    await loadMysql(database.url, await readFile(fileUrl('schema.sql'), 'utf8'));
    catalog = await read(database.url);
  });

  afterAll(() => database.drop());

  it('gives every fact', async () => {
    const text = serializeCatalog(catalog).replaceAll(database.name, 'app');
    if (process.env['UPDATE_CATALOG'] === '1') await writeFile(fileUrl('catalog.json'), text);
    expect(text).toBe(await readFile(fileUrl('catalog.json'), 'utf8'));
  });

  it('is read back from catalog.json as it was', () => {
    expectFixedPoint(catalog);
  });

  it('gives the same facts when it is read a second time', async () => {
    expect(await read(database.url, [database.name])).toEqual(catalog);
  });

  it('knows which views can be written', () => {
    const views = catalog.tables.filter(({ kind }) => kind === 'view');
    expect(views.map(({ name, insertable, updatable, deletable }) => [name, insertable, updatable, deletable])).toEqual(
      [
        ['counted', false, false, false],
        ['joined', false, false, false],
        ['members', false, true, true],
        ['nested', true, true, true],
        ['over_joined', false, false, false],
        ['plain_members', true, true, true],
        ['shown_documents', true, true, true],
        ['shown_once', true, true, true],
      ],
    );
  });

  it('knows JSON that a view shows', () => {
    const view = catalog.tables.find(({ name }) => name === 'shown_documents');
    expect(view?.columns.map(({ name, type }) => [name, type.name])).toEqual([
      ['content', 'json'],
      ['plain', 'longtext'],
    ]);
  });

  it('makes a model', () => {
    const model = buildModel(catalog);
    const types = (table: string): readonly string[] =>
      model.tables
        .filter(({ descriptor }) => descriptor.name === table)
        .flatMap(({ columns }) => columns.map(({ field, graphql }) => `${field}: ${graphql.name}`));
    const prefix = model.schemas[0]?.identifier ?? '';
    const owner = `${prefix.charAt(0).toUpperCase()}${prefix.slice(1)}`;
    expect(types('users')).toEqual([
      'id: Int',
      'email: String',
      'name: String',
      `role: ${owner}UsersRole`,
      `flags: ${owner}UsersFlags`,
    ]);
    expect(types('documents')).toEqual([
      'user_id: Int',
      'number: BigInt',
      'body: JSON',
      'settings: JSON',
      'plain: String',
      'big: BigInt',
      'small: Int',
      'filled: BigInt',
      'price: Numeric',
      'ratio: Float',
      'born: Date',
      'at: Time',
      'made: DateTime',
      'seen: DateTime',
      'in_year: Int',
      'public_id: UUID',
      'hash: Bytes',
      'bits: String',
      'place: String',
      'address: String',
      'doubled: Int',
      'tripled: Int',
      'hidden: Int',
    ]);
    expect(model.enums.map(({ descriptor }) => descriptor.values.map(({ label }) => label))).toContainEqual([
      "ad'min",
      'x,y',
      'back\\slash',
      '',
    ]);
  });

  it('gives the privileges of a user that has few', async () => {
    const user = `few_${database.name.slice(-10)}`;
    await loadMysql(
      database.url,
      `create user \`${user}\`@'%' identified by 's3cret';
       grant select, delete on users to \`${user}\`@'%';
       grant insert (user_id, number) on documents to \`${user}\`@'%'`,
    );
    try {
      const url = new URL(database.url);
      url.username = user;
      url.password = 's3cret';
      const { tables } = await read(url.href);
      expect(tables.map(({ name, privileges }) => [name, privileges])).toEqual([
        ['documents', { select: false, insert: true, update: false, delete: false }],
        ['users', { select: true, insert: false, update: false, delete: true }],
      ]);
    } finally {
      await loadMysql(database.url, `drop user \`${user}\`@'%'`);
    }
  });

  it('says which databases there are when one is not', async () => {
    await expect(read(database.url, ['nowhere'])).rejects.toMatchObject({
      code: 'SCHEMA_UNKNOWN',
      message: 'The server has no database "nowhere".',
      hint: expect.stringContaining(database.name) as string,
    });
  });

  it.each([
    ['mysql://root@127.0.0.1:1/app', 'DATABASE_UNREACHABLE'],
    [addressOf('nobody', 's3cret', 'app'), 'DATABASE_AUTHENTICATION'],
    [new URL('no_such_database', mysqlServer).href, 'DATABASE_UNKNOWN'],
    ['mysql://root:s3cret#x@127.0.0.1/app', 'USAGE'],
  ])('says why %s cannot be read', async (url, code) => {
    const failure = await connect(url).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code });
    expect(JSON.stringify(failure) + String(failure)).not.toContain('s3cret');
  });
});
