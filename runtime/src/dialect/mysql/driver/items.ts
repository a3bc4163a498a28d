import { answerTooLong } from '../../answer-too-long.js';
import type { RawRow } from '../../statement.js';
import { rawText } from './raw-text.js';

/** Collects the items of one list, as one statement answers them. */
export interface Items {
  /** Reads a value for mysql2, which calls it for each item. */
  readonly typeCast: (field: unknown, next: () => unknown) => string | null;
  /**
   * The one row that a list answers.
   * @throws ServerError where the items have more than the bytes
   */
  readonly list: (rows: readonly unknown[]) => readonly RawRow[];
}

/**
 * @param mostBytes the largest answer of a read: items beyond it are not kept, because mysql2 reads
 * all rows before it answers any
 */
export function collectItems(mostBytes: number): Items {
  let size = 0;
  return {
    typeCast: (_field, next) => {
      const text = rawText(next());
      size += text?.length ?? 0;
      return size > mostBytes ? null : text;
    },
    list: (rows) => {
      if (size > mostBytes) throw answerTooLong(mostBytes);
      const texts = rows.map((row) => (Array.isArray(row) ? rawText(row[0]) : null));
      return [[`[${texts.join(',')}]`, String(texts.length), null]];
    },
  };
}
