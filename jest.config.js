/** ESM and legacy decorators, compiled by swc: see docs in ARCHITECTURE.md, "Tests". */
export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
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
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/out/'],
  modulePathIgnorePatterns: [
    '<rootDir>/dist/',
    '<rootDir>/generated-example/',
    '<rootDir>/demo-server/',
    '<rootDir>/.tmp/',
  ],
  // Only for what hangs: no test is about time, and a busy machine may take minutes to start a demo.
  testTimeout: 300_000,
};
