import { readModules } from '../support/reach/imports.js';

/** A way from a file back to itself; undefined if there is none. */
function findCircle(imports: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const done = new Set<string>();
  const visit = (file: string, way: readonly string[]): readonly string[] | undefined => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const next of imports.get(file) ?? []) {
      const found = visit(next, [...way, file]);
      if (found !== undefined) return found;
    }
    done.add(file);
    return undefined;
  };
  for (const file of imports.keys()) {
    const found = visit(file, []);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A rule of ESLint would leave imports of types out, and cost a sixth of the time of linting. */
test.each(['src', 'runtime/src', 'console/src'])('no files of %s import each other, not even types', (folder) => {
  const modules = readModules([folder], { types: true });
  const imports = new Map([...modules].map(([path, { imports }]) => [path, imports]));
  expect(imports.size).toBeGreaterThan(10);
  expect(findCircle(imports)).toBeUndefined();
});

test('a circle is found', () => {
  const imports = new Map([
    ['/a.ts', ['/b.ts']],
    ['/b.ts', ['/c.ts']],
    ['/c.ts', ['/b.ts']],
  ]);
  expect(findCircle(imports)).toHaveLength(3);
});
