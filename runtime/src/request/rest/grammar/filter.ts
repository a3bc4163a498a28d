import { endsInEscape } from '../../../plan/pattern.js';
import type { ShapeBuilder } from './shape-builder.js';
import { readAlternatives, readKeys, readList } from './list.js';
import { malformedFilter } from './malformed.js';
import { readOperator, type Quantifier, type ReadOperator } from './operator.js';
import { ownGrammar, type RestGrammar } from './rest-grammar.js';
import { Scanner } from './scanner.js';

/**
 * `[not.]<operator>.<value>` on a column. The values and the text search configuration are input
 * numbers.
 */
export interface Comparison {
  readonly kind: 'compare';
  readonly negated: boolean;
  /** The column with its JSON path, as the client wrote it. */
  readonly column: string;
  /** A REST spelling of the operator table. */
  readonly operator: string;
  /** None or one; with a quantifier, one or more. */
  readonly values: readonly number[];
  readonly quantifier: Quantifier | undefined;
  readonly config: number | undefined;
}

/**
 * Reads operands. In a parameter, an operand ends with the text; inside a group, it ends at `,` or
 * `)`.
 */
export interface OperandReader {
  readonly stops: string;
  readonly list: (scanner: Scanner) => readonly string[];
  readonly keys: (scanner: Scanner) => readonly string[];
  readonly alternatives: (scanner: Scanner) => readonly string[];
  /** `literal`: the operand may contain brackets. */
  readonly text: (scanner: Scanner, literal: boolean) => string;
}

const wholeParameter: OperandReader = {
  stops: '',
  list: (scanner) => whole(scanner, readList(scanner)),
  keys: (scanner) => whole(scanner, readKeys(scanner)),
  alternatives: (scanner) => whole(scanner, readAlternatives(scanner)),
  text: (scanner) => scanner.text.slice(scanner.at),
};

/**
 * The value of a `<column>=` parameter. The text after the operator is the value, without quotes,
 * except in lists. Throws ServerError 400. Source: decision 006; PostgREST, "Operator
 * modifiers".
 *
 * @accepts `eq.1` `eq.` `eq.a.b` `eq."a"` `eq.a,b)` `not.eq.1` `in.(1,2)` `in.()` `not.in.("a,b")`
 * @accepts `is.null` `is.NULL` `is.not_null` `is.true`
 * @accepts `not.is.null` `fts(english).a & b` `plfts.x` `cs.{a,b}` `cs.[1,2)` `like.a*`
 * @accepts `arraylength.2` `haskeys.(a,b)` `haskeys.{a,b}` `eq.not.1`
 * @accepts `eq(any).{1,2}` `like(all).{a*,"b,c"}` `not.ilike(any).{a}`
 * @rejects `` `1` `eq` `EQ.1` `nope.1` `not.1` `not.not.eq.1` `in.1` `in.(1` `in.(1)x` `is.`
 * @rejects `is.nul` `is.1` `eq(english).a` `fts(english` `fts().a`
 * @rejects `.1` `eq,1` `not` `vector(x).1` `like.a\` `eq(any).1` `eq(any).{1` `eq(any).{}`
 * @rejects `eq(any).{1}x` `like(any).{a\}` `in(any).{1}` `eq(some).{1}`
 */
export function parseComparison(
  parameter: string,
  column: string,
  text: string,
  builder: ShapeBuilder,
  grammar: RestGrammar = ownGrammar,
): Comparison {
  const scanner = new Scanner(text, parameter, malformedFilter, grammar);
  return readComparison(scanner, column, wholeParameter, builder);
}

/** Reads the text after the column, in a parameter or inside a group. Throws ServerError 400. */
export function readComparison(
  scanner: Scanner,
  column: string,
  operands: OperandReader,
  builder: ShapeBuilder,
): Comparison {
  builder.countFilter(scanner.parameter);
  const read = readOperator(scanner, builder, operands.stops);
  const { negated, operator, quantifier, config } = read;
  const values = readValues(scanner, read, operands, builder);
  return { kind: 'compare', negated, column, operator, values, quantifier, config };
}

function readValues(
  scanner: Scanner,
  { form, quantifier }: ReadOperator,
  operands: OperandReader,
  builder: ShapeBuilder,
): readonly number[] {
  if (form === 'none') return [];
  if (form === 'list') return [builder.input(operands.list(scanner))];
  if (form === 'keys') return [builder.input(operands.keys(scanner))];
  const texts =
    quantifier === undefined ? [operands.text(scanner, form === 'literal')] : quantified(scanner, operands, builder);
  if (form === 'pattern') for (const text of texts) checkPattern(text, scanner);
  return texts.map((text) => builder.input(text));
}

function quantified(scanner: Scanner, operands: OperandReader, builder: ShapeBuilder): readonly string[] {
  const texts = operands.alternatives(scanner);
  builder.countFilter(scanner.parameter, texts.length - 1);
  builder.structure(String(texts.length));
  return texts;
}

function whole<T>(scanner: Scanner, value: T): T {
  if (!scanner.done && scanner.grammar.trailingText === 'refused')
    throw scanner.error('expected the end after the list');
  return value;
}

function checkPattern(text: string, scanner: Scanner): void {
  if (endsInEscape(text))
    throw scanner.malformed(scanner.parameter, 'the pattern ends in its escape character.', escapeHint);
}

const escapeHint = 'Write `\\\\` for a backslash, percent-encoded as %5C%5C.';
