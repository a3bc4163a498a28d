/**
 * The only place where text of the database becomes source text. Each function says what it is safe in.
 */

/** Characters that end a line or can't be seen: U+2028 and U+2029 end comments, others hide or reorder what follows. */
// eslint-disable-next-line no-control-regex
const invisible = /[\0-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Printable, and neither quote nor backslash: most names and comments. */
const plain = /^[ !#-&(-[\]-~]*$/;

/** A string literal, in the quotes that need less escaping: single ones unless there are more of them than double ones. */
export function stringLiteral(text: string): string {
  if (plain.test(text)) return `'${text}'`;
  const single = count(text, "'");
  const quote = single > count(text, '"') ? '"' : "'";
  const escaped = text
    .replace(/\\/g, '\\\\')
    .replace(/\n/g, '\\n')
    .replace(/\r/g, '\\r')
    .replace(/\t/g, '\\t')
    .replace(invisible, unicodeEscape)
    .replace(loneSurrogate, unicodeEscape)
    .replaceAll(quote, `\\${quote}`);
  return `${quote}${escaped}${quote}`;
}

/** A property name of a type: bare where it may be. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : stringLiteral(name);
}

/** The lines of a block comment's text: it can't end the comment, and nothing in it is invisible. */
export function commentLines(text: string): readonly string[] {
  return description(text).replaceAll('*/', '*\\/').replace(/^@/gm, '\\@').split('\n');
}

/** One line for a line comment. */
export function commentLine(text: string): string {
  return text.replace(/\s+/g, ' ').replace(invisible, unicodeEscape).replace(loneSurrogate, unicodeEscape).trim();
}

/**
 * A comment of the database as a GraphQL description: what both a block string and a comment can hold. Empty when nothing is left.
 * Source: https://spec.graphql.org/October2021/#sec-String-Value, block strings.
 */
export function description(text: string | null): string {
  if (text === null) return '';
  return text
    .replace(/\r\n?/g, '\n')
    .replace(invisible, '')
    .replace(loneSurrogate, '\ufffd')
    .split('\n')
    .map((row) => row.trimEnd())
    .join('\n')
    .trim();
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
