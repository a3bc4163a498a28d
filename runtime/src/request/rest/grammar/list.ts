import { limits } from './limits.js';
import { limitExceeded } from './malformed.js';
import type { Scanner } from './scanner.js';

/**
 * The list of `in` and `notin`: `(a,b,"c,d")`. `()` is the empty list. A text that contains `,` or
 * `)`, or begins with a quote, is quoted. Throws ServerError 400 if the list is malformed or too
 * long. Source: decision 006; PostgREST, "Reserved characters".
 *
 * @accepts `()` `(1)` `(1,2)` `(a b,c)` `("a,b","c)d")` `("\"","\\")` `(,)` `("")` `(a"b)` `(a(b)`
 * @rejects `` `1,2` `(1` `(1))` `("a)` `("a"b)` `(1)2` `("\`
 */
export function readList(scanner: Scanner): readonly string[] {
  scanner.blanks();
  scanner.expect('(');
  scanner.blanks();
  const elements = scanner.take(')') ? [] : readElements(scanner, ')');
  scanner.blanks();
  return scanner.grammar.loneEmptyText === 'noElement' && elements.length === 1 && elements[0] === '' ? [] : elements;
}

/**
 * The list of `haskeys` and `hasanykeys`: `{a,b}`, or as that of `in`. Throws ServerError 400.
 */
export function readKeys(scanner: Scanner): readonly string[] {
  if (!scanner.take('{')) return readList(scanner);
  return scanner.take('}') ? [] : readElements(scanner, '}');
}

/**
 * The values of `eq(any)` and similar operators: `{a,"b,c"}`, at least one. Throws ServerError 400.
 * Source: PostgREST, "Operator modifiers".
 */
export function readAlternatives(scanner: Scanner): readonly string[] {
  scanner.expect('{');
  if (scanner.looksAt('}')) throw scanner.error('expected a value');
  return readElements(scanner, '}');
}

function readElements(scanner: Scanner, end: string): readonly string[] {
  const elements: string[] = [];
  do {
    if (elements.length === limits.elements) {
      throw limitExceeded(
        `The list of parameter "${scanner.parameter}" has more than ${String(limits.elements)} elements.`,
      );
    }
    elements.push(quotedOr(scanner, `,${end}`) ?? scanner.until(`,${end}`));
  } while (scanner.take(','));
  scanner.expect(end);
  return elements;
}

/**
 * A text in double quotes. Undefined, and nothing read, if it has none, or if none of `ends`
 * follows and the grammar keeps its quotes.
 */
export function quotedOr(scanner: Scanner, ends: string): string | undefined {
  if (!scanner.looksAt('"')) return undefined;
  if (scanner.grammar.unpairedQuotes === 'refused') return scanner.quoted();
  const [whole, text = ''] = /^"((?:[^"\\]|\\.)*)"/s.exec(scanner.text.slice(scanner.at)) ?? [];
  const next = whole === undefined ? '' : scanner.text.charAt(scanner.at + whole.length);
  if (whole === undefined || next === '' || !ends.includes(next)) return undefined;
  scanner.at += whole.length;
  return text.replace(/\\(.)/gs, '$1');
}
