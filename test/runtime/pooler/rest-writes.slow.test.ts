import { throughPgbouncer } from './through-pgbouncer.js';

await throughPgbouncer(() => import('../write/rest-writes.test.js'));
