import { existsSync, readdirSync } from 'node:fs';
import js from '@eslint/js';
import tseslint from 'typescript-eslint';
import importX, { createNodeResolver } from 'eslint-plugin-import-x';
import prose from './scripts/prose/eslint-plugin.js';

/** The two pipelines, left to right. A folder may import the folders to its right in its own list, never to its left. */
const generatePipeline = ['cli', 'demo', 'follow', 'config', 'doctor', 'api', 'output', 'emit', 'dialects'];
const runtimePipeline = [
  ...['testing', 'extensions', 'server', 'endpoint', 'http', 'rules', 'auth', 'request', 'events', 'execute', 'drift'],
  ...['response', 'dialect', 'observe', 'openapi', 'model', 'schema', 'plan', 'descriptor', 'catalog', 'settings'],
];

/** For each folder, imports from the folders to its left are errors. */
const zones = (root, pipeline) =>
  pipeline.flatMap((room, at) =>
    pipeline.slice(0, at).map((left) => ({
      target: `${root}/${room}`,
      from: `${root}/${left}`,
      message: `Imports run one way along the pipeline: ${room} may not call ${left}.`,
    })),
  );

const source = './runtime/src';
const restRooms = ['function', 'write', 'read', 'grammar'];
const graphqlRooms = ['document', 'mutation', 'query', 'arguments'];
/** `dialect/sql/` is the walk of a plan, which all dialects share. */
const walk = 'sql';
const foldersOf = (path) =>
  readdirSync(new URL(path, import.meta.url), { withFileTypes: true })
    .filter((each) => each.isDirectory())
    .map(({ name }) => name);
const dialects = foldersOf('runtime/src/dialect').filter((name) => name !== walk);

/**
 * The interface in dialect/dialect.ts hides the database. Only these may name a dialect's folder:
 * `server/`, the entry for the generator, and the vocabulary of generated code.
 */
const dialectZones = dialects.flatMap((name) => [
  {
    target: [
      `${source}/!(server|dialect)/**/*.ts`,
      `${source}/!(generator|generated-code).ts`,
      `${source}/dialect/*.ts`,
      `${source}/dialect/${walk}/**/*.ts`,
      ...dialects.filter((other) => other !== name).map((other) => `${source}/dialect/${other}/**/*.ts`),
    ],
    from: `${source}/dialect/${name}`,
    message: 'Only composition names a dialect: use the interface in dialect/dialect.ts.',
  },
]);

/** An extension knows another one by its entry alone. */
const extensionZones = foldersOf('runtime/src/extensions').map((name) => ({
  target: `${source}/extensions/!(${name})/**/*.ts`,
  from: `${source}/extensions/${name}`,
  except: ['./index.ts'],
  message: 'An extension reaches into another one by its index.ts alone.',
}));

/** Only dialects import the walk: it makes SQL, and the rest of the server knows statements. */
const walkZones = [
  {
    target: [`${source}/!(dialect)/**/*.ts`, `${source}/*.ts`, `${source}/dialect/*.ts`],
    from: `${source}/dialect/${walk}`,
    message: 'Only dialects make SQL: use the interface in dialect/dialect.ts.',
  },
];

/** A folder that no list orders could be imported from anywhere. */
for (const [root, pipeline] of [
  ['src', generatePipeline],
  ['runtime/src', runtimePipeline],
]) {
  const unordered = foldersOf(root).filter((name) => !pipeline.includes(name));
  if (unordered.length > 0)
    throw new Error(`Say in eslint.config.js where in its pipeline is ${unordered.join(', ')}.`);
}

/** Entries are for other packages. The files beside them are for all folders, and know none. */
const entries = ['index', 'console', 'generated-code', 'generator', 'setup'];
const leafZones = [
  {
    target: `${source}/!(${entries.join('|')}).ts`,
    from: `${source}/*/**`,
    message: 'A file beside the folders is for all of them: it imports no folder.',
  },
];

const impure = [
  'fs',
  'node:fs',
  'node:fs/promises',
  'fs/promises',
  'node:child_process',
  'node:net',
  'pg',
  'kysely',
  'kysely-codegen',
];

/** Entries only: deeper files may move, and other entries of the runtime are for generated code. */
const innerRuntime = {
  regex: '^@tablewright/runtime(?!/model$)|(^|/)runtime/(src|dist)/',
  message: 'The generator imports @tablewright/runtime/model, and nothing deeper.',
};

/** The console knows the runtime by one entry, and nothing of the tool. */
const innerForConsole = {
  regex: '^@tablewright/runtime(?!/console$)|^(\\.\\./)+(runtime|src)/',
  message: 'The console imports @tablewright/runtime/console, and nothing deeper.',
};

export default tseslint.config(
  {
    ignores: [
      '**/dist/',
      '**/node_modules/',
      'coverage/',
      'demo-server/',
      '.tmp/',
      'generated-example/',
      'test/cases/**/expected/',
      'test/**/out/',
      // Projects of their own, compiled by test/e2e/clients.test.ts.
      'test/clients/',
      'templates/project/',
      'demo/',
      'bench/peers/zenstack/server/schema.ts',
      'bench/peers/prisma/server/schema.ts',
      // Their packages are the benchmark's own: without them there are no types to check by.
      ...(existsSync(new URL('bench/node_modules', import.meta.url)) ? [] : ['bench/peers/*/server/']),
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    // Not `projectService`, which needs half as much time again.
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.json', './bench/peers/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    plugins: { 'import-x': importX },
    settings: {
      'import-x/ignore': ['node_modules'],
      'import-x/extensions': ['.ts', '.js'],
      'import-x/resolver-next': [
        createNodeResolver({ extensions: ['.ts', '.js'], extensionAlias: { '.js': ['.ts', '.js'] } }),
      ],
    },
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      // A fifth of the time of linting. There are no enums of TypeScript to mix up, and classes have
      // private members, so the compiler refuses an object literal in their place.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      'import-x/no-restricted-paths': [
        'error',
        {
          zones: [
            ...zones('./src', generatePipeline),
            ...zones(source, runtimePipeline),
            ...zones(`${source}/request/rest`, restRooms),
            ...zones(`${source}/request/graphql`, graphqlRooms),
            ...dialectZones,
            ...walkZones,
            ...extensionZones,
            ...leafZones,
          ],
        },
      ],
    },
  },
  {
    files: ['**/*.ts'],
    // `eject` puts them into projects, which lint with the presets alone.
    ignores: ['runtime/src/**'],
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
    },
  },
  {
    // Messages, hints, help texts, descriptions. PostgREST's own texts are exempt.
    files: ['{src,runtime/src,console/src}/**/*.ts'],
    ignores: ['runtime/src/extensions/postgrest/answer/**'],
    plugins: { prose },
    rules: { 'prose/messages': 'error' },
  },
  {
    // Prettier wraps code, but not comments.
    files: ['**/*.ts'],
    rules: {
      'max-len': ['error', { code: 1000, comments: 100, ignoreUrls: true, ignorePattern: 'eslint-disable' }],
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          property: 'waitForFunction',
          message:
            "The second look is an eval by the page's own script, which our policy forbids. Use `until` of test/support/until.ts with `evaluate`.",
        },
      ],
    },
  },
  {
    files: ['src/**/*.ts'],
    rules: { 'no-restricted-imports': ['error', { patterns: [innerRuntime] }] },
  },
  {
    files: ['console/src/**/*.ts'],
    rules: { 'no-restricted-imports': ['error', { patterns: [innerForConsole] }] },
  },
  {
    files: ['runtime/src/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '^@tablewright/',
              message: 'The runtime finds the console by its name, and imports no other package of ours.',
            },
          ],
        },
      ],
    },
  },
  // A rule that is set twice is set to the last: these are repeated for emit.
  {
    files: ['runtime/src/model/**/*.ts', 'src/emit/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { paths: impure.map((name) => ({ name, message: 'model and emit are pure.' })), patterns: [innerRuntime] },
      ],
    },
  },
  {
    files: ['**/*.js', '**/*.mjs'],
    languageOptions: {
      globals: { process: 'readonly', console: 'readonly', URL: 'readonly', fetch: 'readonly', setTimeout: 'readonly' },
    },
  },
);
