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
 * Replaces what could end a line, move the cursor or turn the direction of writing by its escape: names and comments come from
 * a database, and a terminal obeys what it is shown.
 */
export const printable = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}}`,
  );

const widthOf = (text: string): number => [...segmenter.segment(text)].length;
