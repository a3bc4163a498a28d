import type { Rule } from '../finding.js';
import { pathOf } from '../quote.js';
import { policiesOf } from '../subject.js';
import { mendedPolicy, textsOf, withSelect } from './policy-text.js';

export const policyCallPerRow: Rule = {
  code: 'policy-call-per-row',
  severities: ['warning'],
  title: 'Policies that call a function for each row',
  why: 'A function in a policy is called for each row that the statement reads. In a sub-select of its own, (select f()), it is called once for each statement.',
  find: (subject) =>
    policiesOf(subject)
      .filter(({ policy }) => textsOf(policy).some((text) => withSelect(subject, text) !== text))
      .map(({ table, policy }) => ({
        severity: 'warning',
        kind: 'policy',
        object: pathOf(table, policy.name),
        message: `The policy ${policy.name} of ${pathOf(table)} calls a function for each row.`,
        remedy: mendedPolicy(subject, table, policy),
      })),
};
