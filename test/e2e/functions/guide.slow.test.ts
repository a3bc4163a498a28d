import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import prettier from 'prettier';
import { blocksOf } from '../../support/documents.js';
import { openServed, type Served, type ServedServer } from '../../support/served-as-role.js';

const guide = join(import.meta.dirname, '../../../docs/functions.md');
/**
 * A request and its answer. UPDATE_DOCS=1 rewrites the answers; read them before you commit them.
 */
const example = /```(graphql|sh)\n([^]*?)```\n\n```json\n([^]*?)```/g;

let served: Served;
let server: ServedServer;

beforeAll(async () => {
  const [config = '{}'] = blocksOf('functions.md', 'json');
  // The other one is of MariaDB.
  const [sql = ''] = blocksOf('functions.md', 'sql');
  served = await openServed({
    name: 'functions_guide',
    schema: 'library',
    sql,
    config: JSON.parse(config) as Record<string, unknown>,
  });
  server = await served.start();
});

afterAll(async () => {
  await server.stop();
  await served.drop();
});

async function answerOf(language: string, request: string): Promise<string> {
  if (language === 'graphql') return (await server.ask(request)).text;
  const [, path = '', body] = /^curl '([^']+)'(?: --data '([^']+)')?\n$/.exec(request) ?? [];
  return (await server.send(body === undefined ? 'GET' : 'POST', path, {}, body)).text;
}

it('answers what docs/functions.md says', async () => {
  const text = await readFile(guide, 'utf8');
  let current = text;
  for (const [block, language = '', request = '', answer = ''] of text.matchAll(example)) {
    const found = await prettier.format(await answerOf(language, request), { parser: 'json', printWidth: 120 });
    current = current.replace(block, () => block.replace(`\`\`\`json\n${answer}`, () => `\`\`\`json\n${found}`));
  }
  if (process.env['UPDATE_DOCS'] === '1') await writeFile(guide, current);
  else expect(text).toBe(current);
});
