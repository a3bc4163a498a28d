import { describeMysql } from '../../support/mysql.js';
import { onMysql } from '../rules/support/ruled.js';
import { mcpSuite } from './support/suite.js';

describeMysql('agents on MariaDB', () => {
  mcpSuite({
    open: onMysql,
    functions: `
      create function total_points(at_least int) returns int reads sql data
        return (select sum(points) from tasks where points >= at_least);
      create function finish(task int) returns int modifies sql data
        begin update tasks set state = 'done' where id = task; return task; end`,
    config: (schema) => ({ functions: [`${schema}.*`] }),
  });
});
