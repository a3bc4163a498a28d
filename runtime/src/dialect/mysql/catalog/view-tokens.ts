/** A token of SQL as the server prints it: every name of the database stands in backticks. */
export interface Token {
  readonly kind: 'name' | 'text' | 'word' | 'number' | 'mark';
  /** A name without its backticks; a text with its quotes; a word in small letters. */
  readonly value: string;
}

const pattern =
  /`((?:[^`]|``)*)`|('(?:[^'\\]|''|\\[\s\S])*')|([\p{L}_][\p{L}\p{N}_$]*)|(\d+(?:\.\d+)?(?:e[+-]?\d+)?)|(\S)/giu;

export const tokenize = (text: string): readonly Token[] =>
  [...text.matchAll(pattern)].map(([, name, quoted, word, number, mark]): Token => {
    if (name !== undefined) return { kind: 'name', value: name.replaceAll('``', '`') };
    if (quoted !== undefined) return { kind: 'text', value: quoted };
    if (word !== undefined) return { kind: 'word', value: word.toLowerCase() };
    return number === undefined ? { kind: 'mark', value: mark ?? '' } : { kind: 'number', value: number };
  });

export const isMark = (token: Token | undefined, value: string): boolean =>
  token?.kind === 'mark' && token.value === value;

/** Whether a token is one of these words. A name in backticks is none. */
export const isWord = (token: Token | undefined, ...words: readonly string[]): boolean =>
  token?.kind === 'word' && words.includes(token.value);

/** Each token outside of all parentheses, with its place. A parenthesis itself is not outside. */
export function* outside(tokens: readonly Token[]): Generator<readonly [at: number, token: Token]> {
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (isMark(token, '(')) at = closing(tokens, at);
    else if (token !== undefined) yield [at, token];
  }
}

/** The place of the parenthesis that closes the one at a place; the end if none does. */
export function closing(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at += 1) {
    if (isMark(tokens[at], '(')) depth += 1;
    if (isMark(tokens[at], ')')) depth -= 1;
    if (depth === 0) return at;
  }
  return tokens.length;
}

/** Whether one pair of parentheses encloses all tokens. */
export const isEnclosed = (tokens: readonly Token[]): boolean =>
  isMark(tokens[0], '(') && closing(tokens, 0) === tokens.length - 1;

/** The parts between the tokens at these places. */
export function splitAt(tokens: readonly Token[], places: readonly number[]): readonly (readonly Token[])[] {
  return [...places, tokens.length].map((end, part) => tokens.slice(part === 0 ? 0 : (places[part - 1] ?? 0) + 1, end));
}
