/**
 * PostgreSQL's array literals: `{a,"b c",NULL,{1,2}}`.
 * Source: https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO
 */
export function writeArrayLiteral(elements: readonly (string | null)[], delimiter: ',' | ';' = ','): string {
  return `{${elements.map(quoteElement).join(delimiter)}}`;
}

/**
 * Joins literals of equal length to a literal with one more dimension: `{1,2}`, `{3,4}` →
 * `{{1,2},{3,4}}`.
 */
export const nestArrayLiterals = (literals: readonly string[]): string => `{${literals.join(',')}}`;

const quoteElement = (text: string | null): string => (text === null ? 'NULL' : `"${text.replace(/[\\"]/g, '\\$&')}"`);

/**
 * Whether the text is one array literal. Accepted: `{}`, `{a,b}`, `{"a,b",NULL}`, `{{1,2},{3,4}}`,
 * `[2:3]={a,b}`. Rejected: `[a,b]`, `a,b`, `{a`, `{a,}`, `{"a}`, `{a}b`.
 */
export function isArrayLiteral(text: string): boolean {
  const bounds = /^\s*(?:\[[^\]]*\])+\s*=/.exec(text)?.[0] ?? '';
  const end = readArray(text, skipSpace(text, bounds.length));
  return end !== undefined && skipSpace(text, end) === text.length;
}

/**
 * The end of the array that begins at `at`, without recursion: a deeply nested literal must not
 * overflow the stack.
 */
function readArray(text: string, at: number): number | undefined {
  if (text[at] !== '{') return undefined;
  let depth = 0;
  let position = at;
  /**
   * An element or an array must follow: after `{` (where `}` may follow, too) and after a comma.
   */
  let expected: 'elementOrEnd' | 'element' | 'separator' = 'element';
  for (;;) {
    position = skipSpace(text, position);
    const character = text[position];
    if (character === undefined) return undefined;
    if (character === '{' && expected !== 'separator') {
      depth += 1;
      position += 1;
      expected = 'elementOrEnd';
    } else if (character === '}' && expected !== 'element') {
      depth -= 1;
      position += 1;
      if (depth === 0) return position;
      expected = 'separator';
    } else if (character === ',' && expected === 'separator') {
      position += 1;
      expected = 'element';
    } else {
      const end = expected === 'separator' ? undefined : readElement(text, position);
      if (end === undefined) return undefined;
      position = end;
      expected = 'separator';
    }
  }
}

const quoted = /"(?:[^"\\]|\\[\s\S])*"/y;
const bare = /(?:[^{},"\\]|\\[\s\S])+/y;

function readElement(text: string, at: number): number | undefined {
  const pattern = text[at] === '"' ? quoted : bare;
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function skipSpace(text: string, at: number): number {
  let position = at;
  while (/\s/.test(text.charAt(position))) position += 1;
  return position;
}
