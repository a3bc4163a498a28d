import { availableParallelism } from 'node:os';

/** The names of the suites that `npm run test:slow` runs. */
export const slowSuites = '*.slow.test.ts';

/** All suites of a worker share the modules that they import: see docs/decisions/021. */
export default {
  testEnvironment: '<rootDir>/test/support/jest/environment.js',
  runtime: '<rootDir>/test/support/jest/runtime.cjs',
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
  maxWorkers: availableParallelism() + 2,
  // Suites leave memory behind. A new worker loads all modules again, in 2 s.
  workerIdleMemoryLimit: '800MB',
  // Only for what hangs: no test is about time, and a busy machine may take minutes to start a demo.
  testTimeout: 300_000,
};
