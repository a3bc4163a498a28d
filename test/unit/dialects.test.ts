import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import ts from 'typescript';

const source = resolve('runtime/src');
const home = resolve(source, 'dialect');
const dialects = readdirSync(home, { withFileTypes: true }).filter(
  // `sql` is what dialects share.
  (each) => each.isDirectory() && each.name !== 'sql',
);

/** The parts of every dialect: all dialects have the same structure. */
const parts = [
  'catalog',
  'change-feeds.ts',
  'changes',
  'column-types.ts',
  'comparison.ts',
  'derived-types.ts',
  'dialect.ts',
  'driver',
  'failures',
  'identity.ts',
  'live',
  'model.ts',
  'parameters',
  'read',
  'replication.ts',
  'sql.ts',
  'start-up',
  'types.ts',
  'write',
];

/** Additional parts of one dialect. */
const own: Readonly<Record<string, readonly string[]>> = {
  postgres: ['pglite', 'request-variables.ts'],
  // PostgreSQL itself says which columns fit an argument, and which are truth values.
  mysql: ['fits-argument.ts', 'galera.ts', 'given-types.ts', 'quoted.ts'],
};

test.each(dialects.map(({ name }) => name))('the folder of %s has the same parts as every other', (name) => {
  expect(readdirSync(resolve(home, name)).sort()).toEqual([...parts, ...(own[name] ?? [])].sort());
});

/** The files that a module imports, including imports of types. */
const importsOf = (file: string): readonly string[] =>
  ts
    .preProcessFile(readFileSync(file, 'utf8'))
    .importedFiles.map(({ fileName }) => resolve(dirname(file), fileName.replace(/\.js$/, '.ts')))
    .filter((path) => existsSync(path));

/** The reached files of dialects, each with the file that imports it. */
function reached(files: readonly string[]): readonly string[] {
  const seen = new Map<string, string>(files.map((file) => [file, '']));
  for (const [file] of seen)
    for (const imported of importsOf(file)) if (!seen.has(imported)) seen.set(imported, relative('.', file));
  return [...seen].flatMap(([file, from]) =>
    dialects.some(({ name }) => file.startsWith(resolve(home, name))) ? [`${relative('.', file)} from ${from}`] : [],
  );
}

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => resolve(folder, path));

test.each(['plan', 'request', 'endpoint', 'execute', 'response', 'http', 'auth', 'observe', 'descriptor', 'model'])(
  'nothing that %s imports, itself or through others, is a dialect’s',
  (room) => {
    expect(reached(filesIn(resolve(source, room)))).toEqual([]);
  },
);

test.each([
  'plan/dialect',
  'plan/operators',
  'rest/grammar',
  'write/grammar',
  'graphql/intent',
  'graphql/shape',
  'graphql/coerce',
])('the suite %s runs without a dialect of the server’s', (suite) => {
  expect(reached([resolve('test/runtime', `${suite}.test.ts`)])).toEqual([]);
});

test('the walk through imports finds a dialect where there is one', () => {
  expect(reached([resolve(source, 'server/dialects.ts')]).length).toBeGreaterThan(0);
});
