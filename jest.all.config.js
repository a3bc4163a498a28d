import base from './jest.config.js';
import slow from './jest.slow.config.js';

/** The suites of `npm test` and `npm run test:slow` in one run, for CI: workers wait less. */
export default { ...slow, testMatch: base.testMatch };
