import { testManyTenants } from './many.js';

/**
 * Each tenant gets each kind of request and of write from several clients at once.
 * `many.soak.test.ts` has 24 tenants and 14,000 requests of each kind.
 */
testManyTenants({
  count: 4,
  clients: 16,
  runs: [
    [1, 480],
    [2, 480],
  ],
});
