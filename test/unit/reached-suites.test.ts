import { codeFolders, reachedSuites } from '../support/reach/reached-suites.js';
import { readModules, type Modules } from '../support/reach/imports.js';

const modules: Modules = new Map(
  Object.entries({
    'runtime/src/plan/a.ts': { text: '', imports: [] },
    'runtime/src/index.ts': { text: '', imports: ['runtime/src/plan/a.ts'] },
    'src/cli/init.ts': { text: `join(templates, 'project/tsconfig.json')`, imports: [] },
    'test/support/b.ts': { text: '', imports: ['runtime/src/plan/a.ts'] },
    'test/support/process.ts': { text: `['dist/main.js']`, imports: [] },
    'test/support/page.ts': { text: `join('../../docs', page)`, imports: [] },
    'test/unit/a.test.ts': { text: '', imports: ['test/support/b.ts'] },
    'test/unit/other.test.ts': { text: '', imports: [] },
    'test/unit/init.test.ts': { text: '', imports: ['src/cli/init.ts'] },
    'test/e2e/served.test.ts': {
      text: `new URL('support/shop.sql', import.meta.url)`,
      imports: ['test/support/process.ts'],
    },
    'test/e2e/pages.test.ts': { text: `readdir('docs')`, imports: [] },
    'test/e2e/page.test.ts': { text: `blocksOf('rest.md')`, imports: ['test/support/page.ts'] },
  }),
);
const reached = (...changed: readonly string[]): unknown => {
  const suites = reachedSuites(modules, changed);
  return suites === 'all' ? suites : [...suites].sort();
};

test.each<[what: string, changed: string, suites: unknown]>([
  ['a suite', 'test/unit/other.test.ts', ['test/unit/other.test.ts']],
  ['a module, also in a program', 'runtime/src/plan/a.ts', ['test/e2e/served.test.ts', 'test/unit/a.test.ts']],
  ['a page of the documentation', 'docs/rest.md', ['test/e2e/page.test.ts', 'test/e2e/pages.test.ts']],
  ['a template', 'templates/project/tsconfig.json', ['test/unit/init.test.ts']],
  ['a file that a suite reads', 'test/e2e/support/shop.sql', ['test/e2e/served.test.ts']],
  ['a file of the same name in another folder', 'bench/shop.sql', []],
  ['a removed suite', 'test/unit/removed.test.ts', []],
  ['nothing', 'LICENSE', []],
  ['the packages', 'package-lock.json', 'all'],
  ['the configuration of Jest', 'jest.config.js', 'all'],
  ["Jest's runtime", 'test/support/jest/loader.js', 'all'],
])('a change of %s reaches the suites that depend on it', (_, changed, suites) => {
  expect(reached(changed)).toEqual(suites);
});

test('several changes reach the suites of each', () => {
  expect(reached('test/unit/other.test.ts', 'test/support/b.ts')).toEqual([
    'test/unit/a.test.ts',
    'test/unit/other.test.ts',
  ]);
});

describe('in this repository', () => {
  const all = readModules(codeFolders, { types: false });
  const suitesOf = (path: string): readonly string[] => {
    const suites = reachedSuites(all, [path]);
    return suites === 'all' ? [] : [...suites];
  };

  test('the operators reach suites of reads, of generated code, and of servers in processes of their own', () => {
    const suites = suitesOf('runtime/src/plan/operators.ts');
    expect(suites).toContain('test/runtime/core/operators.test.ts');
    expect(suites).toContain('test/e2e/cases.slow.test.ts');
    expect(suites).toContain('test/e2e/drift.slow.test.ts');
    expect(suites).not.toContain('test/unit/not-run.test.ts');
  });

  test('a suite reaches itself alone, and each import leads to a file', () => {
    const suites = [...all.keys()].filter((path) => path.endsWith('.test.ts'));
    expect(suites.length).toBeGreaterThan(400);
    const own = reachedSuites(all, suites.slice(0, 3));
    expect(own).toEqual(new Set(suites.slice(0, 3)));
    expect([...all.values()].flatMap(({ imports }) => imports).filter((path) => path.startsWith('..'))).toEqual([]);
  });
});
