import { throughPgbouncer } from './through-pgbouncer.js';

await throughPgbouncer(() => import('../graphql/reads.test.js'));
