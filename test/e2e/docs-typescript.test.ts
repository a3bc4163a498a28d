import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { tsc } from '../support/program.js';
import { markdownBlocks, markdownFiles } from '../support/readme.js';
import { scratchFolder } from '../support/scratch-folder.js';

const checkout = join(import.meta.dirname, '../..');

/**
 * Blocks that other tests compile: the code of clients in clients.test.ts, a complete project in
 * migration-guide.test.ts, an excerpt of the example in readme.test.ts.
 */
const elsewhere: ReadonlyMap<string, readonly string[]> = new Map([
  ['docs/migrations.md', ['src/custom/lengths.ts', 'src/custom/index.ts']],
  ['docs/graphql.md', ['codegen.ts', 'src/bugs.ts', 'src/graphql.ts']],
  ['docs/rest.md', ['src/comments.ts']],
  ['docs/relay.md', ['src/issue.ts', 'src/environment.ts']],
]);
/** Pages whose files are complete projects, which other suites build. */
const excerpts: ReadonlySet<string> = new Set(['README.md', 'docs/hosting.md', 'docs/recipes.md', 'docs/tutorial.md']);

/**
 * The TypeScript of the pages, by the file that it is compiled as. A block without a file name
 * belongs to `src/custom`.
 */
async function examples(): Promise<ReadonlyMap<string, string>> {
  const pages = (await readdir(join(checkout, 'docs'))).filter((name) => name.endsWith('.md')).sort();
  const files = new Map<string, string>();
  for (const page of ['README.md', ...pages.map((name) => `docs/${name}`)]) {
    if (excerpts.has(page)) continue;
    const named = [...markdownFiles(page)];
    const blocks = markdownBlocks(page).filter(({ language }) => language === 'ts');
    for (const [at, { text }] of blocks.entries()) {
      const path = named.find(([, body]) => body === `${text}\n`)?.[0];
      if (path !== undefined && elsewhere.get(page)?.includes(path) === true) continue;
      files.set(path ?? `src/custom/${page.replace(/^docs\/|\.md$/g, '')}-${at + 1}.ts`, text);
    }
  }
  return files;
}

let folder: string;

beforeAll(async () => {
  folder = await scratchFolder('docs');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test('every TypeScript example of the documentation compiles in a generated project', async () => {
  const files = await examples();
  expect([...files.keys()]).toEqual(
    expect.arrayContaining(['src/custom/writes-1.ts', 'src/custom/graphql-1.ts', 'src/app.ts', 'src/custom/index.ts']),
  );
  for (const path of ['src', 'tsconfig.json', 'package.json']) {
    await cp(join(checkout, 'generated-example', path), join(folder, path), { recursive: true });
  }
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  // The project's own settings; the packages come from this checkout.
  const settings = {
    extends: './tsconfig.json',
    compilerOptions: {
      noEmit: true,
      incremental: false,
      paths: { tablewright: [join(checkout, 'dist/src/index.d.ts')] },
    },
  };
  await writeFile(join(folder, 'tsconfig.docs.json'), JSON.stringify(settings));
  const { code, stdout } = await tsc('-p', join(folder, 'tsconfig.docs.json'));
  expect(stdout).toBe('');
  expect(code).toBe(0);
});
