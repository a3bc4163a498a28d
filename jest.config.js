import { availableParallelism } from 'node:os';

const ofAll = ['/node_modules/', '/out/'];
/** The commands that run the suites of other tiers, and the names of these suites. */
const soaks = { 'npm run test:soak': 'test/**/*.soak.test.ts' };
const others = { 'npm run test:all': 'test/**/*.slow.test.ts', ...soaks };
const reporters = (besides) => [
  'default',
  '<rootDir>/test/support/stalled.js',
  ['<rootDir>/test/support/not-run.js', besides],
];

/** `npm test`. All suites of a worker share the modules that they import: see docs/decisions/021. */
const quick = {
  testEnvironment: '<rootDir>/test/support/jest/environment.js',
  runtime: '<rootDir>/test/support/jest/runtime.cjs',
  globalSetup: '<rootDir>/test/support/global-setup.js',
  globalTeardown: '<rootDir>/test/support/global-teardown.js',
  // The hooks of the loader compile TypeScript. With Jest's default each worker would load Babel.
  transform: {},
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: [...ofAll, String.raw`\.(?:slow|soak)\.test\.ts$`],
  modulePathIgnorePatterns: [
    '<rootDir>/dist/',
    '<rootDir>/runtime/dist/',
    '<rootDir>/console/dist/',
    '<rootDir>/generated-example/',
    '<rootDir>/demo-server/',
    '<rootDir>/.tmp/',
  ],
  testSequencer: '<rootDir>/test/support/slowest-first.js',
  reporters: reporters(others),
  // Tests wait for databases, servers and timers. Jest's own number is one less than the processors.
  // Each worker compiles the product again: with one more they need 7 % more processor time.
  maxWorkers: availableParallelism() + 1,
  // Suites leave memory behind. A new worker loads all modules again, in 2 s.
  workerIdleMemoryLimit: '800MB',
  // Only for what hangs: no test is about time, and a suite may wait minutes for its place.
  testTimeout: 1_800_000,
};

/** `npm run test:all`: everything but soaks. */
export const all = {
  ...quick,
  testPathIgnorePatterns: [...ofAll, String.raw`\.soak\.test\.ts$`],
  // Suites that install, browse or start servers leave the processors to others.
  maxWorkers: availableParallelism() + 2,
  reporters: reporters(soaks),
};

/** `npm run test:soak`: the whole volume of properties that the other suites show on few requests. */
export const soak = {
  ...quick,
  testMatch: ['<rootDir>/test/**/*.soak.test.ts'],
  testPathIgnorePatterns: ofAll,
  reporters: reporters({}),
};

export default quick;
