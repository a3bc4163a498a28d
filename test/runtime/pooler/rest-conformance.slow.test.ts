import { throughPgbouncer } from './through-pgbouncer.js';

await throughPgbouncer(() => import('../rest/conformance/conformance.test.js'));
