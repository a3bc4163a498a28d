import { group, hardline, hug, ifBroken, indent, join, line, softline, type Doc } from './doc.js';
import { commentLines, propertyName, stringLiteral } from './escape.js';

/** Builders of TypeScript syntax, in the layout of Prettier. */

export const string = (text: string): Doc => stringLiteral(text);

/** `[a, b]`, or a line for each item. */
export function array(items: readonly Doc[]): Doc {
  if (items.length === 0) return '[]';
  return group(['[', indent([softline, join([',', line], items)]), ifBroken(','), softline, ']']);
}

export type Entry = readonly [name: string, value: Doc];

/** `{ a: 1, b: 2 }`, or a line for each entry. */
export function object(entries: readonly Entry[]): Doc {
  if (entries.length === 0) return '{}';
  return group(['{', indent([line, join([',', line], entries.map(property))]), ifBroken(','), line, '}']);
}

/** A list of objects. Several objects with several entries each stand on separate lines. */
export function objects(items: readonly (readonly Entry[])[]): Doc {
  const docs = items.map(object);
  if (items.length < 2 || items.some((entries) => entries.length < 2)) return array(docs);
  return ['[', indent(docs.map((doc) => [hardline, doc, ','])), hardline, ']'];
}

/** An object with a line for each entry, even if it fits on one line. */
export function tallObject(entries: readonly Entry[]): Doc {
  if (entries.length === 0) return '{}';
  return ['{', indent(entries.map((entry) => [hardline, property(entry), ','])), hardline, '}'];
}

/** `callee(a, b)`, or a line for each argument. */
export function call(callee: string, args: readonly Doc[]): Doc {
  if (args.length === 0) return `${callee}()`;
  return group([callee, '(', indent([softline, join([',', line], args)]), ifBroken(','), softline, ')']);
}

/** A call whose last argument is an object: the object breaks before the other arguments. */
export function callWithObject(callee: string, args: readonly Doc[], last: readonly Entry[]): Doc {
  if (last.length === 0) return call(callee, args);
  const head: Doc = [callee, '(', args.map((arg) => [arg, ', '])];
  return hug(
    [head, object(last), ')'],
    () => [head, tallObject(last), ')'],
    () => [[callee, '('], indent([hardline, join([',', hardline], [...args, object(last)]), ',']), [hardline, ')']],
  );
}

/** A documentation comment; nothing for an empty text. */
export function docComment(text: string): Doc {
  const lines = commentLines(text);
  const [first = ''] = lines;
  if (lines.length === 1) return first === '' ? [] : [`/** ${first} */`, hardline];
  return ['/**', lines.map((row) => [hardline, row === '' ? ' *' : ` * ${row}`]), hardline, ' */', hardline];
}

function property([name, value]: Entry): Doc {
  const key = propertyName(name);
  if (value === name) return key;
  // As in Prettier, a string that does not fit goes to the next line.
  if (typeof value === 'string' && /^['"]/.test(value)) return group([key, ':', group(indent([line, value]))]);
  return [key, ': ', value];
}
