import base, { slowSuites } from './jest.config.js';

/** Browsers, packed installs, the demo: `npm run test:slow`. */
export default {
  ...base,
  reporters: ['default', '<rootDir>/test/support/not-run.js'],
  testMatch: [`<rootDir>/test/**/${slowSuites}`],
  testPathIgnorePatterns: base.testPathIgnorePatterns.filter((pattern) => !pattern.includes('slow')),
};
