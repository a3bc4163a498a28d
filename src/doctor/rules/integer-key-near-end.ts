import { afterReview, type Rule } from '../finding.js';
import { pathOf } from '../quote.js';
import { largestOf, share, widerKey } from './key-range.js';
import { severityOf } from './sequence-near-end.js';

export const integerKeyNearEnd: Rule = {
  code: 'integer-key-near-end',
  severities: ['error', 'warning'],
  title: 'Integer keys near the maximum of their type',
  why: 'When the type has no number left, every insert fails until the column is bigint, and changing it rewrites a large table.',
  find: (subject) =>
    subject.facts.integerKeys.flatMap((key) => {
      const end = String(largestOf(key.type) ?? 1n);
      const used = share(key.largest, end);
      const severity = severityOf(used);
      if (severity === undefined) return [];
      const { sql, note } = widerKey(subject, key, key.column);
      return [
        {
          severity,
          kind: 'column',
          object: pathOf(key, key.column),
          message: `${pathOf(key, key.column)} has reached ${key.largest}, ${Math.floor(used)} % of the range of ${key.type}.`,
          remedy: afterReview(sql, note),
        },
      ];
    }),
};
