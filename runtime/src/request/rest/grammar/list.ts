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
  const elements = scanner.take(')') ? [] : readElements(scanner, ')');
  // PostgREST reads one empty text as the empty list.
  return scanner.isLax && elements.length === 1 && elements[0] === '' ? [] : elements;
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
    elements.push(scanner.looksAt('"') ? quotedElement(scanner, end) : scanner.until(`,${end}`));
  } while (scanner.take(','));
  scanner.expect(end);
  return elements;
}

/** PostgREST takes a text that goes on after its closing quote as it is written. */
function quotedElement(scanner: Scanner, end: string): string {
  const start = scanner.at;
  const text = scanner.quoted();
  if (!scanner.isLax || scanner.looksAt(',') || scanner.looksAt(end)) return text;
  scanner.at = start;
  return scanner.until(`,${end}`);
}
