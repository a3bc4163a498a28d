import { afterReview, type Rule } from '../finding.js';
import { listed, pathOf } from '../quote.js';

export const rowsOnOtherServers: Rule = {
  code: 'rows-on-other-servers',
  severities: ['info'],
  title: 'Tables with rows on other servers',
  why: 'PostgreSQL commits at each server in turn: if one of them fails at the end of a transaction, the others may have committed. Updates of rows there fail with 40001 if two run at once. No key, foreign key or unique index holds over several servers.',
  find: ({ served, facts }) =>
    served.flatMap((table) => {
      const servers = facts.foreignServers.find((each) => pathOf(each) === pathOf(table))?.servers ?? [];
      if (servers.length === 0 || !(table.insertable || table.updatable || table.deletable)) return [];
      const fixed = table.routingColumns ?? [];
      const names = `${servers.length === 1 ? 'the server' : 'the servers'} ${listed(servers)}`;
      return [
        {
          severity: 'info' as const,
          kind: 'table' as const,
          object: pathOf(table),
          message:
            `Rows of ${pathOf(table)} are on ${names}: a request that writes to several servers is not atomic.` +
            (fixed.length === 0 ? '' : ` Updates cannot change ${listed(fixed)}.`),
          remedy: afterReview(
            [],
            'Write to one server in each request where it matters. No SQL can change this: docs/scaling.md describes the limits.',
          ),
        },
      ];
    }),
};
