import { throughPgbouncer } from './through-pgbouncer.js';

await throughPgbouncer(() => import('../rules/postgres.test.js'));
