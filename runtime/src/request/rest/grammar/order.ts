import type { Order } from '../../../plan/intent.js';
import type { ServerError } from '../../../errors.js';
import { malformedParameter } from './malformed.js';
import { readColumnPath, type ColumnPath } from './path.js';
import { ownGrammar, type RestGrammar } from './rest-grammar.js';
import { Scanner } from './scanner.js';

/**
 * One key of an `order`. `relation` is present if the column belongs to an embedded to-one table.
 */
export interface OrderItem extends ColumnPath {
  readonly relation?: string;
  readonly direction: Order['direction'];
  readonly nulls?: 'first' | 'last';
}

/**
 * The `order` parameter: `column.desc.nullslast,other`. The default direction is `asc`. Throws
 * ServerError 400. Source: decision 006; PostgREST, "Ordering".
 *
 * @accepts `a` `a.asc` `a.desc` `a.asc.nullsfirst` `a.desc.nullslast` `a.nullslast` `a.desc,b`
 * @accepts `"a.b".desc` `a->b->>c.desc` `a->"x.y"`
 * @accepts `r(a).desc` `r(a->>b).asc.nullslast` `r(a),b`
 * @rejects `` `,` `a,` `a.` `a.up` `a.asc.desc` `a.nullslast.desc` `a.asc.nullslast.asc` `a.ASC`
 * @rejects `r(a` `r()` `a b.desc.` `a->` `(a)`
 */
export function parseOrder(text: string, parameter: string, grammar: RestGrammar = ownGrammar): readonly OrderItem[] {
  const scanner = new Scanner(text, parameter, malformedParameter, grammar);
  const items: OrderItem[] = [];
  do items.push(readItem(scanner));
  while (scanner.take(','));
  if (!scanner.done) throw scanner.error('expected `,` or the end');
  return items;
}

const stops = ',.()';

function readItem(scanner: Scanner): OrderItem {
  const first = readColumnPath(scanner, stops);
  if (first.path.length > 0 || !scanner.take('(')) return { ...first, ...readDirection(scanner) };
  const inner = readColumnPath(scanner, stops);
  scanner.expect(')');
  return { relation: first.column, ...inner, ...readDirection(scanner) };
}

type Direction = Pick<OrderItem, 'direction' | 'nulls'>;

const directions = ['asc', 'desc'] as const;
const places = ['nullsfirst', 'nullslast'] as const;

/**
 * The words from left to right, with Parsec's texts for what is none.
 * Source: Parsec's messages.
 */
function readNextDirection(scanner: Scanner): Direction {
  const take = <Word extends string>(words: readonly Word[]): Word | undefined =>
    words.find((word) => scanner.take(`.${word}`));
  const direction = take(directions);
  const nulls = take(places);
  scanner.blanks();
  if (!scanner.done && !scanner.looksAt(',')) throw misspelled(scanner, direction !== undefined, nulls !== undefined);
  return {
    direction: direction ?? 'asc',
    ...(nulls === undefined ? {} : { nulls: nulls === 'nullsfirst' ? 'first' : 'last' }),
  };
}

function misspelled(scanner: Scanner, hasDirection: boolean, hasNulls: boolean): ServerError {
  const problem = 'expected `asc` or `desc`, then `nullsfirst` or `nullslast`,';
  if (hasNulls || !scanner.looksAt('.')) {
    const also = hasNulls ? '' : 'delimiter (.), ';
    return scanner.error(problem, undefined, scanner.stopped(`expected ${also}"," or end of input`));
  }
  const words = hasDirection ? places : [...directions, ...places];
  const at = scanner.at + 1;
  const rest = scanner.text.slice(at);
  // The character that differs from the first of the words.
  let same = 0;
  while (same < rest.length && words[0].charAt(same) === rest.charAt(same)) same += 1;
  const quoted = words.map((word) => `"${word}"`);
  const expected = `expected ${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1) ?? ''}`;
  return scanner.error(problem, undefined, scanner.stopped(expected, at, rest.charAt(same)));
}

function readDirection(scanner: Scanner): Direction {
  if (scanner.grammar.syntaxErrors === 'parsec') return readNextDirection(scanner);
  const words: string[] = [];
  while (scanner.take('.')) words.push(scanner.until(',.'));
  const direction = words[0] === 'asc' || words[0] === 'desc' ? words.shift() : undefined;
  const nulls = words[0] === 'nullsfirst' || words[0] === 'nullslast' ? words.shift() : undefined;
  if (words.length > 0) {
    const wrong = scanner.at - words.join('.').length;
    throw scanner.error(
      'expected `asc` or `desc`, then `nullsfirst` or `nullslast`,',
      'As in order=id.desc or order=id.desc.nullslast.',
      scanner.stopped('expected "asc", "desc", "nullsfirst" or "nullslast"', wrong),
    );
  }
  return {
    direction: direction === 'desc' ? 'desc' : 'asc',
    ...(nulls === undefined ? {} : { nulls: nulls === 'nullsfirst' ? 'first' : 'last' }),
  };
}
