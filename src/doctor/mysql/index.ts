import { applied, type Examination, type SkippedRule } from '../examination.js';
import { readMysqlFacts } from './read.js';
import { mysqlRules } from './rules/index.js';
import { createMysqlSubject, type MysqlSubject } from './subject.js';

/** What the doctor examines in MariaDB. */
export const mysqlExamination: Examination = {
  examine: async (connection, catalog, schemas, { serving, exclude, functions }) => {
    const facts = await readMysqlFacts(connection, schemas, serving);
    const subject = createMysqlSubject(catalog, facts, serving, { exclude, functions });
    return { dialect: 'mysql', rules: applied(mysqlRules, subject), skipped: unseenAccounts(subject) };
  },
};

/** An account that may not read the server's own tables cannot list the accounts. */
const unseenAccounts = ({ facts: { accounts } }: MysqlSubject): readonly SkippedRule[] =>
  accounts === null
    ? (['definer-absent', 'definer-too-powerful'] as const).map((rule) => ({
        rule,
        reason: 'The doctor may not see other accounts: it needs SELECT on the database mysql.',
      }))
    : [];
