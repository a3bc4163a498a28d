import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What a reader has to know is held here, instead of a total. Who raises a number says why beside
 * it. What a server loads is counted in test/e2e/production-install.slow.test.ts, what a request
 * runs through in test/runtime/server/warm-reads.test.ts.
 */

const source = join(import.meta.dirname, '../../runtime/src');

/** Lines with code: neither blank nor comments. */
function linesIn(folder: string): number {
  const files = readdirSync(join(source, folder), { recursive: true, encoding: 'utf8' });
  const texts = files.filter((file) => file.endsWith('.ts')).map((file) => readFileSync(join(source, folder, file)));
  const lines = texts.flatMap((text) => text.toString().split('\n'));
  return lines.filter((line) => !/^\s*(?:\/\/|\/?\*|$)/.test(line)).length;
}

/** Those of November 2026, and a tenth. */
const lines = {
  'extensions/base-path': 45,
  'extensions/custom': 130,
  'extensions/fetch': 195,
  'extensions/mcp': 1_550,
  'extensions/postgrest': 2_300,
  'extensions/rates': 365,
  'extensions/replicas': 740,
  'extensions/roles': 280,
  'extensions/tenants': 730,
  'extensions/workers': 1_540,
  /** It composes: 5,000 before decision 058. */
  server: 2_400,
};

test.each(Object.entries(lines))('%s has at most %d lines of code', (folder, most) => {
  expect(linesIn(folder)).toBeLessThanOrEqual(most);
});

test('every extension has a budget', () => {
  const entries = readdirSync(join(source, 'extensions'), { withFileTypes: true });
  const folders = entries.filter((each) => each.isDirectory()).map(({ name }) => `extensions/${name}`);
  expect(Object.keys(lines)).toEqual(expect.arrayContaining(folders));
});

test('ARCHITECTURE.md names files and folders that exist', () => {
  const text = readFileSync(join(source, '../../ARCHITECTURE.md'), 'utf8');
  const ways = text.slice(text.indexOf('### The way of a read'), text.indexOf('## The console'));
  const named = ways.match(/(?<![\w/])[a-z]+(?:\/[\w.-]+)+\/?/g) ?? [];
  const paths = named.map((path) => path.replace(/\/$/, ''));
  expect(paths.length).toBeGreaterThan(25);
  const known = new Set(readdirSync(source, { recursive: true, encoding: 'utf8' }));
  const dialects = ['postgres', 'mysql'];
  const exist = (path: string): boolean =>
    path.includes('NAME') ? dialects.every((name) => known.has(path.replace('NAME', name))) : known.has(path);
  expect(paths.filter((path) => !exist(path))).toEqual([]);
});
