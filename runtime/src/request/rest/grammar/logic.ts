import type { ServerError } from '../../../errors.js';
import type { ShapeBuilder } from './shape-builder.js';
import { readComparison, type Comparison, type OperandReader } from './filter.js';
import { limits } from './limits.js';
import { quotedOr, readAlternatives, readKeys, readList } from './list.js';
import { limitExceeded, malformedFilter } from './malformed.js';
import { ownGrammar, type RestGrammar } from './rest-grammar.js';
import { Scanner } from './scanner.js';

/** `or=(…)` or `and=(…)`: comparisons and groups, nested. */
export interface LogicGroup {
  readonly kind: 'and' | 'or';
  readonly negated: boolean;
  readonly members: readonly LogicCondition[];
}

export type LogicCondition = Comparison | LogicGroup;

/**
 * The value of `or` and `and`, also negated and for embedded tables. Values with `,` or `)` are
 * quoted. A literal in brackets (an array, a range, JSON) needs quotes only if its brackets do not
 * pair. Throws ServerError 400. Source: decision 006; PostgREST, "Logical operators".
 *
 * @accepts `(a.eq.1)` `(a.eq.1,b.eq.2)` `(a.not.eq.1)` `(a.is.null,b.not.is.null)`
 * @accepts `(and(a.gt.1,a.lt.5),b.eq.2)` `(not.and(a.eq.1,b.eq.2))`
 * @accepts `(a.in.(1,2),b.eq.3)` `(a.in.())` `(a.eq."x,y)")` `("a.b".eq.1)` `("a,b".eq.1,c.eq.)`
 * @accepts `(a->b->>c.eq.1)` `(a.cs.{1,2},b.eq.1)`
 * @accepts `(a.cs.[1,5),b.eq.1)` `(a.cs.{"k":"}"})` `(a.fts(english).x)` `(a.eq.)`
 * @accepts `(or(or(a.eq.1)))` `(a.eq.x y)` `(a.eq.b(c)` `(a.eq(any).{1,"2,)"},b.eq.3)`
 * @rejects `` `()` `(` `a.eq.1` `(a.eq.1` `(a.eq.1))` `(a.eq.1,)` `(,a.eq.1)` `(a)` `(a.eq)`
 * @rejects `(a.nope.1)` `(and())` `(a.in.(1)` `(a.cs.{1)`
 * @rejects `(a.eq."x"y)` `(a.eq."x)` `(a.is.x)` `(.eq.1)` `(not.a.eq.1)` `(a.vector.1)` `(a.eq.1)x`
 */
export function parseGroup(
  kind: 'and' | 'or',
  negated: boolean,
  parameter: string,
  text: string,
  builder: ShapeBuilder,
  grammar: RestGrammar = ownGrammar,
): LogicGroup {
  const scanner = new Scanner(text, parameter, malformedFilter, grammar);
  const read = readGroup(scanner, builder, kind, negated, 1);
  if (!scanner.done && scanner.grammar.trailingText === 'refused')
    throw scanner.error('expected the end after the group');
  return read;
}

function readGroup(
  scanner: Scanner,
  builder: ShapeBuilder,
  kind: LogicGroup['kind'],
  negated: boolean,
  depth: number,
): LogicGroup {
  if (depth > limits.depth) {
    throw limitExceeded(
      `Filter "${scanner.parameter}" nests groups more than ${String(limits.depth)} deep at character ${String(scanner.at + 1)}.`,
    );
  }
  scanner.blanks();
  scanner.expect('(');
  builder.structure(`${negated ? '!' : ''}${kind}(`);
  const members: LogicCondition[] = [];
  do members.push(readCondition(scanner, builder, depth));
  while (scanner.take(','));
  scanner.expect(')');
  if (depth > 1) scanner.blanks();
  builder.structure(')');
  return { kind, negated, members };
}

const group = /(not\.)?(and|or)\(/y;
const groupAfterBlanks = /(not\.)?(and|or)[ \t]*\(/y;

function readCondition(scanner: Scanner, builder: ShapeBuilder, depth: number): LogicCondition {
  scanner.blanks();
  const form = scanner.grammar.blanks === 'ignored' ? groupAfterBlanks : group;
  form.lastIndex = scanner.at;
  const found = form.exec(scanner.text);
  if (found !== null) {
    scanner.at = form.lastIndex - 1;
    return readGroup(scanner, builder, found[2] === 'or' ? 'or' : 'and', found[1] !== undefined, depth + 1);
  }
  const start = scanner.at;
  try {
    return readMember(scanner, builder);
  } catch (error) {
    throw (scanner.grammar.syntaxErrors === 'parsec' ? noGroup(scanner, start) : undefined) ?? error;
  }
}

/**
 * The error for a text that begins like a group (`and`, `or`, `not.`) and is none, as PostgREST
 * words it: it names what the group lacks.
 * Source: Parsec, whose second alternative reports its own error once it has taken a character.
 */
function noGroup(scanner: Scanner, start: number): ServerError | undefined {
  const [taken, negation, word] = /^(not\.)?(and|or)?/.exec(scanner.text.slice(start)) ?? [];
  if (taken === undefined || taken === '') return undefined;
  const lacking = word === undefined && negation !== undefined ? 'logic operator (and, or)' : '`(`';
  const problem = `expected ${lacking}`;
  return scanner.error(problem, undefined, scanner.stopped(problem, start + taken.length));
}

function readMember(scanner: Scanner, builder: ShapeBuilder): Comparison {
  const start = scanner.at;
  readColumn(scanner);
  const column = scanner.text.slice(start, scanner.at).trim();
  builder.structure(column);
  scanner.expect('.');
  return readComparison(scanner, column, insideGroup, builder);
}

const insideGroup: OperandReader = {
  stops: ',)',
  list: readList,
  keys: readKeys,
  alternatives: readAlternatives,
  text: readValue,
};

/** Passes over a column with its JSON path. This only finds its end; `parseColumnPath` reads it. */
function readColumn(scanner: Scanner): void {
  do scanner.name('.,()', 'a column, `and(` or `or(`');
  while (scanner.take('->>') || scanner.take('->'));
}

function readValue(scanner: Scanner, literal: boolean): string {
  const quoted = quotedOr(scanner, ',)');
  if (quoted !== undefined) {
    if (!scanner.looksAt(',') && !scanner.looksAt(')')) throw scanner.error('expected `,` or `)` after a quoted value');
    return quoted;
  }
  const start = scanner.at;
  if (literal && '{[('.includes(scanner.text.charAt(scanner.at)) && !scanner.done) skipBrackets(scanner);
  scanner.until(',)');
  return scanner.text.slice(start, scanner.at);
}

/**
 * Passes over a literal up to the closing bracket of its first bracket. Any closing bracket counts,
 * because `[1,5)` is a range.
 */
function skipBrackets(scanner: Scanner): void {
  let depth = 0;
  do {
    scanner.until('{[()]}"');
    if (scanner.done) throw scanner.error('a value in brackets does not end');
    if (scanner.looksAt('"')) {
      scanner.quoted();
      continue;
    }
    depth += '{[('.includes(scanner.text.charAt(scanner.at)) ? 1 : -1;
    scanner.at += 1;
  } while (depth > 0);
}
