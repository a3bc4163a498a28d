import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { format } from 'prettier';
import { startDemoServer, type DemoServer } from '../../support/demo-server.js';
import { post } from '../../support/graphql-server.js';

const guide = new URL('../../../docs/graphql.md', import.meta.url);

/**
 * A document, optional variables, and the answer. UPDATE_DOCS=1 rewrites the answers; read them
 * before you commit them.
 */
const example = /```graphql( token)?\n([^]*?)```\n\n(?:```json variables\n([^]*?)```\n\n)?```json\n([^]*?)```/g;

const examples = [...readFileSync(guide, 'utf8').matchAll(example)].map(
  ([, token, query = '', variables = '{}', answer = '']) => ({ token: token !== undefined, query, variables, answer }),
);

let server: DemoServer;

beforeAll(async () => {
  server = await startDemoServer();
});

afterAll(() => server.stop());

async function run({ token, query, variables }: (typeof examples)[number]): Promise<string> {
  const body = JSON.stringify({ query, variables: JSON.parse(variables) as unknown });
  const { text } = await post(`${server.base}/graphql`, body, token ? { authorization: `Bearer ${server.token}` } : {});
  return text;
}

if (process.env['UPDATE_DOCS'] === '1') {
  test('the guide is written anew', async () => {
    let text = readFileSync(guide, 'utf8');
    for (const each of examples) {
      const answer = await format(await run(each), { parser: 'json', printWidth: 120 });
      text = text.replace(example, (block, _token: string, query: string) =>
        query === each.query ? block.replace(/```json\n[^]*?```$/, () => `\`\`\`json\n${answer}\`\`\``) : block,
      );
    }
    writeFileSync(guide, text);
  });
} else {
  test('the guide has examples', () => {
    expect(examples.length).toBeGreaterThan(15);
  });

  test('the command works when it is pasted', async () => {
    const [, command = ''] = /```sh\n(curl [^\n]*)\n```/.exec(readFileSync(guide, 'utf8')) ?? [];
    const here = command.replace('http://127.0.0.1:4000', server.base);
    const { stdout } = await promisify(execFile)('sh', ['-c', here]);
    expect(JSON.parse(stdout)).toEqual({ data: { kanbanProjects: [{ name: expect.any(String) }] } });
  });

  test.each(examples)('$query', async (each) => {
    expect(JSON.parse(await run(each))).toEqual(JSON.parse(each.answer));
  });
}
