import { answerTooLong } from '../../answer-too-long.js';
import type { RawRow } from '../../../plan/statement.js';
import { rawText } from './raw-text.js';

/**
 * The one row of a list, from the rows of its items: the text of the list, the number of items, and
 * NULL for the total.
 * @param mostBytes the largest answer of a read
 * @throws ServerError 413 if the items are longer
 */
export function listRow(rows: readonly unknown[], mostBytes: number): readonly RawRow[] {
  let size = 0;
  const texts = rows.map((row) => {
    const text = Array.isArray(row) ? rawText(row[0]) : null;
    size += text?.length ?? 0;
    return text;
  });
  if (size > mostBytes) throw answerTooLong(mostBytes);
  return [[`[${texts.join(',')}]`, String(texts.length), null]];
}
