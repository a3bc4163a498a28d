const segmenter = new Intl.Segmenter('en');

/** Aligns rows in columns two spaces apart. */
export function renderTable(rows: readonly (readonly string[])[]): string[] {
  const cells = rows.map((row) => row.map((cell) => ({ text: printable(cell), width: widthOf(printable(cell)) })));
  const widths: number[] = [];
  for (const row of cells) {
    for (const [at, { width }] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, width);
  }
  return cells.map((row) =>
    row
      .map(({ text, width }, at) => text + ' '.repeat((widths[at] ?? 0) - width))
      .join('  ')
      .trimEnd(),
  );
}

/**
 * Replaces what could end a line, move the cursor or turn the direction of writing by its escape:
 * names and comments come from a database, and a terminal obeys control characters.
 */
export const printable = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}}`,
  );

const widthOf = (text: string): number => [...segmenter.segment(text)].length;

const gap = 2;
const leastWidth = 6;

/**
 * Rows that are no wider than a line: the named columns give, the widest of them first, and their
 * cells end in `…`.
 */
export function fitted(
  rows: readonly (readonly string[])[],
  giving: readonly number[],
  width: number,
): readonly (readonly string[])[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, widthOf(printable(cell)));
  const total = (): number => widths.reduce((sum, each) => sum + each, gap * (widths.length - 1));
  while (total() > width) {
    const widest = giving.reduce((best, at) => ((widths[at] ?? 0) > (widths[best] ?? 0) ? at : best), giving[0] ?? 0);
    if ((widths[widest] ?? 0) <= leastWidth) break;
    widths[widest] = Math.max(leastWidth, (widths[widest] ?? 0) - (total() - width > 8 ? 4 : 1));
  }
  return rows.map((row) => row.map((cell, at) => shortened(printable(cell), widths[at] ?? 0)));
}

function shortened(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  const kept = [...segmenter.segment(text)].slice(0, width - 1).map(({ segment }) => segment);
  return `${kept.join('')}…`;
}

/** Words in lines that are no wider than `width`, where no single word is. */
export function wrapped(words: readonly string[], width: number, separator = ', '): readonly string[] {
  const lines: string[] = [];
  for (const [at, each] of words.entries()) {
    const word = printable(each) + (at === words.length - 1 ? '' : separator.trimEnd());
    const last = lines.at(-1);
    if (last !== undefined && widthOf(last) + 1 + widthOf(word) <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(shortened(word, width));
  }
  return lines;
}
