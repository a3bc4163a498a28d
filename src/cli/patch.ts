import { createTwoFilesPatch } from 'diff';
import type { Colors } from './terminal.js';

/** A file before and after; null where it is not there. */
export interface TwoTexts {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** The unified form, as `git apply` and `patch -p1` take it. */
export function unified({ path, before, after }: TwoTexts): string {
  const patch = createTwoFilesPatch(
    before === null ? '/dev/null' : `a/${path}`,
    after === null ? '/dev/null' : `b/${path}`,
    before?.replaceAll('\r\n', '\n') ?? '',
    after?.replaceAll('\r\n', '\n') ?? '',
  );
  // The library begins with a line of `=` that is not part of the format.
  return patch.slice(patch.indexOf('--- '));
}

/** A patch in the colours of a terminal. */
export function painted(diff: string, { bold, cyan, green, red }: Colors): string {
  return diff
    .split('\n')
    .map((line) => {
      if (line.startsWith('--- ') || line.startsWith('+++ ')) return bold(line);
      if (line.startsWith('@@')) return cyan(line);
      if (line.startsWith('+')) return green(line);
      return line.startsWith('-') ? red(line) : line;
    })
    .join('\n');
}

/** Not trimmed: a patch may end with an empty line of context, which is a space. */
export const withoutLastNewline = (text: string): string => text.replace(/\n$/, '');
