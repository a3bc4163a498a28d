import { createSecuredProject, type SecuredProject } from '../support/secured-project.js';
import { controlTargets, startControl } from './control.js';
import { startForwarder } from './forwarder.js';
import { marksOf, requestOf, succeeds, type Placeholders } from './request.js';
import { runSqlmap, sqlmapVersion } from './sqlmap.js';
import { targets, type Target } from './targets.js';

/** The result of a run on one target. */
interface Finding {
  readonly marks: number;
  readonly tried: number;
  readonly injectable: number;
  readonly requests: number;
}

/**
 * A complete test of one place takes more requests than this, so a run with fewer stopped early.
 */
const LEAST_REQUESTS = 100;

const isFound = ({ marks, injectable }: Finding): boolean => injectable === marks;
const isClean = ({ marks, tried, injectable, requests }: Finding): boolean =>
  injectable === 0 && tried === marks && requests >= marks * LEAST_REQUESTS;

/**
 * Runs sqlmap on every kind of input of a generated server, and on a server that is injectable on
 * purpose. Returns whether it finds nothing in the first and everything in the second. With
 * `words`, only targets whose names contain one of these words.
 */
async function main(words: readonly string[]): Promise<boolean> {
  const version = await sqlmapVersion();
  if (version === undefined) {
    console.error('sqlmap is not installed. On Debian: apt-get install sqlmap');
    return false;
  }
  console.log(`sqlmap ${version}`);
  const chosen = targets.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
  const project = await createSecuredProject('sqlmap');
  try {
    const found = await attackControl(project);
    const clean = await attackServer(project, chosen);
    return found && clean;
  } finally {
    await project.remove();
  }
}

async function attackControl({ database }: SecuredProject): Promise<boolean> {
  const control = await startControl(database.url);
  try {
    return await attack(control.base, controlTargets, {}, isFound);
  } finally {
    await control.stop();
  }
}

async function attackServer(project: SecuredProject, chosen: readonly Target[]): Promise<boolean> {
  const server = await project.start({ APP_LOG_LEVEL: 'error' });
  try {
    const token = await project.token('ada');
    const cursor = await cursorOf(server.base, token);
    return await attack(server.base, chosen, { token, cursor }, isClean);
  } finally {
    await server.stop();
  }
}

async function attack(
  base: string,
  chosen: readonly Target[],
  placeholders: Placeholders,
  isExpected: (finding: Finding) => boolean,
): Promise<boolean> {
  const forwarder = await startForwarder(base);
  const failed: string[] = [];
  for (const target of chosen) {
    const request = requestOf(target, placeholders);
    const usable = await succeeds(base, request);
    const [start, before] = [performance.now(), forwarder.requests()];
    const { tried, injectable, output } = await runSqlmap(forwarder.base, request);
    const finding = { marks: marksOf(request), tried, injectable, requests: forwarder.requests() - before };
    const good = usable && isExpected(finding);
    console.log(describe(target, finding, good, performance.now() - start));
    if (!usable) console.log('        The request is refused also when nobody tampers with it.');
    if (!good) {
      failed.push(target.name);
      console.log(output);
    }
  }
  await forwarder.stop();
  return failed.length === 0;
}

function describe(target: Target, finding: Finding, good: boolean, milliseconds: number): string {
  const { marks, tried, injectable, requests } = finding;
  const what = `${tried} of ${marks} places tried, ${injectable} injectable, ${requests} requests`;
  return `${good ? 'ok    ' : 'FAILED'}  ${target.name}: ${what}, ${Math.round(milliseconds / 1000)} s`;
}

/** A valid cursor for the list that the target requests. */
async function cursorOf(base: string, token: string): Promise<string> {
  const query = '{ vaultNotesConnection(first: 1) { pageInfo { endCursor } } }';
  const response = await fetch(`${base}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query }),
  });
  const { data } = (await response.json()) as {
    data: { vaultNotesConnection: { pageInfo: { endCursor: string } } };
  };
  return data.vaultNotesConnection.pageInfo.endCursor;
}

process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1;
