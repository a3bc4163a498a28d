import { basename } from 'node:path';
import type { Modules } from './imports.js';

/** Folders that have code of the product or of its tests. */
export const codeFolders = ['src', 'runtime/src', 'console/src', 'console/bundles', 'scripts', 'bench', 'demo', 'test'];

/** A change of these can change the result of every suite. */
const ofAll =
  /^(?:package(?:-lock)?\.json|(?:runtime|console)\/package\.json|tsconfig[^/]*|jest[^/]*\.js)$|^test\/support\/(?:jest\/|global-)/;

/** Programs that code starts by their path: a text of that code, and the module that then runs. */
const programs: readonly (readonly [text: string, runs: string])[] = [
  ['bin/tablewright.js', 'src/cli/main.ts'],
  ['dist/main.js', 'runtime/src/index.ts'],
  ['dist/main.js', 'console/src/index.ts'],
];

/**
 * The suites that a change can reach: those that import a changed module, in however many steps,
 * that start a program with it, or that name a changed file or its folder: texts of documentation,
 * templates and SQL are read. Rather too many suites than too few.
 * @param changed paths from the root of the repository
 * @returns `all` when every suite can be reached
 */
export function reachedSuites(modules: Modules, changed: readonly string[]): ReadonlySet<string> | 'all' {
  if (changed.some((path) => ofAll.test(path))) return 'all';
  const importers = invert(modules);
  const reached = new Set<string>();
  const visit = (path: string): void => {
    if (reached.has(path)) return;
    reached.add(path);
    for (const importer of importers.get(path) ?? []) visit(importer);
  };
  for (const path of changed) {
    visit(path);
    for (const name of namersOf(modules, path)) visit(name);
  }
  return new Set([...reached].filter((path) => /^test\/.*\.test\.ts$/.test(path) && modules.has(path)));
}

/** Who imports each module, or starts a program with it. */
function invert(modules: Modules): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>();
  for (const [path, { text, imports }] of modules) {
    const started = programs.filter(([name]) => text.includes(name)).map(([, runs]) => runs);
    for (const used of [...imports, ...started]) {
      const known = importers.get(used);
      if (known === undefined) importers.set(used, [path]);
      else known.push(path);
    }
  }
  return importers;
}

/**
 * Tests, scripts and emitters that name a file by its path or the end of its path, and suites that
 * name the folder of a file, which they read whole.
 */
function namersOf(modules: Modules, path: string): readonly string[] {
  const file = escapeRegExp(basename(path));
  const ofFile = new RegExp(`['"\`/](?:[^'"\`\\s]*/)?${file}['"\`]`, 'g');
  const folders = modules.has(path) ? [] : path.split('/').slice(0, -1).map(escapeRegExp);
  const ofFolder = new RegExp(`['"\`/](?:${folders.filter((name) => !codeFolders.includes(name)).join('|')})['"\`/]`);
  const names = ([each, { text }]: readonly [string, { readonly text: string }]): boolean =>
    (text.match(ofFile) ?? []).some((quoted) => path.endsWith(withoutDots(quoted))) ||
    (folders.length > 0 && each.endsWith('.test.ts') && ofFolder.test(text));
  // Of the product, only the tool reads files of the repository.
  const reads = /^(?:templates|demo)\//.test(path) ? /^(?:src|test|scripts|bench)\// : /^(?:test|scripts|bench)\//;
  return [...modules].filter((each) => each[0] !== path && reads.test(each[0]) && names(each)).map(([each]) => each);
}

const withoutDots = (quoted: string): string => quoted.slice(1, -1).replace(/^(?:\.{1,2}\/)+/, '');

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
