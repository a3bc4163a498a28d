/** A place in a text; both count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

const linesAround = 2;

/** A possible secret has a key that says so, or is an address with a password. */
const secretName = /pass|secret|token|key|url|credential/i;

/**
 * The lines around a place, with a mark below it:
 *
 *       3 |   schemas: ['kanban',
 *     > 4 |   'app.max-rows': 30,
 *         |                 ^
 *       5 | });
 *
 * Values that may be secret are replaced by as many asterisks: terminals are shared, and logs of CI
 * kept.
 */
export function codeFrame(text: string, { line, column }: Position): string {
  const lines = withoutSecrets(text.split(/\r\n|\r|\n/));
  const first = Math.max(1, line - linesAround);
  const last = Math.min(lines.length, line + linesAround);
  const width = String(last).length;
  const shown = lines.slice(first - 1, last).flatMap((code, at) => {
    const number = first + at;
    const numbered = `${number === line ? '>' : ' '} ${String(number).padStart(width)} | ${code.replaceAll('\t', ' ')}`;
    return number === line ? [numbered, `  ${' '.repeat(width)} | ${' '.repeat(column - 1)}^`] : [numbered];
  });
  return shown.map((each) => each.trimEnd()).join('\n');
}

/** The place of the character at an offset. */
export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

/** A line without a key continues the value of the line above. */
function withoutSecrets(lines: readonly string[]): readonly string[] {
  let secret = false;
  return lines.map((line) => {
    const name = /^[^:]*[\w'"\]-]\s*:(?!\/\/)/.exec(line)?.[0];
    if (name !== undefined) secret = secretName.test(name);
    const value = line.slice(name?.length ?? 0);
    const shown = secret
      ? masked(value)
      : value.replace(/(:\/\/)([^\s'"`]*@)/g, (_, slashes: string, user: string) => slashes + masked(user));
    return (name ?? '') + shown;
  });
}

/** Punctuation stays, because syntax errors are about punctuation. */
const masked = (text: string): string => text.replace(/[^\s'"`,;:{}()[\]]/g, '*');
