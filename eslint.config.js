import { existsSync } from 'node:fs';
import js from '@eslint/js';
import tseslint from 'typescript-eslint';
import importX from 'eslint-plugin-import-x';

/** The two pipelines, left to right. A room may import the rooms to its right in its own list, never to its left. */
const generatePipeline = ['cli', 'output', 'emit', 'model', 'catalog'];
const runtimePipeline = ['server', 'auth', 'request', 'plan', 'statement', 'session', 'response'];

/** For each room, the rooms to its left are out of bounds. */
const zones = (root, pipeline) =>
  pipeline.flatMap((room, at) =>
    pipeline.slice(0, at).map((left) => ({
      target: `${root}/${room}`,
      from: `${root}/${left}`,
      message: `Imports run one way along the pipeline: ${room} may not call ${left}.`,
    })),
  );

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
      'test/cases/*/out/',
      // Projects of their own, compiled by test/e2e/clients.test.ts.
      'test/clients/',
      'templates/project/',
      'demo/',
      'bench/peers/zenstack/server/schema.ts',
      // Their packages are the benchmark's own: without them there are no types to check by.
      ...(existsSync(new URL('bench/node_modules', import.meta.url)) ? [] : ['bench/peers/*/server/']),
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { 'import-x': importX },
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'import-x/no-restricted-paths': [
        'error',
        { zones: [...zones('./src', generatePipeline), ...zones('./templates/runtime', runtimePipeline)] },
      ],
    },
  },
  {
    files: ['src/model/**/*.ts', 'src/emit/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { paths: impure.map((name) => ({ name, message: 'model and emit are pure.' })) },
      ],
    },
  },
  {
    files: ['**/*.js', '**/*.mjs'],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', URL: 'readonly' } },
  },
);
