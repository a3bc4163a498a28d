import { description, invisible, loneSurrogate } from '@tablewright/runtime/model';

/**
 * The only functions that turn texts of the database into source text. Each names the contexts for
 * which it is safe.
 */

export { description };

/** Printable ASCII without quotes and backslashes: most names and comments. */
const plain = /^[ !#-&(-[\]-~]*$/;

/**
 * A string literal, in the quotes that need less escaping: single quotes, unless the text has more
 * of them than of double quotes.
 */
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

/** A property name of a type, quoted only if necessary. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : stringLiteral(name);
}

/**
 * The lines of a block comment's text, which cannot end the comment and contains no invisible
 * characters. No @ is a tag that tools obey: `@deprecated` would deprecate our own declaration.
 */
export function commentLines(text: string): readonly string[] {
  return description(text)
    .replaceAll('*/', '*\\/')
    .replace(/(?<=^[ \t]*)@|(?<!\S)@(?=(?:deprecated|internal)\b|ts-|jsx)/gm, '\\@')
    .split('\n');
}

/** The text of a line comment, without line breaks. */
export function commentLine(text: string): string {
  return text.replace(/\s+/g, ' ').replace(invisible, unicodeEscape).replace(loneSurrogate, unicodeEscape).trim();
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
