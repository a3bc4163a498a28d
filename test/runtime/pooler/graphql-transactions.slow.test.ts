import { throughPgbouncer } from './through-pgbouncer.js';

await throughPgbouncer(() => import('../graphql/mutation-transaction.test.js'));
