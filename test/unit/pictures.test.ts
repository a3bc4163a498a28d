import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { looks, pages, pictureOf } from '../../scripts/screenshots.js';
import { repository } from '../support/transpile.js';

const folder = join(repository, 'docs/images');
const text = (path: string): string => readFileSync(join(repository, path), 'utf8');

/** `npm run screenshots` takes the pictures. */
describe('the pictures of the console', () => {
  const expected = Object.keys(pages).flatMap((page) => Object.keys(looks).map((look) => pictureOf(page, look)));

  test('are those of each page in each look, with at most 3 MB', () => {
    const present = readdirSync(folder).filter((name) => name.startsWith('console-'));
    expect([...present].sort()).toEqual([...expected].sort());
    const bytes = present.map((name) => statSync(join(folder, name)).size).reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeLessThan(3_000_000);
  });

  test.each(Object.keys(pages))('%s is shown in docs/console.md', (page) => {
    expect(text('docs/console.md')).toContain(`(images/console-${page}-`);
  });

  test.each(['README.md', 'docs/console.md'])('%s refers to pictures that are there', (path) => {
    const names = [...text(path).matchAll(/images\/([\w-]+\.png)/g)].map(([, name]) => name ?? '');
    expect(names.length).toBeGreaterThan(1);
    expect(names.filter((name) => !expected.includes(name))).toEqual([]);
  });
});
