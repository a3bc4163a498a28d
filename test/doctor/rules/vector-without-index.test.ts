import type { PGlite } from '@electric-sql/pglite';
import { pgliteConnection, type CatalogConnection } from '../../../runtime/src/generator.js';
import { diagnose, type Finding } from '../../../src/doctor/index.js';
import { examinedBy, objectsOf, sqlOf } from '../../support/doctor.js';
import { createPglite } from '../../support/pglite-data.js';

let database: PGlite;
let connection: CatalogConnection;
beforeAll(async () => {
  database = await createPglite();
  connection = await pgliteConnection(database, 'pglite');
  await database.exec('create schema "Ext"; create extension vector schema "Ext"');
});
afterAll(() => connection.close());

const again = async (): Promise<readonly Finding[]> =>
  diagnose(await examinedBy(connection, undefined), { rules: ['vector-without-index'] }).findings;

async function examine(sql: string): Promise<readonly Finding[]> {
  await database.exec(
    `drop schema if exists app cascade; create schema app; set search_path = app, "Ext"; ${sql}; reset search_path`,
  );
  return again();
}

test('a column without an index is found, and its SQL mends it', async () => {
  const findings = await examine('create table notes (id int primary key, "E" vector(3), h halfvec(3))');
  expect(objectsOf(findings)).toEqual(['app.notes.E', 'app.notes.h']);
  expect(findings[0]?.message).toBe('app.notes.E is a vector(3) without an HNSW or IVFFlat index.');
  expect(sqlOf(findings)[0]).toBe('create index concurrently on "app"."notes" using hnsw ("E" "Ext"."vector_l2_ops");');
  for (const statement of sqlOf(findings)) await database.exec(statement);
  expect(await again()).toEqual([]);
});

test('HNSW and IVFFlat for any distance serve', async () => {
  const findings = await examine(`
    create table notes (a vector(3), b vector(3), c text);
    create index on notes using hnsw (a vector_cosine_ops);
    create index on notes using ivfflat (b vector_ip_ops)`);
  expect(findings).toEqual([]);
});

test('columns that cannot have one: without a length, or with too many dimensions', async () => {
  const findings = await examine('create table notes (a vector, b vector(3000), c halfvec(5000))');
  expect(findings.map(({ remedy }) => remedy)).toEqual([
    {
      sql: ['alter table "app"."notes" alter column "a" type "Ext"."vector"(3);'],
      run: 'review',
      note: expect.stringContaining('write the length') as string,
    },
    {
      sql: ['alter table "app"."notes" alter column "b" type "Ext"."halfvec"(3000);'],
      run: 'review',
      note: expect.stringContaining('2000 dimensions') as string,
    },
    { sql: [], run: 'review', note: expect.stringContaining('4000 of halfvec') as string },
  ]);
});
