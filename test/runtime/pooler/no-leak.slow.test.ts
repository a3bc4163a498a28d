import { throughPgbouncer } from './through-pgbouncer.js';

await throughPgbouncer(() => import('../auth/no-leak.test.js'));
