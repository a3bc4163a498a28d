import { throughPgbouncer } from './through-pgbouncer.js';

await throughPgbouncer(() => import('../graphql/two-ways.test.js'));
