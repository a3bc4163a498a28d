import { afterReview, type Rule } from '../../finding.js';
import { listed } from '../../quote.js';
import { quotedAccount, quotedPath } from '../quote.js';
import type { MysqlSubject } from '../subject.js';

/** Rights that a server needs to serve tables; reading the binary log is for subscriptions. */
const needed = new Set([
  'SELECT',
  'INSERT',
  'UPDATE',
  'DELETE',
  'EXECUTE',
  'USAGE',
  'SHOW VIEW',
  'REPLICATION SLAVE',
  'REPLICATION CLIENT',
  'BINLOG MONITOR',
]);

export const roleTooPowerful: Rule<MysqlSubject> = {
  code: 'role-too-powerful',
  severities: ['warning'],
  title: 'The server connects as an account with more privileges than it needs',
  why: 'A mistake in a view or procedure, or a leaked password, reaches as far as the account: one with DROP removes tables, one with SUPER or FILE has the whole server.',
  find: (subject) => {
    const { facts } = subject;
    const more = facts.rights.filter(({ right }) => !needed.has(right)).map(({ right }) => right);
    const rights = [...new Set([...more, ...(facts.rights.some((each) => each.grantable) ? ['GRANT OPTION'] : [])])];
    if (rights.length === 0) return [];
    return [
      {
        severity: 'warning',
        kind: 'role',
        object: facts.account,
        message: `${facts.account} has ${listed(rights.sort((a, b) => rank(a) - rank(b)))}.`,
        remedy: afterReview(
          plainAccount(subject),
          'Connect the server as an account of its own. Choose its name, give it a password, and unlock it: alter user … identified by … account unlock.',
        ),
      },
    ];
  },
};

/** Those that reach furthest are named first. */
const furthest = ['SUPER', 'FILE', 'CREATE USER', 'GRANT OPTION', 'SHUTDOWN', 'DROP', 'ALTER', 'CREATE'];

const rank = (right: string): number => (furthest.includes(right) ? furthest.indexOf(right) : furthest.length);

/** An account that may read and write the served tables, and nothing else. */
function plainAccount({ served, called }: MysqlSubject): readonly string[] {
  const account = quotedAccount('tablewright_server@%');
  return [
    `create user ${account} account lock;`,
    ...served.map((table) => {
      const rights = [
        'select',
        ...(table.insertable ? ['insert'] : []),
        ...(table.updatable ? ['update'] : []),
        ...(table.deletable ? ['delete'] : []),
      ];
      return `grant ${rights.join(', ')} on ${quotedPath(table)} to ${account};`;
    }),
    ...called.map((each) => `grant execute on ${each.kind} ${quotedPath(each)} to ${account};`),
  ];
}
