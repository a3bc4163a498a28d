import type { Operator } from '../../../plan/operator.js';
import { operators } from '../../../plan/operators.js';

/** How the operand of a REST operator is written. */
export type OperandForm =
  /** The operator has no operand, as `is.null`. */
  | 'none'
  /** `(a,b)`. */
  | 'list'
  /** `{a,b}` or `(a,b)`. */
  | 'keys'
  /** A text that may be a literal in brackets: an array, a range, JSON. */
  | 'literal'
  /** A LIKE pattern. */
  | 'pattern'
  | 'text';

export interface Spelling {
  readonly form: OperandForm;
  /** `fts(english).word`. */
  readonly configurable: boolean;
  /** `like(any).{a*,b*}`. */
  readonly quantifiable: boolean;
}

/** Source: PostgREST, "Operator modifiers". */
const quantifiable = new Set(['eq', 'like', 'ilike', 'gt', 'gte', 'lt', 'lte', 'match', 'imatch']);

/**
 * The REST spellings of the operator table. The column decides which operator a spelling such as
 * `cs` means. The form of the operand does not depend on the column, so that parsing needs no
 * look-up.
 */
export const spellings: ReadonlyMap<string, Spelling> = new Map(
  operators.flatMap((operator) =>
    (operator.rest ?? []).map((rest): [string, Spelling] => [
      rest,
      { form: formOf(operator), configurable: operator.configurable === true, quantifiable: quantifiable.has(rest) },
    ]),
  ),
);

function formOf({ operand }: Operator): OperandForm {
  switch (operand) {
    case 'none':
      return 'none';
    case 'list':
    case 'pair':
      return 'list';
    case 'texts':
      return 'keys';
    case 'column':
    case 'element':
    case 'elements':
    case 'json':
      return 'literal';
    case 'pattern':
      return 'pattern';
    default:
      return 'text';
  }
}
