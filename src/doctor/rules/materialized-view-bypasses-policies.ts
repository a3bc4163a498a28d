import { afterReview, type Rule } from '../finding.js';
import { listed, pathOf, quoted, quotedPath } from '../quote.js';

export const materializedViewBypassesPolicies: Rule = {
  code: 'materialized-view-bypasses-policies',
  severities: ['warning'],
  title: 'Materialised views of protected tables',
  why: 'A materialised view holds a copy of rows and has no row level security of its own: every role that may read it sees all of them.',
  find: ({ facts, served, relationOf }) =>
    facts.views.flatMap((view) => {
      if (!view.materialized || !served.some((table) => pathOf(table) === pathOf(view))) return [];
      const readers = relationOf(view)?.readers ?? [];
      return [
        {
          severity: 'warning',
          kind: 'materializedView',
          object: pathOf(view),
          message: `${pathOf(view)} holds rows of ${listed(view.protects)}, and everyone sees all of them.`,
          remedy: afterReview(
            readers.length === 0
              ? []
              : [
                  `revoke select on ${quotedPath(view)} from ${readers.map((name) => (name === 'public' ? name : quoted(name))).join(', ')};`,
                ],
            'The server can then no longer read it. If it holds only public values, such as sums, silence the finding.',
          ),
        },
      ];
    }),
};
