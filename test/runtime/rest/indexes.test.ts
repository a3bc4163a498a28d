import type { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { postgres } from '../../../runtime/src/dialect/postgres/dialect.js';
import { createPrepare } from '../../../runtime/src/server/prepare.js';
import { parseRead } from '../../../runtime/src/request/rest/read/parse-read.js';
import { loadSettings } from '../../../runtime/src/settings/load-settings.js';
import { bindStatement } from '../../../runtime/src/execute/run-statement.js';
import type { BoundStatement } from '../../../runtime/src/plan/statement.js';
import { pgliteConnection, readCatalog } from '../../../runtime/src/generator.js';
import { describeCatalog } from '../../support/describe-database.js';
import type { Described } from '../../support/described.js';
import { createFilledDatabase, loadSql } from '../../support/postgres.js';
import { createPglite } from '../../support/pglite-data.js';
import { tableOf } from '../../support/registry.js';
import { readBoard, schema } from './support/board.js';

/** The exact statement of a request. */
function statementOf({ registry }: Described, field: string, query: string): BoundStatement {
  const read = parseRead({ table: tableOf(registry, field), query, headers: {} }, 30);
  const prepare = createPrepare({ registry, settings: loadSettings({}, {}), dialect: postgres });
  return bindStatement(prepare(read.intent(registry)), read.inputs);
}

type Explain = (statement: BoundStatement) => Promise<string>;

describe('on a real server', () => {
  let board: Described;
  let explain: Explain;
  let close: () => Promise<void>;

  beforeAll(async () => {
    const database = await createFilledDatabase('rest', schema);
    board = await readBoard(database.url);
    await loadSql(
      database.url,
      `insert into board.issues (id, project_id, reporter_id, title, status, created_at)
         select n, 1, 1, 'word' || n, 'done', timestamptz '2020-01-01Z' + n * interval '1 minute' from generate_series(100, 20000) n;
       create index issues_labels on board.issues using gin (labels);
       create index issues_metadata on board.issues using gin (metadata);
       create index comments_issue_id on board.comments (issue_id);
       insert into board.comments select n, 100 + n % 19000, 1, 'more' from generate_series(100, 20000) n;
       analyze board.issues, board.comments`,
    );
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    explain = async ({ text, values }) => {
      const result = await client.query<{ 'QUERY PLAN': string }>(`explain (costs off) ${text}`, [...values]);
      return result.rows.map((row) => row['QUERY PLAN']).join('\n');
    };
    close = async () => {
      await client.end();
      await database.drop();
    };
  });
  afterAll(() => close());

  test.each([
    ['plfts', 'search=plfts.word500', 'issues_search'],
    ['wfts', 'search=wfts.word500', 'issues_search'],
    ['phfts', 'search=phfts.word500', 'issues_search'],
    ['fts', 'search=fts.word500', 'issues_search'],
    ['fts with a configuration', 'search=fts(english).word500', 'issues_search'],
    ['full text among other filters', 'search=plfts.word500&status=eq.done&order=id', 'issues_search'],
    ['array containment', 'labels=cs.{urgent}', 'issues_labels'],
    ['JSON containment', 'metadata=cs.{"browser":"opera"}', 'issues_metadata'],
    ['a key', 'id=eq.500', 'issues_pkey'],
    ['a list of keys', 'id=in.(500,600,700)', 'issues_pkey'],
    ['keyset paging', 'id=gt.19000&order=id&limit=30', 'issues_pkey'],
    ['filter and order of one index', 'status=eq.open&order=created_at', 'issues_status_created'],
    ['rows of another table', 'id=eq.500&select=id,comments(body)', 'comments_issue_id'],
  ])('%s uses its index', async (_name, query, index) => {
    expect(await explain(statementOf(board, 'boardIssues', query))).toContain(index);
  });
});

describe('with pgvector', () => {
  let database: PGlite;
  let described: Described;

  beforeAll(async () => {
    database = await createPglite();
    await database.exec(
      `create extension vector; create schema board; create table board.points (id int primary key, embedding vector(2));
       insert into board.points select n, array[cos(n), sin(n) * n]::vector from generate_series(1, 3000) n;
       create index points_l2 on board.points using hnsw (embedding vector_l2_ops);
       create index points_cosine on board.points using hnsw (embedding vector_cosine_ops);
       create index points_ip on board.points using hnsw (embedding vector_ip_ops);
       analyze board.points`,
    );
    described = describeCatalog(await readCatalog(await pgliteConnection(database, 'pglite')));
  });
  afterAll(() => database.close());

  test.each([
    ['L2', 'points_l2'],
    ['COSINE', 'points_cosine'],
    ['IP', 'points_ip'],
  ])('a %s search uses its hnsw index', async (distance, index) => {
    const query = `embedding=vector.${JSON.stringify({ near: [1, 2], distance, limit: 5 })}&select=id`;
    const { text, values } = statementOf(described, 'boardPoints', query);
    const result = await database.query<{ 'QUERY PLAN': string }>(`explain (costs off) ${text}`, [...values]);
    expect(result.rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(`Index Scan using ${index}`);
  });
});
