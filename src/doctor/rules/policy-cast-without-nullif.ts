import type { FunctionFacts } from '../facts.js';
import { inTransaction, type Found, type Rule } from '../finding.js';
import { pathOf } from '../quote.js';
import { policiesOf, type Subject } from '../subject.js';
import { mendedPolicy, textsOf, withNullif } from './policy-text.js';

export const policyCastWithoutNullif: Rule = {
  code: 'policy-cast-without-nullif',
  severities: ['error'],
  title: 'Policies that fail when a session variable is empty',
  why: 'A variable that was set once on a connection reads as the empty text afterwards, not as NULL, and the empty text is not a number: anonymous requests work on a new connection and fail on a used one.',
  find: (subject) => [
    ...policiesOf(subject)
      .filter(({ policy }) => textsOf(policy).some((text) => withNullif(subject, text) !== text))
      .map(({ table, policy }): Found => ({
        severity: 'error',
        kind: 'policy',
        object: pathOf(table, policy.name),
        message: `The policy ${policy.name} of ${pathOf(table)} casts current_setting(…) without NULLIF(…, '').`,
        remedy: mendedPolicy(subject, table, policy),
      })),
    ...subject.facts.functions.flatMap((each) => calledFunction(subject, each)),
  ],
};

/** Policies often ask a function for the user. Its body is text, and only this call changes. */
function calledFunction(subject: Subject, each: FunctionFacts): readonly Found[] {
  const { source, definition } = each;
  if (source === null || source === '' || definition === null) return [];
  const mended = withNullif(subject, source);
  if (mended === source) return [];
  return [
    {
      severity: 'error',
      kind: 'function',
      object: pathOf(each),
      message: `${pathOf(each)}(${each.signature}), which policies call, casts current_setting(…) without NULLIF(…, '').`,
      remedy: inTransaction([`${definition.split(source).join(mended).trimEnd()};`]),
    },
  ];
}
