/** A part of a text, and what takes its place. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

/** Something in a file that a person has to look at. */
export interface Left {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** A text with its edits made. Edits do not overlap. */
export function edited(text: string, edits: readonly Edit[]): string {
  let written = text;
  for (const { start, end, by } of [...edits].sort((a, b) => b.start - a.start)) {
    written = written.slice(0, start) + by + written.slice(end);
  }
  return written;
}
