import { writerOf } from '../read/format.js';
import { unsupported } from '../../../plan/refuse.js';
import type { RawRow, Statement } from '../../../plan/statement.js';
import type { Steps } from '../../../plan/write-program.js';
import type { ReturningPlan } from '../../../plan/write/write-plan.js';
import type { Key } from './keys.js';

/** The result of a write. */
export interface Done {
  readonly text: string | null;
  readonly affected: number;
  readonly created?: number;
  /** For each row the texts of `ReturningPlan.keys`. */
  readonly keys?: readonly Key[] | undefined;
}

/** The one row that every write returns. */
export const answerOf = ({ text, affected, created = 0, keys }: Done): RawRow => [
  text,
  String(affected),
  String(created),
  keys === undefined ? null : JSON.stringify(keys),
];

/** A write with a single statement, whose rows make the answer. */
export const onlyStep = (statement: Statement, answer: (rows: readonly RawRow[]) => RawRow): Steps => ({
  perform: async (run, inputs) => answer(await run(statement, inputs)),
  alone: (inputs) => ({ statement, inputs, answer }),
});

/** The texts of rows in the form of the answer. */
export function shownRows({ select = [], as, format }: ReturningPlan, rows: readonly string[]): string | null {
  return as === 'list' || format !== 'json' ? writerOf(format, select).joined(rows) : (rows[0] ?? null);
}

export const answersNothing = ({ select, keys }: ReturningPlan): boolean => select === undefined && keys === undefined;

/**
 * The text of each row if it is the same for all: `{ __typename }` needs only the number of rows.
 * Undefined if rows have to be read.
 */
export function fixedRow({ select, keys, format }: ReturningPlan): string | undefined {
  if (select === undefined || keys !== undefined || format !== 'json') return undefined;
  const members = select.flatMap((each) => (each.kind === 'constant' ? [[each.as, each.text] as const] : []));
  return members.length < select.length ? undefined : JSON.stringify(Object.fromEntries(members));
}

export const keyless = () =>
  unsupported(
    'Rows of a table without a key cannot be answered after they were written.',
    'GraphQL: select __typename alone, which answers how many there were. REST: ask with Prefer: return=minimal.',
  );
