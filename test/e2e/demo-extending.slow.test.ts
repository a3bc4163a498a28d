import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateDemo, prepareFolder } from '../../src/demo/project.js';
import { demoToken } from '../../src/demo/token.js';
import { loadConfig } from '../../src/config/load.js';
import { committedCatalog, generate } from '../../src/generate.js';
import { demoScripts, writePgliteData } from '../support/pglite-data.js';
import { compile } from '../support/program.js';
import { markdownBlocks, markdownFiles } from '../support/readme.js';
import { startGeneratedServer, type RunningServer } from '../support/running-server.js';
import { scratchFolder } from '../support/scratch-folder.js';

/** Uses the code of docs/extending.md as it is on the page. */
describe('a server extended as docs/extending.md says', () => {
  let folder: string;
  let token: string;
  let server: RunningServer;

  beforeAll(async () => {
    folder = await scratchFolder('extending');
    await prepareFolder(folder);
    token = await demoToken(folder);
    await writePgliteData(join(folder, 'data'), demoScripts);
    await generateDemo(folder, `pglite:${join(folder, 'data')}`, {});
    for (const [name, text] of markdownFiles('docs/extending.md')) await writeFile(join(folder, name), text);
    await compile(folder);
    server = await startGeneratedServer(folder, { DATABASE_URL: 'pglite:data', APP_LOG_LEVEL: 'error' });
  });

  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test('shows seven files', () => {
    expect([...markdownFiles('docs/extending.md').keys()]).toHaveLength(7);
  });

  test('a field on a table, beside generated ones', async () => {
    expect(await graphql('{ kanbanIssuesByPk(id: 1) { id votes metadata } }')).toEqual({
      data: {
        kanbanIssuesByPk: { id: 1, votes: 14, metadata: { votes: 14, browser: 'Edge', version: '2.9.0' } },
      },
    });
  });

  test('the field alone: its row is read although nothing of it is asked for', async () => {
    expect(await graphql('{ kanbanIssues(orderBy: { id: ASC }, limit: 2) { votes } }')).toEqual({
      data: { kanbanIssues: [{ votes: 14 }, { votes: 26 }] },
    });
  });

  test('a query of its own, as the one who asks', async () => {
    const query = (key: string): string => `{ boardSummary(key: "${key}") }`;
    expect(await graphql(query('PAY'))).toEqual({ data: { boardSummary: 'There is no project PAY.' } });
    const answer = (await graphql(query('PAY'), { Authorization: `Bearer ${token}` })) as Record<string, unknown>;
    expect(answer).toEqual({ data: { boardSummary: expect.stringMatching(/^Payments: \d+ issues wait/) as string } });
  });

  test('a page of its own', async () => {
    expect(await (await fetch(`${server.base}/about`)).json()).toEqual({ name: 'Kanban', version: 1 });
  });

  test('an extension of its own writes down who has read what of issues, and nothing else', async () => {
    const lines = async (): Promise<readonly Readonly<Record<string, unknown>>[]> =>
      (await readFile(join(folder, 'audit.jsonl'), 'utf8'))
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    const before = await lines();
    const ada = { Authorization: `Bearer ${token}`, 'Accept-Profile': 'kanban' };
    await fetch(`${server.base}/api/v1/issues?id=eq.1&select=id,title`, { headers: ada });
    await fetch(`${server.base}/api/v1/users?limit=1`, { headers: ada });
    await graphql('{ kanbanProjects { kanbanIssues(limit: 1) { id } } }');
    const written = (await lines()).slice(before.length);
    expect(written).toHaveLength(2);
    expect(written[0]).toMatchObject({ user: expect.stringMatching(/./) as string, at: expect.any(String) as string });
    expect(JSON.stringify(written[0]?.['rows'])).toContain('\\"title\\"');
    expect(written[1]).toMatchObject({ user: null });
    const health = (await (await fetch(`${server.base}/health/ready`)).json()) as { readonly audit: unknown };
    expect(health.audit).toEqual({ reads: before.length + 2 });
  });

  test('rules around writes', async () => {
    const post = async (title: string): Promise<{ status: number; body: unknown }> => {
      const answer = await fetch(`${server.base}/api/v1/issues`, {
        method: 'POST',
        headers: {
          'Content-Profile': 'kanban',
          'Content-Type': 'application/json',
          Authorization: `Bearer ${token}`,
          Prefer: 'tx=rollback',
        },
        body: JSON.stringify({ project_id: 4, number: 99, title, reporter_id: 4 }),
      });
      return { status: answer.status, body: await answer.json() };
    };
    expect(await post('  Refunds arrive twice ')).toMatchObject({
      status: 201,
      body: { title: 'Refunds arrive twice' },
    });
    expect(await post('x'.repeat(201))).toMatchObject({
      status: 422,
      body: { message: 'A title has 200 characters at most.' },
    });
  });

  test('other names, fewer tables', async () => {
    const [block] = markdownBlocks('docs/extending.md', 'Other names, fewer tables');
    const home = join(folder, 'renamed');
    await mkdir(home);
    await writeFile(join(home, 'tablewright.config.ts'), block?.text ?? '');
    const { model } = await loadConfig({ folder: home, environment: {}, flags: {} });
    const catalog = await committedCatalog(folder);
    const { plan } = await generate({ catalog, out: home, model, dryRun: true });
    const schema = plan.files.find((file) => file.path.endsWith('schema.graphql'))?.after ?? '';
    const ticket = /^type Ticket \{.*?^\}/ms.exec(schema)?.[0] ?? '';
    expect(ticket).toMatch(/^ {2}points: Int$/m);
    expect(ticket).toMatch(/^ {2}assignee: KanbanUsers$/m);
    expect(ticket).not.toContain('search_vector');
    expect(schema).not.toMatch(/kanbanNotifications|credit_limit/);
  });

  async function graphql(query: string, headers: Readonly<Record<string, string>> = {}): Promise<unknown> {
    const answer = await fetch(`${server.base}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ query }),
    });
    return answer.json();
  }
});
