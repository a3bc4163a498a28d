import { testManyTenants } from './many.js';

testManyTenants({
  count: 24,
  clients: 32,
  runs: [
    [1, 10_000],
    [2, 4_000],
  ],
});
