import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { envelopeOf, errorOf, type Reply } from '../support/client.js';
import { startServer, startServerAsReader, startVectorServer, type TestServer } from '../support/server.js';
import type { Case, ServerName } from './case.js';
import { gapCases } from './gaps.cases.js';
import { operatorCases } from './operators.cases.js';
import { readCases } from './reads.cases.js';
import { representationCases } from './representation.cases.js';
import { rules } from './rules.js';
import { vectorCases } from './vector.cases.js';

const cases: readonly Case[] = [
  ...readCases,
  ...operatorCases,
  ...representationCases,
  ...gapCases,
  ...vectorCases.map((each): Case => ({ ...each, server: 'vector' })),
];

const starters: Readonly<Record<ServerName, () => Promise<TestServer>>> = {
  board: () => startServer(),
  several: () => startServer({ APP_SCHEMAS: 'board,crm' }),
  verified: () => {
    const { publicKey } = generateKeyPairSync('ed25519');
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    return startServerAsReader({ APP_SECURITY_JWT_ENABLED: 'true', APP_SECURITY_AUTH_PUBLIC_KEY: pem });
  },
  vector: () => startVectorServer(),
};

/** The names of the cases by rule. */
const coverage = new Map(
  Object.keys(rules).map((rule) => [rule, cases.filter((each) => each.rules.includes(rule)).map(nameOf)]),
);

function nameOf({ method = 'GET', path, headers }: Case): string {
  const sent = headers === undefined ? '' : ` ${JSON.stringify(headers)}`;
  return `${method} ${path}${sent}`;
}

/**
 * The text of report.md beside this file: the requests that show each rule. UPDATE_DOCS=1 rewrites
 * it.
 */
function report(): string {
  const sections = Object.entries(rules).map(([rule, text]) => {
    const shown = (coverage.get(rule) ?? []).map((name) => `- \`${name}\``);
    return `## ${rule}\n\n\`${text}\`\n\n${[...new Set(shown)].join('\n')}\n`;
  });
  return `# Rules of REST reads, and the requests that show them\n\n${sections.join('\n')}`;
}

describe('the rules', () => {
  const file = new URL('report.md', import.meta.url);

  test('report.md lists the cases of each rule', () => {
    if (process.env['UPDATE_DOCS'] === '1') writeFileSync(file, report());
    expect(readFileSync(file, 'utf8')).toBe(report());
  });

  test.each(Object.keys(rules))('%s has a case', (rule) => {
    expect(coverage.get(rule)).not.toHaveLength(0);
  });

  test('every case names rules that there are', () => {
    expect(cases.flatMap((each) => each.rules).filter((rule) => !(rule in rules))).toEqual([]);
  });
});

describe.each(Object.keys(starters) as ServerName[])('on the server "%s"', (name) => {
  let server: TestServer;

  beforeAll(async () => {
    server = await starters[name]();
  });
  afterAll(() => server.stop());

  const own = cases.filter((each) => (each.server ?? 'board') === name);

  test.each(own.map((each) => [`[${each.rules.join('; ')}] ${nameOf(each)}`, each] as const))(
    '%s',
    async (_name, each) => {
      const path = each.path.startsWith('/') ? each.path : `/api/v1/${each.path}`;
      verify(each, await server.send(each.method ?? 'GET', path, each.headers, each.body));
    },
  );
});

function verify(each: Case, reply: Reply): void {
  expect({ status: reply.status, body: reply.status === (each.status ?? 200) ? '' : reply.text }).toEqual({
    status: each.status ?? 200,
    body: '',
  });
  if (each.ids !== undefined) expect(envelopeOf(reply).data.map((row) => row['id'])).toEqual(each.ids);
  if (each.rows !== undefined) expect(envelopeOf(reply).data).toEqual(each.rows);
  if (each.json !== undefined) expect(JSON.parse(reply.text)).toEqual(each.json);
  if (each.text !== undefined) expect(reply.text).toBe(each.text);
  for (const [name, value] of Object.entries(each.answers ?? {}))
    expect([name, reply.headers[name]]).toEqual([name, value]);
  if (each.error !== undefined) verifyError(each.error, reply);
  each.check?.(reply);
}

function verifyError(expected: NonNullable<Case['error']>, reply: Reply): void {
  const error = errorOf(reply);
  if (expected.code !== undefined) expect(error.code).toBe(expected.code);
  if (expected.message !== undefined) expect(error.message).toMatch(expected.message);
  if (expected.hint !== undefined) expect(error.hint).toMatch(expected.hint);
}
