import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownPackage } from '../../../src/package.js';

const { folder } = ownPackage();

type Names = 'dependencies' | 'devDependencies' | 'peerDependencies';
type Manifest = Readonly<Partial<Record<Names, Readonly<Record<string, string>>>>>;

const manifest = (path: string): Manifest => JSON.parse(readFileSync(join(folder, path), 'utf8')) as Manifest;

/** The first column of each table of a section of docs/decisions/dependencies.md. */
function listed(heading: string): readonly (readonly string[])[] {
  const text = readFileSync(join(folder, 'docs/decisions/dependencies.md'), 'utf8');
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const tables = section.split(/^\| package .*\n\| -.*\n/m).slice(1);
  return tables.map((table) => [...table.matchAll(/^\| (\S+)/gm)].map(([, name = '']) => name).sort());
}

const names = (path: string, ...kinds: readonly Names[]): readonly string[] =>
  kinds.flatMap((kind) => Object.keys(manifest(path)[kind] ?? {})).sort();

test.each([
  ['A generated project', [names('templates/project/package.json', 'dependencies', 'devDependencies')]],
  [
    '@tablewright/runtime',
    [names('runtime/package.json', 'dependencies'), names('runtime/package.json', 'peerDependencies')],
  ],
  [
    '@tablewright/console',
    [names('console/package.json', 'dependencies'), names('console/package.json', 'peerDependencies')],
  ],
  ['tablewright', [names('package.json', 'dependencies')]],
])('docs/decisions/dependencies.md explains each package of %s', (heading, expected) => {
  expect(listed(heading)).toEqual(expected);
});
