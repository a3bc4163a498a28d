import { ServerError, codes } from '../../../errors.js';
import { nearest } from '../../../nearest.js';
import type { ShapeBuilder } from './shape-builder.js';
import { quoteName } from './malformed.js';
import type { Scanner } from './scanner.js';
import { spellings, type OperandForm, type Spelling } from './spelling.js';

export type Quantifier = 'any' | 'all';

export interface ReadOperator {
  readonly negated: boolean;
  /** A REST spelling of the operator table. */
  readonly operator: string;
  readonly form: OperandForm;
  /** `like(any).{a*,b*}`: whether the operator has to hold for one of the values or for all. */
  readonly quantifier: Quantifier | undefined;
  /** The number of the input that holds the text search configuration. */
  readonly config: number | undefined;
}

/**
 * Reads `[not.]operator[(modifier)].`; for `is` also the word after it, up to one of `stops`.
 * Throws ServerError 400 with the operator that the client probably meant.
 */
export function readOperator(scanner: Scanner, builder: ShapeBuilder, stops: string): ReadOperator {
  const negated = scanner.take('not.');
  const start = scanner.at;
  const word = scanner.until(stops === '' ? '.(' : '.(,)');
  const sign = negated ? '!' : '=';
  if (word === 'is' && scanner.take('.')) {
    const operator = `is.${scanner.grammar.trailingText === 'ignored' ? wordOfIs(scanner) : scanner.until(stops).toLowerCase()}`;
    if (!spellings.has(operator)) {
      const reason = scanner.stopped('expected isVal: (null, not_null, true, false, unknown)', start + 'is.'.length);
      scanner.at = start;
      throw scanner.error('`is` takes null, notnull, true, false or unknown', undefined, reason);
    }
    builder.structure(`${sign}${operator}`);
    return { negated, operator, form: 'none', quantifier: undefined, config: undefined };
  }
  const spelling = spellings.get(word);
  if (spelling === undefined) throw unknownOperator(scanner, word, start);
  const modifier = readModifier(scanner, spelling, word);
  scanner.expect('.');
  builder.structure(`${sign}${word}`);
  if (modifier !== undefined) builder.structure(spelling.configurable ? '()' : `(${modifier})`);
  const config = modifier !== undefined && spelling.configurable ? builder.input(modifier) : undefined;
  const quantifier = spelling.configurable ? undefined : (modifier as Quantifier | undefined);
  return { negated, operator: word, form: spelling.form, quantifier, config };
}

const isWords = /not_null|null|true|false|unknown/iy;

/** Text after the word is not read. */
function wordOfIs(scanner: Scanner): string {
  isWords.lastIndex = scanner.at;
  const word = isWords.exec(scanner.text)?.[0] ?? '';
  scanner.at += word.length;
  return word.toLowerCase();
}

function readModifier(scanner: Scanner, spelling: Spelling, word: string): string | undefined {
  if (!scanner.take('(')) return undefined;
  const modifier = scanner.until(')');
  if (spelling.configurable && modifier === '') throw scanner.error('expected a text search configuration');
  if (!spelling.configurable && !(spelling.quantifiable && (modifier === 'any' || modifier === 'all'))) {
    throw scanner.error(`\`${word}\` does not take (${modifier.slice(0, 20)});`);
  }
  scanner.expect(')');
  return modifier;
}

/**
 * If the text ends after the word, the word is probably a value whose operator is missing, so no
 * operator is suggested.
 */
function unknownOperator(scanner: Scanner, word: string, start: number): ServerError {
  const near = scanner.done ? undefined : nearest(word, [...spellings.keys()]);
  const problem = word === '' ? 'it does not begin with an operator.' : `there is no operator ${quoteName(word)}.`;
  return new ServerError(400, codes.unknownOperator, `Filter ${quoteName(scanner.parameter)}: ${problem}`, {
    hint: near === undefined ? formHint : `Did you mean \`${near}\`?`,
    reason: scanner.stopped('expected "not" or operator (eq, gt, ...)', start),
  });
}

const formHint = 'A filter is <column>=<operator>.<value>, as in id=eq.1 or name=like.A*.';
