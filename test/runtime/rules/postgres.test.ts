import { onPostgres } from './support/ruled.js';
import { rulesSuite } from './support/suite.js';

describe('rules on PostgreSQL', () => {
  rulesSuite(onPostgres, 'rules', 'orders_pkey');
});
