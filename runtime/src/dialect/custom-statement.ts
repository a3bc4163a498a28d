import { codes, ServerError } from '../errors.js';

/**
 * The first word of a statement in lower case. Skips blanks, parentheses and comments, which nest
 * on PostgreSQL.
 */
export function firstWord(text: string): string {
  const token = /[\s(;]+|--[^\n]*|#[^\n]*|(\/\*)|([a-z]+)|[^]/iy;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [found, opening, word] = match;
    if (word !== undefined) return word.toLowerCase();
    if (opening !== undefined) token.lastIndex = endOfComment(text, token.lastIndex);
    else if (!/^(?:[\s(;]|--|#)/.test(found)) return '';
  }
  return '';
}

function endOfComment(text: string, start: number): number {
  const mark = /\/\*|\*\//g;
  mark.lastIndex = start;
  let depth = 1;
  for (let match = mark.exec(text); match !== null; match = mark.exec(text)) {
    depth += match[0] === '/*' ? 1 : -1;
    if (depth === 0) return mark.lastIndex;
  }
  return text.length;
}

/** Words that begin, end or mark a transaction. `end` and `abort` are PostgreSQL's. */
const control: ReadonlySet<string> = new Set([
  'abort',
  'begin',
  'commit',
  'end',
  'release',
  'rollback',
  'savepoint',
  'start',
]);

/**
 * Refuses a statement of the user's code that would end its transaction or interfere with the
 * runtime's savepoints.
 * @param also words that do so on this database only
 * @throws ServerError `unsupported`
 */
export function refuseControl(text: string, also?: ReadonlySet<string>): void {
  const word = firstWord(text);
  if (control.has(word) || (word === 'prepare' && /\bprepare\s+transaction\b/i.test(text))) {
    throw new ServerError(
      500,
      codes.unsupported,
      `A statement of your code runs ${word.toUpperCase()}, but the server controls the transaction.`,
      {
        hint: 'The server commits it when your code returns, and rolls it back when your code throws. A transaction inside it is a savepoint.',
      },
    );
  }
  if (also?.has(word) === true) {
    throw new ServerError(
      500,
      codes.unsupported,
      `${word.toUpperCase()} would commit the transaction on this database.`,
      {
        hint: 'Run such statements outside the server, as a migration.',
      },
    );
  }
}

/**
 * The error of a transaction that a statement of the user's code has ended: earlier statements are
 * committed or undone already.
 */
export const endedByStatement = (): ServerError =>
  new ServerError(500, codes.unsupported, 'A statement of your code has ended the transaction.', {
    hint: 'Earlier statements may be committed. Statements that commit belong in a migration, outside the server.',
  });
