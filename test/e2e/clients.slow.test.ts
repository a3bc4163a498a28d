import { cp, copyFile, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { clients, describeClients } from '../support/client-packages.js';
import { startDemoServer, type DemoServer } from '../support/demo-server.js';
import { runProgram, succeed } from '../support/program.js';
import { markdownFiles } from '../support/readme.js';
import { scratchFolder } from '../support/scratch-folder.js';

const checkout = join(import.meta.dirname, '../..');

/**
 * Clients with types from the committed schema.graphql or openapi.json, set up as their
 * documentation describes, against the committed example.
 */
describeClients('typed clients', () => {
  const pages = new Map(['docs/graphql.md', 'docs/rest.md'].flatMap((page) => [...markdownFiles(page)]));
  let work: string;
  let server: DemoServer;

  beforeAll(async () => {
    work = await scratchFolder('clients');
    await symlink(join(clients, 'node_modules'), join(work, 'node_modules'));
    await copyFile(join(clients, 'package.json'), join(work, 'package.json'));
    server = await startDemoServer();
  });

  afterAll(async () => {
    await server.stop();
    await rm(work, { recursive: true, force: true });
  });

  /**
   * Makes a client's folder from the files of test/clients, the files that the server commits, and
   * the files in the client's documentation.
   */
  async function prepare(name: string, shown: readonly string[]): Promise<string> {
    const folder = join(work, name);
    await cp(join(clients, name), folder, { recursive: true });
    for (const name of ['schema.graphql', 'openapi.json'])
      await copyFile(join(checkout, 'generated-example/src/generated', name), join(folder, name));
    for (const path of shown) {
      const text = pages.get(path);
      if (text === undefined) throw new Error(`No page shows ${path}.`);
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    return folder;
  }

  const tool = (name: string): string => join(clients, 'node_modules/.bin', name);

  /**
   * Runs a module of the built client against the server and returns the result of its function.
   */
  async function call(folder: string, module: string, expression: string): Promise<unknown> {
    const script = `const module = await import('./out/${module}.js');
      const { GraphQLClient } = await import('graphql-request');
      const client = new GraphQLClient(process.env.SERVER, { headers: { authorization: 'Bearer ' + process.env.TOKEN } });
      console.log(JSON.stringify(await ${expression}));`;
    const env = { NODE_OPTIONS: '', BASE: server.base, SERVER: `${server.base}/graphql`, TOKEN: server.token };
    const printed = await succeed(process.execPath, ['--input-type=module', '-e', script], { cwd: folder, env });
    return JSON.parse(printed) as unknown;
  }

  describe('GraphQL Code Generator', () => {
    let folder: string;

    beforeAll(async () => {
      folder = await prepare('codegen', ['codegen.ts', 'src/bugs.ts']);
    });

    test('types the documents', async () => {
      await succeed(tool('graphql-codegen'), [], { cwd: folder });
    });

    test('compiles with the strictest settings, and refuses what the schema does', async () => {
      await succeed(tool('tsc'), ['-p', folder]);
    });

    test('refuses a document that the schema does not have', async () => {
      const text =
        "import { graphql } from './gql/index.js';\nexport const wrong = graphql(`query Wrong { kanbanIssues { titel } }`);\n";
      await writeFile(join(folder, 'src/wrong.ts'), text);
      const { code, stdout, stderr } = await runProgram(tool('graphql-codegen'), ['--verbose'], {
        cwd: folder,
        // With NODE_ENV=test, which Jest sets, the program prints nothing.
        env: { NODE_ENV: '' },
      });
      await rm(join(folder, 'src/wrong.ts'));
      expect(code).not.toBe(0);
      expect(stdout + stderr).toContain('Cannot query field "titel" on type "KanbanIssues".');
    });

    test('reads as the page says', async () => {
      expect(await call(folder, 'bugs', 'module.titles(process.env.SERVER)')).toEqual([
        expect.stringMatching(/^[A-Z]+: ./),
        expect.stringMatching(/^[A-Z]+: ./),
      ]);
    });

    test('sends variables of every scalar, and is answered what its types say', async () => {
      expect(await call(folder, 'everything', 'module.everything(client)')).toEqual({
        typed: ['string', 'number', true],
        read: {
          byKey: {
            id: '1',
            price: 489,
            weight_kg: 38.5,
            attributes: { material: 'oak', width_cm: 140 },
            tags: ['furniture', 'desk', 'wood'],
            available: { lower: '2025-01-01', upper: null, lowerInclusive: true, empty: false },
            search_vector: expect.stringContaining("'oak'"),
          },
          products: [{ sku: 'DESK-OAK-180' }, { sku: 'DESK-OAK-140' }],
          issues: [
            {
              status: 'todo',
              due_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
              created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*\+00:00$/),
              embedding: expect.arrayContaining([expect.any(Number)]),
              kanbanProjectId: { key: expect.any(String) },
            },
          ],
          orders: [
            {
              reference: expect.stringMatching(/^[0-9a-f-]{36}$/),
              delivery_time: expect.stringMatching(/^P/),
              status: expect.any(String),
              shipping_address: null,
            },
          ],
          shopOrdersAggregate: { count: expect.any(Number) },
        },
        written: {
          createKanbanIssues: {
            number: 950,
            status: 'in_progress',
            metadata: { browser: 'firefox', versions: [1, 2] },
            embedding: expect.arrayContaining([expect.any(Number)]),
            due_on: '2026-02-28',
            kanbanComments: [{ body: 'One.' }],
          },
          updateKanbanIssues: [{ priority: 'high', story_points: 3, embedding: [0, 1, 0, 0, 0, 0, 0, 0.5] }],
        },
      });
    });
  });

  describe('gql.tada', () => {
    let folder: string;

    beforeAll(async () => {
      folder = await prepare('tada', ['tsconfig.json', 'src/graphql.ts']);
    });

    test('infers from the schema', async () => {
      await succeed(tool('gql.tada'), ['generate-output'], { cwd: folder });
    });

    test('compiles with the strictest settings, and refuses what the schema does', async () => {
      await succeed(tool('tsc'), ['-p', folder]);
    });

    test('sends variables, and is answered what its types say', async () => {
      expect(await call(folder, 'everything', 'module.everything(client)')).toEqual({
        typed: ['string', 'number', 'string'],
        found: {
          byKey: {
            id: '1',
            price: 489,
            weight_kg: 38.5,
            attributes: { material: 'oak', width_cm: 140 },
            available: { lower: '2025-01-01', upper: null },
          },
          shopProducts: [
            { sku: 'DESK-OAK-140', search_vector: expect.stringContaining("'oak'") },
            { sku: 'DESK-OAK-180', search_vector: expect.stringContaining("'oak'") },
          ],
        },
        ordered: {
          shopOrders: [
            {
              id: expect.stringMatching(/^\d+$/),
              reference: expect.stringMatching(/^[0-9a-f-]{36}$/),
              status: expect.any(String),
              delivery_time: expect.stringMatching(/^P/),
              shopCustomerId: { name: 'Dalia Haddad' },
            },
          ],
        },
        written: {
          createKanbanIssues: { number: 951, status: 'todo', metadata: { a: [1, null] } },
          updateKanbanIssues: [
            {
              due_on: '2026-02-28',
              embedding: [0, 1, 0, 0, 0, 0, 0, 0.5],
              story_points: 3,
              labels: ['typed', 'inferred'],
            },
          ],
        },
      });
    });
  });

  describe('openapi-fetch', () => {
    let folder: string;

    beforeAll(async () => {
      folder = await prepare('fetch', ['src/comments.ts']);
    });

    test('types the paths', async () => {
      await succeed(tool('openapi-typescript'), ['openapi.json', '--output', 'src/api.d.ts'], { cwd: folder });
    });

    test('compiles with the strictest settings, and refuses what the document does', async () => {
      await succeed(tool('tsc'), ['-p', folder]);
    });

    test('writes, reads and deletes as the page says', async () => {
      expect(await call(folder, 'comments', 'module.lifeOfAComment(process.env.BASE, process.env.TOKEN)')).toEqual([
        {
          id: expect.any(Number),
          issue_id: 20,
          author_id: 4,
          body: 'Still typed.',
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*\+00:00$/),
          edited_at: null,
        },
        'Still typed.',
        404,
      ]);
    });

    test('every operation answers what its types say', async () => {
      expect(await call(folder, 'everything', 'module.everything(process.env.BASE, process.env.TOKEN)')).toEqual({
        page: {
          status: 206,
          limit: 2,
          total: 4,
          typed: [489, 38.5, { material: 'oak', width_cm: 140 }, ['furniture', 'desk', 'wood']],
          lower: '2025-01-01',
          search_vector: expect.stringContaining("'oak'"),
        },
        created: [
          { number: 960, status: 'backlog', metadata: {}, due_on: '2026-02-28' },
          { number: 961, status: 'in_progress', metadata: { a: [1, null] }, due_on: null },
        ],
        minimal: 204,
        changed: { number: 960, priority: 'high', due_on: null },
        put: [['Put.', '2026-01-01T00:00:00+00:00']],
        lines: ['number,title', '960,One.', '961,Two.'],
        location: [201, '/api/v1/issues/…'],
        deleted: expect.arrayContaining([960, 961, 962]),
        problem: 'TW003',
        gone: [404, 'TW008'],
      });
    });
  });
});
