import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Comments cite pages of docs/decisions by number. */

const repository = join(import.meta.dirname, '../..');
const folder = join(repository, 'docs/decisions');
const pages = readdirSync(folder).filter((name) => name !== 'README.md');
const numbers = pages.map((name) => name.slice(0, 3));

const sources = ['src', 'runtime/src', 'test', 'bench', 'templates'].flatMap((name) =>
  readdirSync(join(repository, name), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.includes('node_modules') && !/(^|\/)out\//.test(file))
    .map((file) => join(name, file)),
);

test('every cited decision has a page', () => {
  const missing = sources.flatMap((file) => {
    const text = readFileSync(join(repository, file), 'utf8');
    const cited = [...text.matchAll(/\bdecisions? (\d{3}(?:(?:, | and )\d{3})*)/gi)];
    return cited
      .flatMap(([, list = '']) => list.match(/\d{3}/g) ?? [])
      .filter((number) => !numbers.includes(number))
      .map((number) => `${file}: ${number}`);
  });
  expect(missing).toEqual([]);
});

test('numbers are unique, and the list names every page', () => {
  expect(new Set(numbers).size).toBe(pages.length);
  const list = readFileSync(join(folder, 'README.md'), 'utf8');
  expect(pages.filter((page) => !list.includes(`](${page})`))).toEqual([]);
});
