import type { RawRow } from '../../statement.js';
import type { ReturningPlan } from '../../../plan/write/write-plan.js';
import { csvHeader } from '../read/csv.js';
import type { Key } from './keys.js';

/** What a write has done. */
export interface Done {
  readonly text: string | null;
  readonly affected: number;
  readonly created?: number;
  /** The texts of `ReturningPlan.keys` of each row. */
  readonly keys?: readonly Key[] | undefined;
}

/** The one row that every write answers. */
export const answerOf = ({ text, affected, created = 0, keys }: Done): RawRow => [
  text,
  String(affected),
  String(created),
  keys === undefined ? null : JSON.stringify(keys),
];

/** Texts of rows in the form of the answer. */
export function shownRows({ select = [], as, format }: ReturningPlan, rows: readonly string[]): string | null {
  if (format === 'csv') return [csvHeader(select), ...rows].join('\n');
  return as === 'list' ? `[${rows.join(',')}]` : (rows[0] ?? null);
}
