import { description, invisible, loneSurrogate } from '@tablewright/runtime/model';

/** The only place where text of the database becomes source text. Each function names its safe contexts.
 */

export { description };

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

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
