import { hasMariadb } from './own-mariadb.js';

/** `describe` of a suite that needs a server of its own. It says so where there is none, and fails with CI=true. */
export const describeOwnMariadb: typeof describe =
  hasMariadb || process.env['CI'] === 'true' ? describe : describe.skip;
