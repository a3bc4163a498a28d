import type { SequenceFacts } from '../facts.js';
import { afterReview, type Remedy, type Rule, type Severity } from '../finding.js';
import { pathOf, quotedPath } from '../quote.js';
import type { Subject } from '../subject.js';
import { largestOf, share, widerKey } from './key-range.js';

export const sequenceNearEnd: Rule = {
  code: 'sequence-near-end',
  severities: ['error', 'warning'],
  title: 'Sequences near their maximum',
  why: 'When a sequence, or the column it fills, has no number left, every insert fails until the type is changed, which rewrites a large table.',
  find: (subject) =>
    subject.facts.sequences.flatMap((sequence) => {
      const end = endOf(sequence);
      const used = sequence.last === null || sequence.cycles || !sequence.ascends ? 0 : share(sequence.last, end);
      const severity = severityOf(used);
      if (severity === undefined) return [];
      const filled =
        sequence.column === null ? '' : `, which fills ${pathOf(sequence.column, sequence.column.column)},`;
      return [
        {
          severity,
          kind: 'sequence',
          object: pathOf(sequence),
          message: `${pathOf(sequence)}${filled} has used ${Math.floor(used)} % of its numbers: ${sequence.last ?? ''} of ${end}.`,
          remedy: remedy(subject, sequence),
        },
      ];
    }),
};

/** From three quarters on there is time to plan; from nine tenths on there may be none. */
export function severityOf(percent: number): Severity | undefined {
  if (percent < 75) return undefined;
  return percent < 90 ? 'warning' : 'error';
}

/** A sequence of int8 that fills an int4 column ends where the column does. */
function endOf({ max, column }: SequenceFacts): string {
  const ofColumn = column === null ? undefined : largestOf(column.type);
  return ofColumn !== undefined && ofColumn < BigInt(max) ? String(ofColumn) : max;
}

function remedy(subject: Subject, sequence: SequenceFacts): Remedy {
  const { column } = sequence;
  const own = [`alter sequence ${quotedPath(sequence)} as bigint no maxvalue;`];
  const narrow = column !== null && column.type !== 'bigint' && largestOf(column.type) !== undefined;
  if (!narrow) {
    return sequence.type === 'bigint' && largestOf('bigint') === BigInt(sequence.max)
      ? afterReview([], 'There is no larger integer type: continue at unused numbers, or use uuid.')
      : afterReview(own, 'Programs that read the number have to take 64 bits.');
  }
  const { sql, note } = widerKey(subject, column, column.column);
  return afterReview([...sql, ...own], note);
}
