import { installCommands, missingPackages, otherVersions } from '../../../src/output/dependencies.js';

const template = JSON.stringify({
  type: 'module',
  dependencies: { express: '^5.3.0', pg: '~8.23.1' },
  devDependencies: { tablewright: 'file:../tablewright.tgz', typescript: '~5.9.3' },
});

test('a fresh package.json lacks everything', () => {
  const missing = missingPackages('{"name": "x"}', template);
  expect(missing).toEqual({
    run: ['express@^5.3.0', 'pg@~8.23.1'],
    build: ['../tablewright.tgz', 'typescript@~5.9.3'],
    module: true,
  });
  expect(missing === undefined ? '' : installCommands(missing)).toBe(
    'npm pkg set type=module && npm install express@^5.3.0 pg@~8.23.1' +
      ' && npm install --save-dev ../tablewright.tgz typescript@~5.9.3',
  );
});

test('versions are the owner’s, and so is where a package is named', () => {
  const own = {
    type: 'module',
    dependencies: { express: '4', tablewright: '1' },
    devDependencies: { pg: '7', typescript: '6', other: '1' },
  };
  expect(missingPackages(JSON.stringify(own), template)).toBeUndefined();
});

test('only what is missing is named', () => {
  const missing = missingPackages(
    JSON.stringify({ type: 'module', devDependencies: { tablewright: '1', typescript: '1', pg: '8' } }),
    template,
  );
  expect(missing === undefined ? '' : installCommands(missing)).toBe('npm install express@^5.3.0');
});

test('versions that the server is not made for are known', () => {
  const own = {
    dependencies: { express: '^4.21.0', pg: '8.23.1', kysely: 'latest', graphql: '^15 || ^16.15.0' },
    devDependencies: { typescript: '^7.0.2' },
  };
  const wanted = { dependencies: { express: '^5.3.0', pg: '~8.23.1', kysely: '~0.28.18', graphql: '^16.15.0' } };
  expect(otherVersions(JSON.stringify(own), JSON.stringify(wanted))).toEqual([
    { name: 'express', own: '^4.21.0', wanted: '^5.3.0' },
  ]);
  expect(otherVersions('mine', template)).toEqual([]);
});

test('ESLint is only for a project whose compiler typescript-eslint can read', () => {
  const lint = { scripts: { lint: 'eslint .' } };
  const wanted = JSON.stringify({ ...lint, devDependencies: { eslint: '^9', 'typescript-eslint': '^8' } });
  const missing = (typescript: string) =>
    missingPackages(JSON.stringify({ type: 'module', ...lint, devDependencies: { typescript } }), wanted)?.build;
  expect(missing('~5.9.3')).toEqual(['eslint@^9', 'typescript-eslint@^8']);
  expect(missing('^7.0.2')).toBeUndefined();
});

test('a file that npm will complain of', () => {
  expect(missingPackages('mine', template)).toBeUndefined();
});
