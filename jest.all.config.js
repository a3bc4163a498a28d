import base from './jest.config.js';
import slow from './jest.slow.config.js';

/** The suites of both commands in one run, whose workers wait less: `npm run test:all`. */
export default { ...slow, testMatch: base.testMatch };
