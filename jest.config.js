import { availableParallelism } from 'node:os';

/** The names of the suites that `npm run test:slow` runs. */
export const slowSuites = '*.slow.test.ts';

/** ESM and legacy decorators, compiled by swc: see docs in ARCHITECTURE.md, "Tests". */
export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    // Tests run on the sources of runtime and console; programs that they start run on what is built of them.
    '^@tablewright/console$': '<rootDir>/console/src/index',
    '^@tablewright/console/diagram$': '<rootDir>/console/src/diagram/index',
    '^@tablewright/runtime$': '<rootDir>/runtime/src/index',
    '^@tablewright/runtime/console$': '<rootDir>/runtime/src/console',
    '^@tablewright/runtime/model$': '<rootDir>/runtime/src/generator',
    '^@tablewright/runtime/setup$': '<rootDir>/runtime/src/setup',
    '^@tablewright/runtime/schema$': '<rootDir>/runtime/src/generated-code',
    '^@tablewright/runtime/(descriptor|testing)$': '<rootDir>/runtime/src/$1/index',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: false, useDefineForClassFields: false },
        },
        module: { type: 'es6' },
      },
    ],
  },
  globalSetup: '<rootDir>/test/support/global-setup.js',
  globalTeardown: '<rootDir>/test/support/global-teardown.js',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/out/', String.raw`\.slow\.test\.ts$`],
  modulePathIgnorePatterns: [
    '<rootDir>/dist/',
    '<rootDir>/runtime/dist/',
    '<rootDir>/console/dist/',
    '<rootDir>/generated-example/',
    '<rootDir>/demo-server/',
    '<rootDir>/.tmp/',
  ],
  testSequencer: '<rootDir>/test/support/slowest-first.js',
  reporters: ['default', ['<rootDir>/test/support/not-run.js', { 'npm run test:slow': `test/**/${slowSuites}` }]],
  // Tests wait for databases, servers and timers. Jest's own number is one less than the processors.
  maxWorkers: availableParallelism() + 1,
  // Jest never frees the modules of a suite that are ECMAScript modules: after 60 suites a worker holds
  // 2 GB, and most of its time is garbage collection. A new worker starts in half a second.
  workerIdleMemoryLimit: '400MB',
  // Only for what hangs: no test is about time, and a busy machine may take minutes to start a demo.
  testTimeout: 300_000,
};
