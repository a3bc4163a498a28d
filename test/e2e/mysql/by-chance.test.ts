import fc from 'fast-check';
import { buildGenerated } from '../../support/generated-program.js';
import { describeMysql } from '../../support/mysql.js';
import { createTestDatabase, loadSql } from '../../support/postgres.js';
import { startServerHere } from '../../support/server-here.js';
import { mysqlTables, postgresTables, rows } from './by-chance/data.js';
import { documents } from './by-chance/documents.js';
import { serveMysql, type ServedMysql } from './served.js';
import { volume } from '../../support/volume.js';

/**
 * Both databases have the same tables and rows and give the same JSON for random documents. The
 * documents avoid the known differences: averages and deviations, for which MariaDB writes other
 * digits, and language-dependent order of texts.
 */
describeMysql('the same answers from MariaDB and PostgreSQL', () => {
  let mysql: ServedMysql;
  let postgres: { ask(document: string): Promise<unknown>; stop(): Promise<void> };

  beforeAll(async () => {
    const database = await createTestDatabase('differential');
    await loadSql(database.url, postgresTables + rows());
    const program = await buildGenerated(database.url);
    const server = await startServerHere(program.folder, {
      DATABASE_URL: database.url,
      APP_SCHEMAS: 'shop',
    });
    postgres = {
      ask: async (document) => {
        const response = await fetch(`${server.base}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ query: document.replaceAll('$', 'shop') }),
        });
        return JSON.parse((await response.text()).replaceAll('"shop', '"$')) as unknown;
      },
      stop: async () => {
        await server.stop();
        await program.remove();
        await database.drop();
      },
    };
    mysql = await serveMysql({}, mysqlTables + rows(), '');
  });

  afterAll(async () => {
    await mysql.stop();
    await postgres.stop();
  });

  /** Documents. */
  const count = volume(80, 250);

  test('to documents made by chance', async () => {
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(documents, async (document) => {
        const expected = await postgres.ask(document);
        expect(expected).not.toHaveProperty('errors');
        const { text } = await mysql.ask(document);
        expect(JSON.parse(text.replaceAll(`"${mysql.prefix}`, '"$'))).toEqual(expected);
        answered += 1;
      }),
      { numRuns: count, seed: 20_240_229, endOnFailure: false },
    );
    expect(answered).toBeGreaterThanOrEqual(count);
  });
});
