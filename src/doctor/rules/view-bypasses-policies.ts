import type { ViewFacts } from '../facts.js';
import { afterReview, inTransaction, type Remedy, type Rule } from '../finding.js';
import { listed, pathOf, quoted, quotedPath } from '../quote.js';
import type { Subject } from '../subject.js';

export const viewBypassesPolicies: Rule = {
  code: 'view-bypasses-policies',
  severities: ['error', 'info'],
  title: 'Views that read protected tables as their owner',
  why: 'A view reads its tables with the rights of its owner unless it says security_invoker: the policies see the owner, not the role that asks.',
  find: (subject) =>
    subject.facts.views
      .filter((view) => !view.materialized && !view.securityInvoker && isReachable(subject, view))
      .map((view) => ({
        severity: view.ownerIsExempt ? 'error' : 'info',
        kind: 'view',
        object: pathOf(view),
        message: `${pathOf(view)} reads ${listed(view.protects)} as ${view.owner}, ${
          view.ownerIsExempt ? 'whom policies do not stop' : 'so policies apply as for that role'
        }${through(view)}.`,
        remedy: remedy(subject, view),
      })),
};

/** Whether one of the views by which it is read is served. */
export const isReachable = ({ served }: Subject, view: ViewFacts): boolean =>
  served.some((table) => view.readThrough.includes(pathOf(table)));

function through(view: ViewFacts): string {
  const others = view.readThrough.filter((name) => name !== pathOf(view));
  return view.readThrough.includes(pathOf(view)) ? '' : `; served through ${listed(others)}`;
}

function remedy({ facts, servingRoles }: Subject, view: ViewFacts): Remedy {
  if (facts.serverVersion >= 150_000) {
    return inTransaction(
      [`alter view ${quotedPath(view)} set (security_invoker = true);`],
      'The roles that requests run as then need SELECT on the tables of the view.',
    );
  }
  const plain = servingRoles.find((role) => !role.bypassesPolicies)?.name ?? 'tablewright_server';
  return afterReview(
    [`alter view ${quotedPath(view)} owner to ${quoted(plain)};`],
    'security_invoker needs PostgreSQL 15. Before, a view obeys policies when its owner is a role that they apply to: the one that serves.',
  );
}
