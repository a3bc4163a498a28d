import { ServerError, codes } from '../../errors.js';
import { nearest } from '../../nearest.js';
import type { Draft } from './draft.js';
import { readList } from './list.js';
import { malformedFilter, quoteName } from './malformed.js';
import { Scanner } from './scanner.js';
import { spellings, type Spelling } from './spelling.js';

/** `[not.]<operator>.<value>` on a column: the value and the configuration are numbers of inputs. */
export interface Comparison {
  readonly kind: 'compare';
  readonly negated: boolean;
  /** The column with its JSON path, as it was written. */
  readonly column: string;
  /** A REST spelling of the operator table. */
  readonly operator: string;
  readonly value?: number;
  readonly config?: number;
}

/**
 * The value of a `<column>=` parameter. What follows the operator is the value as it is, without quoting, but for lists.
 * Throws ServerError 400. Source: contract 4.2, 4.3.
 *
 * @accepts `eq.1` `eq.` `eq.a.b` `eq."a"` `eq.a,b)` `not.eq.1` `in.(1,2)` `in.()` `not.in.("a,b")` `is.null` `is.NULL` `is.not_null` `is.true`
 * @accepts `not.is.null` `fts(english).a & b` `plfts.x` `cs.{a,b}` `cs.[1,2)` `like.a*` `arraylength.2` `haskeys.(a,b)` `eq.not.1`
 * @rejects `` `1` `eq` `EQ.1` `nope.1` `not.1` `not.not.eq.1` `in.1` `in.(1` `in.(1)x` `is.` `is.nul` `is.1` `eq(english).a` `fts(english` `fts().a`
 * @rejects `.1` `eq,1` `not` `vector(x).1` `like.a\`
 */
export function parseComparison(parameter: string, column: string, text: string, draft: Draft): Comparison {
  const scanner = new Scanner(text, parameter, malformedFilter);
  draft.countFilter(parameter);
  const { operator, form, ...rest } = readOperator(scanner, draft, '');
  if (form === 'none') return { kind: 'compare', column, operator, ...rest };
  const value = form === 'list' ? wholeList(scanner) : scanner.text.slice(scanner.at);
  if (form === 'pattern') checkPattern(value, scanner);
  return { kind: 'compare', column, operator, ...rest, value: draft.input(value) };
}

function wholeList(scanner: Scanner): readonly string[] {
  const list = readList(scanner);
  if (!scanner.done) throw scanner.error('expected the end after the list');
  return list;
}

/**
 * A pattern ends in its escape character when it ends in an odd number of them. The database notices only when a row matches up to
 * there, so that the same request would fail with some rows and not with others.
 */
export function checkPattern(value: string | readonly string[], scanner: Scanner): void {
  if (typeof value !== 'string') return;
  let end = value.length;
  while (end > 0 && value.charAt(end - 1) === '\\') end -= 1;
  if ((value.length - end) % 2 === 0) return;
  throw scanner.malformed(scanner.parameter, 'the pattern ends in its escape character.', escapeHint);
}

const escapeHint = 'Write `\\\\` for a backslash, percent-encoded as %5C%5C.';

interface ReadOperator {
  readonly negated: boolean;
  readonly operator: string;
  readonly form: Spelling['form'];
  readonly config?: number;
}

/**
 * Reads `[not.]operator[(config)].`; for `is` also what it is. `stops` end an `is`.
 * Throws ServerError 400 with the operators that are near.
 */
export function readOperator(scanner: Scanner, draft: Draft, stops: string): ReadOperator {
  const negated = scanner.take('not.');
  const start = scanner.at;
  const word = scanner.until(stops === '' ? '.(' : '.(,)');
  if (word === 'is' && scanner.take('.')) {
    const operator = `is.${scanner.until(stops).toLowerCase()}`;
    if (!spellings.has(operator)) {
      scanner.at = start;
      throw scanner.error('`is` takes null, notnull, true, false or unknown');
    }
    draft.structure(`${negated ? '!' : '='}${operator}`);
    return { negated, operator, form: 'none' };
  }
  const spelling = spellings.get(word);
  if (spelling === undefined) throw unknownOperator(scanner, word);
  const config = readConfig(scanner, spelling, word);
  scanner.expect('.');
  draft.structure(`${negated ? '!' : '='}${word}${config === undefined ? '' : '()'}`);
  return {
    negated,
    operator: word,
    form: spelling.form,
    ...(config === undefined ? {} : { config: draft.input(config) }),
  };
}

function readConfig(scanner: Scanner, spelling: Spelling, word: string): string | undefined {
  if (!scanner.looksAt('(')) return undefined;
  if (!spelling.configurable) throw scanner.error(`\`${word}\` takes nothing in parentheses; expected \`.\``);
  scanner.expect('(');
  const config = scanner.until(')');
  if (config === '') throw scanner.error('expected a text search configuration');
  scanner.expect(')');
  return config;
}

/** With nothing after the word it is rather a value whose operator was forgotten. */
function unknownOperator(scanner: Scanner, word: string): ServerError {
  const near = scanner.done ? undefined : nearest(word, [...spellings.keys()]);
  const problem = word === '' ? 'it does not begin with an operator.' : `there is no operator ${quoteName(word)}.`;
  return new ServerError(400, codes.unknownOperator, `Filter ${quoteName(scanner.parameter)}: ${problem}`, {
    hint: near === undefined ? formHint : `Did you mean \`${near}\`?`,
  });
}

const formHint = 'A filter is <column>=<operator>.<value>, as in id=eq.1 or name=like.A*.';
