import { onPostgres } from '../rules/support/ruled.js';
import { mcpSuite } from './support/suite.js';

describe('agents on PostgreSQL', () => {
  mcpSuite({
    open: onPostgres,
    functions: `
      create function shop.total_points(at_least int) returns bigint language sql stable
        as 'select sum(points) from shop.tasks where points >= at_least';
      create function shop.finish(task int) returns int language sql
        as 'update shop.tasks set state = ''done'' where id = task returning id'`,
    config: { functions: ['shop.*'] },
  });
});
