import { completeScripts, projectCommands } from '../../../src/output/scripts.js';

const template = JSON.stringify({ scripts: { build: 'tsc', start: 'node dist/main.js', dev: 'tablewright dev' } });

test('adds what is missing, in the form that the file has; a script of the owner’s stays', () => {
  const own = '{\n    "name": "mine",\n    "scripts": {\n        "build": "webpack"\n    },\n    "license": "MIT"\n}\n';
  const completed = completeScripts(own, template);
  expect(completed).toEqual({
    text: '{\n    "name": "mine",\n    "scripts": {\n        "build": "webpack",\n        "start": "node dist/main.js",\n        "dev": "tablewright dev"\n    },\n    "license": "MIT"\n}\n',
    added: ['start', 'dev'],
    taken: { build: 'tsc' },
  });
  expect(projectCommands(completed?.text ?? '')).toEqual({ build: 'npx tsc', start: 'npm start' });
});

test('a file without scripts, with Windows line ends', () => {
  const completed = completeScripts('{\r\n\t"name": "mine"\r\n}', template);
  expect(completed?.text).toMatch(/^\{\r\n\t"name": "mine",\r\n\t"scripts": \{\r\n\t\t"build": "tsc",\r\n/);
});

test('nothing is missing: not a byte changes; what is no JSON is left alone', () => {
  expect(completeScripts(template, template)).toEqual({ text: template, added: [], taken: {} });
  expect(completeScripts('{', template)).toBeUndefined();
});

test.each([
  ['~5.9.3', true],
  ['^6.0.0', true],
  ['npm:@typescript/typescript6@^6.0.0', true],
  ['^7.0.2', false],
  ['6.1', false],
  ['latest', false],
])('a project with TypeScript %s lints: %s', (typescript, lints) => {
  const own = JSON.stringify({ devDependencies: { typescript } });
  const completed = completeScripts(own, JSON.stringify({ scripts: { build: 'tsc', lint: 'eslint .' } }));
  expect(completed?.added).toEqual(lints ? ['build', 'lint'] : ['build']);
});
