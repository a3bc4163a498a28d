import fc, { type Arbitrary } from 'fast-check';
import { parse, stringify } from 'lossless-json';
import { buildGenerated } from '../../../support/generated-program.js';
import { createMysqlDatabase, describeMysql, loadMysql } from '../../../support/mysql.js';
import { createTestDatabase, loadSql } from '../../../support/postgres.js';
import type { RunningServer } from '../../../support/running-server.js';
import { startServerHere } from '../../../support/server-here.js';
import { documents, urls } from './documents.js';
import { otherTruths, pools, schemaSql } from './tables.js';
import { volume } from '../../../support/volume.js';

/** Answers with all digits of their numbers, and without the white space that JSON columns keep. */
const normalised = (text: string): string => stringify(parse(text)) ?? '';

/** Generated requests of each kind. */
const count = volume(400, 2_000);

/** Number of concurrent requests on each side. */
const atOnce = 8;

const states = pools.enum.map((label) => `'${label}'`).join(', ');

describeMysql('the same data in PostgreSQL and in MariaDB', () => {
  const ends: (() => Promise<unknown>)[] = [];
  let servers: readonly RunningServer[];
  let prefix: string;

  beforeAll(async () => {
    const mysql = await createMysqlDatabase('twin');
    ends.push(() => mysql.drop());
    const text = 'varchar(60) character set utf8mb4 collate utf8mb4_bin';
    await loadMysql(
      mysql.url,
      `set sql_mode = 'NO_BACKSLASH_ESCAPES,STRICT_ALL_TABLES'; ${schemaSql(
        (name) => name,
        {
          text,
          json: 'json',
          timestamp: 'datetime(6)',
          double: 'double',
          status: `enum(${states})`,
          words: 'words varchar(60) character set utf8mb4 collate utf8mb4_general_ci, fulltext (words)',
        },
        (document) => document,
      )} ${otherTruths}`,
    );
    const postgres = await createTestDatabase('twin');
    ends.push(() => postgres.drop());
    // Names on both sides consist of the name of the schema and the name of the column.
    const schema = mysql.name;
    await loadSql(
      postgres.url,
      `create schema ${schema}; create type ${schema}.orders_status as enum (${states}); ${schemaSql(
        (name) => `${schema}.${name}`,
        {
          text: 'varchar(60) collate "C"',
          json: 'json',
          timestamp: 'timestamp(6)',
          double: 'double precision',
          status: `${schema}.orders_status`,
          words: 'words tsvector',
        },
        (document) => `to_tsvector('english', ${document})`,
      )}`,
    );
    const [first = '', ...words] = schema.split('_');
    prefix = [first, ...words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)].join('');
    const started: RunningServer[] = [];
    for (const [url, config] of [
      [postgres.url, {}],
      [mysql.url, { types: { 'tinyint(1)': 'boolean' } }],
    ] as const) {
      const program = await buildGenerated(url, { 'tablewright.config.json': JSON.stringify(config) });
      ends.unshift(() => program.remove());
      const server = await startServerHere(program.folder, {
        DATABASE_URL: url,
        APP_SCHEMAS: schema,
      });
      ends.unshift(() => server.stop());
      started.push(server);
    }
    servers = started;
  });

  afterAll(async () => {
    for (const end of ends) await end();
  });

  const both = async (ask: (server: RunningServer) => Promise<string>): Promise<void> => {
    const [postgres = '', mysql = ''] = await Promise.all(servers.map(ask));
    if (normalised(mysql) !== normalised(postgres)) expect(mysql).toBe(postgres);
  };

  /** Sends generated requests to both servers, some of them concurrently. */
  const askMany = (requests: Arbitrary<string>, ask: (server: RunningServer, request: string) => Promise<string>) =>
    fc.assert(
      fc.asyncProperty(fc.array(requests, { minLength: atOnce, maxLength: atOnce }), async (some) => {
        await Promise.all(some.map((request) => both((server) => ask(server, request))));
      }),
      { numRuns: count / atOnce, seed: 18, endOnFailure: true },
    );

  test('answers documents alike', async () => {
    let answered = 0;
    await askMany(documents, async ({ base }, document) => {
      const response = await fetch(`${base}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: document.replaceAll('$', prefix) }),
      });
      const text = await response.text();
      if (!text.includes('"errors"')) answered += 1;
      return text;
    });
    // A document that both servers refuse proves little.
    expect(answered).toBeGreaterThan(1.75 * count);
  });

  test('answers URLs alike', async () => {
    await askMany(urls, async ({ base }, url) => {
      const response = await fetch(`${base}/api/v1/${url}`);
      const text = await response.text();
      expect([url, text.slice(0, 200), response.status]).toEqual([url, expect.anything(), 200]);
      return text;
    });
  });
});
