import { describeMysql } from '../../support/mysql.js';
import { onMysql } from './support/ruled.js';
import { rulesSuite } from './support/suite.js';

describeMysql('rules on MariaDB', () => {
  rulesSuite(onMysql, 'rules', 'PRIMARY');
});
