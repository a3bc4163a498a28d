import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { connect, pgliteConnection, readCatalog } from '../../../runtime/src/generator.js';

describe('PGlite with pgvector', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tablewright-pglite-'));
    const database = await PGlite.create(folder, { extensions: { vector } });
    await database.exec(`
      create extension vector;
      create schema ai;
      create domain ai.embedding as vector(3);
      create table ai.documents (
        id integer primary key, embedding vector(8) not null, any_size vector, several vector(4)[], short ai.embedding,
        half halfvec(5)
      );
      create index on ai.documents using hnsw (embedding vector_cosine_ops)`);
    await database.close();
  });

  afterAll(() => rm(folder, { recursive: true }));

  it('reads the dimension of vectors, and nothing that belongs to the extension', async () => {
    const connection = await connect(`pglite:${folder}`);
    const catalog = await readCatalog(connection);
    await connection.close();
    expect(catalog.schemas.map((schema) => schema.name)).toEqual(['ai', 'public']);
    expect(catalog.extensions.map(({ name, schema }) => [name, schema])).toEqual([
      ['plpgsql', 'pg_catalog'],
      ['vector', 'public'],
    ]);
    expect(catalog.extensions.every((extension) => extension.version !== '')).toBe(true);
    expect(catalog.routines).toEqual([]);
    const [documents] = catalog.tables;
    const base = { schema: 'public', kind: 'base', array: false };
    expect(documents?.columns.slice(1).map((column) => column.type)).toEqual([
      { ...base, name: 'vector', modifier: 8, formatted: 'public.vector(8)' },
      { ...base, name: 'vector', modifier: null, formatted: 'public.vector' },
      { ...base, name: 'vector', array: true, modifier: 4, formatted: 'public.vector(4)[]' },
      { schema: 'ai', kind: 'domain', array: false, name: 'embedding', modifier: null, formatted: 'ai.embedding' },
      { ...base, name: 'halfvec', modifier: 5, formatted: 'public.halfvec(5)' },
    ]);
    expect(catalog.domains[0]?.base).toEqual({ ...base, name: 'vector', modifier: 3, formatted: 'public.vector(3)' });
    expect(documents?.indexes.find((index) => index.method === 'hnsw')?.keys).toEqual([
      { column: 'embedding', expression: null },
    ]);
  });

  it('names the package to install when the database needs the extension and it was not loaded', async () => {
    const database = await PGlite.create(folder, { extensions: { vector } });
    await expect(pgliteConnection(database, 'pglite:data', false)).rejects.toMatchObject({
      code: 'DATABASE_UNREACHABLE',
      hint: expect.stringContaining('npm install @electric-sql/pglite') as string,
    });
  });

  it('says what the database said of a statement, and passes values', async () => {
    const connection = await connect(`pglite:${folder}`);
    expect(await connection.query('select $1::text[] as t', [['a,b', '"']])).toEqual([{ t: ['a,b', '"'] }]);
    await expect(connection.query('select nothing')).rejects.toMatchObject({ code: 'DATABASE_QUERY' });
    await expect(readCatalog(connection, { schemas: ['nope'] })).rejects.toMatchObject({ code: 'SCHEMA_UNKNOWN' });
    await connection.close();
  });
});
