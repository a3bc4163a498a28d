import type { Operator } from '../../plan/operator.js';
import { operators } from '../../plan/operators.js';

/** How the operand of a REST operator is written. */
export type OperandForm =
  /** In its name: `is.null`. */
  | 'none'
  /** `(a,b)`. */
  | 'list'
  /** A text that may be a literal with brackets of its own: an array, a range, JSON. */
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
 * The REST spellings of the operator table. Which operator a spelling means depends on the column (`cs`), how its operand is
 * written does not: that is what can be read before the column is looked up.
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
    case 'texts':
      return 'list';
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
