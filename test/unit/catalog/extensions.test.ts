import { buildModel, connect, readCatalog, type Catalog } from '../../../runtime/src/generator.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../../support/postgres.js';

async function read(url: string, schemas?: readonly string[]): Promise<Catalog> {
  const connection = await connect(url);
  try {
    return await readCatalog(connection, { schemas });
  } finally {
    await connection.close();
  }
}

// PostgreSQL 18 from npm includes the contrib extensions, which the shared server may lack.
describe('readCatalog beside extensions and what PostgreSQL 18 adds', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase('catalog_extensions', 'embedded');
  });

  afterAll(() => database.drop());

  it('leaves out what an extension owns, and still tells its types', async () => {
    await loadSql(
      database.url,
      `create schema app;
       create extension citext schema public;
       create extension pg_stat_statements schema app;
       create extension seg schema app;
       create schema owned;
       create table owned.t ();
       alter extension seg add schema owned;
       create table app.t (id integer primary key, name public.citext, names public.citext[], range app.seg)`,
    );
    const catalog = await read(database.url);
    expect(catalog.schemas.map((schema) => schema.name)).toEqual(['app', 'public']);
    expect(catalog.tables.map((table) => table.name)).toEqual(['t']);
    // An explicitly requested schema is read all the same.
    expect((await read(database.url, ['owned'])).tables).toHaveLength(1);
    expect(catalog.routines).toEqual([]);
    const citext = { schema: 'public', name: 'citext', kind: 'base', formatted: 'public.citext' };
    expect(catalog.tables[0]?.columns.slice(1).map((column) => column.type)).toMatchObject([
      { ...citext, array: false },
      { ...citext, array: true, formatted: 'public.citext[]' },
      { schema: 'app', name: 'seg', kind: 'base' },
    ]);
    expect(catalog.extensions.map((extension) => [extension.name, extension.schema])).toEqual([
      ['citext', 'public'],
      ['pg_stat_statements', 'app'],
      ['plpgsql', 'pg_catalog'],
      ['seg', 'app'],
    ]);
  });

  it('tells what a foreign table takes, by its wrapper', async () => {
    await loadSql(
      database.url,
      `create schema far;
       create extension postgres_fdw schema public;
       create server elsewhere foreign data wrapper postgres_fdw;
       create server archive foreign data wrapper postgres_fdw options (updatable 'false');
       create foreign table far.live (id integer, twice integer generated always as (id * 2) stored) server elsewhere;
       create foreign table far.dead (id integer) server archive`,
    );
    const catalog = await read(database.url, ['far']);
    const facts = catalog.tables.map(({ name, kind, insertable, updatable, deletable, columns }) => [
      ...[name, kind, insertable, updatable, deletable],
      columns.map((column) => column.updatable),
    ]);
    expect(facts).toEqual([
      ['dead', 'foreignTable', false, false, false, [false]],
      ['live', 'foreignTable', true, true, true, [true, false]],
    ]);
  });

  it('takes temporal keys for what they are', async () => {
    await loadSql(
      database.url,
      `create schema temporal;
       create table temporal.room (
         number int4range, during daterange, name int4range,
         constraint room_pkey primary key (number, during without overlaps),
         constraint room_name unique (name, during without overlaps)
       );
       create table temporal.booking (
         id integer primary key, number int4range, during daterange,
         constraint booking_room foreign key (number, period during) references temporal.room (number, period during)
       )`,
    );
    const catalog = await read(database.url, ['temporal']);
    const [booking, room] = catalog.tables;
    // The foreign key compares the period by containment, so it is no relation of equal columns.
    expect(booking?.foreignKeys).toEqual([]);
    expect(room?.primaryKey).toEqual({ name: 'room_pkey', columns: ['number', 'during'], temporal: true });
    expect(room?.indexes.map(({ name }) => name)).toEqual(['room_name', 'room_pkey']);
    // ON CONFLICT takes neither of them.
    const model = buildModel(catalog).tables.find(({ descriptor }) => descriptor.name === 'room');
    expect(model?.descriptor).toMatchObject({ unmergedKeys: [['number', 'during']] });
    expect(model?.descriptor.uniques).toBeUndefined();
    expect(room?.uniques).toEqual([]);
    expect(room?.exclusions).toEqual([{ name: 'room_name', definition: 'UNIQUE (name, during WITHOUT OVERLAPS)' }]);
  });

  it('knows virtual columns from stored ones', async () => {
    await loadSql(
      database.url,
      `create schema virtual;
       create table virtual.t (
         id integer primary key, once integer generated always as (id) virtual, twice integer generated always as (id * 2) stored,
         named integer constraint "not null by name" not null
       )`,
    );
    const [table] = (await read(database.url, ['virtual'])).tables;
    expect(
      table?.columns.map(({ generated, default: expression, updatable }) => [generated, expression, updatable]),
    ).toEqual([
      [null, null, true],
      ['virtual', 'id', false],
      ['stored', '(id * 2)', false],
      [null, null, true],
    ]);
    // Since PostgreSQL 18, NOT NULL is a constraint with a name, but it is no CHECK.
    expect(table?.checks).toEqual([]);
    // Rows from before the constraint may have null until it is validated.
    const named = async () => (await read(database.url, ['virtual'])).tables[0]?.columns[3]?.nullable;
    expect(await named()).toBe(false);
    await loadSql(
      database.url,
      `alter table virtual.t alter named drop not null;
       insert into virtual.t (id) values (1);
       alter table virtual.t add constraint named_there not null named not valid`,
    );
    expect(await named()).toBe(true);
    await loadSql(database.url, `delete from virtual.t; alter table virtual.t validate constraint named_there`);
    expect(await named()).toBe(false);
  });
});
