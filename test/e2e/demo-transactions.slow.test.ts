import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateDemo, prepareFolder } from '../../src/demo/project.js';
import { demoToken } from '../../src/demo/token.js';
import { demoScripts, writePgliteData } from '../support/pglite-data.js';
import { compile, runProgram } from '../support/program.js';
import { markdownFiles } from '../support/readme.js';
import { startGeneratedServer, type RunningServer } from '../support/running-server.js';
import { scratchFolder } from '../support/scratch-folder.js';

const page = 'docs/transactions.md';

/** Uses the code of the page as it is. */
describe('a server with the code of docs/transactions.md', () => {
  let folder: string;
  let token: string;
  let server: RunningServer;

  beforeAll(async () => {
    folder = await scratchFolder('transactions');
    await prepareFolder(folder);
    token = await demoToken(folder);
    await writePgliteData(join(folder, 'data'), demoScripts);
    await generateDemo(folder, `pglite:${join(folder, 'data')}`, {});
    for (const [name, text] of markdownFiles(page)) await writeFile(join(folder, name), text);
    await compile(folder);
    server = await startGeneratedServer(folder, { DATABASE_URL: 'pglite:data', APP_LOG_LEVEL: 'error' });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const ask = async (query: string, asked = token): Promise<Readonly<Record<string, unknown>>> => {
    const answer = await fetch(`${server.base}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(asked === '' ? {} : { Authorization: `Bearer ${asked}` }) },
      body: JSON.stringify({ query }),
    });
    const { data, errors } = (await answer.json()) as { data: Readonly<Record<string, unknown>>; errors?: unknown };
    expect(errors).toBeUndefined();
    return data;
  };

  test('it is lint clean under the strictest presets', async () => {
    const { stdout, code } = await runProgram('npx', ['eslint', 'src/custom', 'src/nightly.ts'], { cwd: folder });
    expect(stdout).toBe('');
    expect(code).toBe(0);
  });

  test('a resolver, a route, hooks and a loader share the caller’s policies', async () => {
    const { kanbanIssues } = await ask(
      '{ kanbanIssues(where: { status: { eq: todo }, kanbanProjectId: { key: { eq: "PAY" } } }, limit: 1) { id commentCount } }',
    );
    const [issue] = kanbanIssues as readonly { id: number; commentCount: number }[];
    const id = issue?.id ?? 0;
    expect((await ask(`mutation { takeIssue(id: ${id}) }`, ''))['takeIssue']).toBe(false);
    expect((await ask(`mutation { takeIssue(id: ${id}) }`))['takeIssue']).toBe(true);
    expect((await ask(`mutation { takeIssue(id: ${id}) }`))['takeIssue']).toBe(false);
    const mine = await fetch(`${server.base}/my-work`, { headers: { Authorization: `Bearer ${token}` } });
    expect(await mine.json()).toContainEqual(expect.objectContaining({ id }));
    expect(await (await fetch(`${server.base}/my-work`)).json()).toEqual([]);

    await ask(`mutation { updateKanbanIssues(id: ${id}, input: { status: in_review }) { id } }`);
    const { kanbanIssuesByPk } = await ask(
      `{ kanbanIssuesByPk(id: ${id}) { commentCount kanbanComments(orderBy: { id: DESC }, limit: 2) { body } } }`,
    );
    expect(kanbanIssuesByPk).toEqual({
      commentCount: (issue?.commentCount ?? 0) + 2,
      kanbanComments: [{ body: 'Moved from in_progress to in_review.' }, { body: 'Taken.' }],
    });
  });

  test('a hook keeps what is done', async () => {
    const { kanbanIssues } = await ask('{ kanbanIssues(where: { status: { eq: done } }, limit: 1) { id } }');
    const [issue] = kanbanIssues as readonly { id: number }[];
    const answer = await fetch(`${server.base}/api/v1/issues?id=eq.${issue?.id}`, {
      method: 'DELETE',
      headers: { 'Content-Profile': 'kanban', Authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(422);
  });

  test('nobody reads what was said about issues that are done', async () => {
    const done = '{ kanbanCommentsAggregate(where: { kanbanIssueId: { status: { eq: done } } }) { count } }';
    expect(await ask(done, '')).toEqual({ kanbanCommentsAggregate: { count: 0 } });
    expect(await ask(done)).not.toEqual({ kanbanCommentsAggregate: { count: 0 } });
  });

  test('a job acts as somebody, without a request', async () => {
    await server.stop();
    const { stdout } = await runProgram('node', ['dist/nightly.js'], {
      cwd: folder,
      env: { ...process.env, DATABASE_URL: 'pglite:data', APP_LOG_LEVEL: 'error' },
    });
    expect(stdout).toMatch(/^[1-9]\d* issues wait for review\./);
  });
});
