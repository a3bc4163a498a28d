import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { addDump, type Dump } from '../support/coverage/dump.js';
import { codeLines, describeLines } from '../support/coverage/lines.js';
import { temporaryFolder, writeTree } from '../support/folders.js';
import { succeed } from '../support/program.js';

/** Which lines `npm run coverage` counts, and which of them ran. */

const text = `import { a } from 'a';
export interface Shape {
  readonly side: number;
}
/** A comment. */
export const add = (one: number): number =>
  one + 1;
export class Box {
  private left = 1;
  private right: number;
  open(): void {
    if (this.left > 1) {
      throw new Error();
    }
    try {
      a();
    } finally {
      this.left = 2;
    }
  }
}
`;

test('lines with code are those on which a statement or a value begins', () => {
  expect(codeLines(text, 'box.ts')).toEqual([6, 7, 9, 12, 13, 16, 18]);
});

test.each([
  [[], ''],
  [[3], '3'],
  [[3, 4, 5, 9], '3-5, 9'],
])('%j is written as %j', (lines, written) => {
  expect(describeLines(lines)).toBe(written);
});

test('lines of another process, by its source map, with the branches that did not run', async () => {
  const { folder, remove } = await temporaryFolder();
  const built = 'const f = (x) => {\n  if (x) {\n    return 1;\n  }\n  return 2;\n};\nf(0);\n';
  // Each line of the built file begins with that line of the source.
  const map = { version: 3, sources: ['../src/f.ts'], names: [], mappings: `AAAA${';AACA'.repeat(6)}` };
  await writeTree(folder, {
    'package.json': '{"type":"module"}',
    'runtime/dist/f.js': `${built}//# sourceMappingURL=f.js.map\n`,
    'runtime/dist/f.js.map': JSON.stringify(map),
  });
  await writeFile(join(folder, 'main.js'), `await import('${pathToFileURL(join(folder, 'runtime/dist/f.js')).href}');`);
  const dumps = join(folder, 'dumps');
  await succeed(process.execPath, [join(folder, 'main.js')], { env: { NODE_V8_COVERAGE: dumps } });
  const ran = new Map<string, Set<number>>();
  for (const name of await readdir(dumps)) addDump(JSON.parse(await readFile(join(dumps, name), 'utf8')) as Dump, ran);
  expect([...(ran.get(join(folder, 'runtime/src/f.ts')) ?? [])].sort()).toEqual([1, 2, 5, 6, 7]);
  await remove();
});
