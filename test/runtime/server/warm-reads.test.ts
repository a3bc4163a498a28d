import { Session } from 'node:inspector/promises';
import { startServer, type TestServer } from '../rest/support/server.js';

/** Files that a reader of a warm read has to know: V8 counts the functions that were called. */

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

/** The files of the runtime with a function that runs while this works. */
async function filesOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await session.post('Profiler.takePreciseCoverage');
    await work();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const called = result.filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0));
    return called.flatMap(({ url }) => /\/runtime\/src\/(.*)$/.exec(url)?.[1] ?? []).sort();
  } finally {
    await session.post('Profiler.stopPreciseCoverage');
    session.disconnect();
  }
}

const document = '{ boardIssues(limit: 2) { id title } }';

const body = JSON.stringify({ query: document });
const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body };

/**
 * Those of November 2026, and one for the observer of this suite. Who raises one says why here.
 * REST: one for the record of its form (decision 059), whose grammar has a file of its own.
 * Both: one for copies with a further member, and one for texts that are joined with bytes
 * (decision 061).
 */
test.each([
  ['REST', 67, (): Promise<Response> => fetch(`${server.url}/api/v1/issues?select=id,title&limit=2`)],
  ['GraphQL', 58, (): Promise<Response> => fetch(`${server.url}/graphql`, post)],
] as const)('a warm read over %s runs through at most %d files', async (_protocol, most, ask) => {
  for (let times = 0; times < 3; times += 1) {
    const answer = await ask();
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('"title"')]);
  }
  // What timers of the server do meanwhile is not of the read.
  let files = await filesOf(async () => (await ask()).text());
  for (let times = 0; times < 4; times += 1) {
    const again = new Set(await filesOf(async () => (await ask()).text()));
    files = files.filter((file) => again.has(file));
  }
  expect(files).toContain('http/data-plane.ts');
  expect(files.length).toBeLessThanOrEqual(most);
});
