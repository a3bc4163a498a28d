import type { Thing } from './things.js';

/** SQL's three truth values. */
export type Truth = boolean | null;

/** A condition on a thing, as plain data. */
export type Condition =
  | { readonly kind: 'and' | 'or'; readonly negated: boolean; readonly members: readonly Condition[] }
  | {
      readonly kind: 'compare';
      readonly negated: boolean;
      readonly column: keyof Thing;
      readonly operator: string;
      readonly operand: Operand;
    };

export type Operand = string | number | readonly (string | number)[] | null;

/** Evaluates a condition for a thing by the rules of SQL, in the simplest possible code. */
export function evaluate(condition: Condition, thing: Thing): Truth {
  const positive =
    condition.kind === 'compare'
      ? compare(condition.operator, thing[condition.column], condition.operand)
      : combine(
          condition.kind,
          condition.members.map((member) => evaluate(member, thing)),
        );
  return condition.negated && positive !== null ? !positive : positive;
}

function combine(kind: 'and' | 'or', truths: readonly Truth[]): Truth {
  const decisive = kind === 'or';
  if (truths.includes(decisive)) return decisive;
  return truths.includes(null) ? null : !decisive;
}

function compare(operator: string, value: Thing[keyof Thing], operand: Operand): Truth {
  if (operator.startsWith('is.')) return is(operator, value);
  if (operator === 'in' || operator === 'notin') return inList(operator, value, operand);
  if (value === null) return null;
  if (Array.isArray(value)) return arrays(operator, value as readonly string[], operand as readonly string[]);
  if (typeof value === 'string') return texts(operator, value, String(operand));
  const [left, right] = [Number(value), Number(operand)];
  return ordered(operator, left < right ? -1 : left > right ? 1 : 0);
}

function is(operator: string, value: unknown): Truth {
  if (operator === 'is.null' || operator === 'is.unknown') return value === null;
  if (operator === 'is.notnull') return value !== null;
  return value === (operator === 'is.true');
}

function inList(operator: string, value: unknown, operand: Operand): Truth {
  const list = operand as readonly unknown[];
  if (list.length === 0) return operator === 'notin';
  if (value === null) return null;
  return list.includes(value) === (operator === 'in');
}

function arrays(operator: string, value: readonly string[], operand: readonly string[]): Truth {
  if (operator === 'cs') return operand.every((each) => value.includes(each));
  if (operator === 'cd') return value.every((each) => operand.includes(each));
  return value.some((each) => operand.includes(each));
}

function texts(operator: string, value: string, operand: string): Truth {
  if (operator === 'startswith') return value.startsWith(operand);
  if (operator === 'endswith') return value.endsWith(operand);
  if (operator === 'like') return like(value, operand);
  return ordered(operator, Buffer.compare(Buffer.from(value), Buffer.from(operand)));
}

function ordered(operator: string, sign: number): boolean {
  switch (operator) {
    case 'eq':
      return sign === 0;
    case 'neq':
      return sign !== 0;
    case 'gt':
      return sign > 0;
    case 'gte':
      return sign >= 0;
    case 'lt':
      return sign < 0;
    case 'lte':
      return sign <= 0;
    default:
      throw new Error(`the naive evaluation has no ${operator}`);
  }
}

/** `*` and `%` match any text, `_` one character; `\` makes the next character literal. */
function like(value: string, pattern: string): boolean {
  const [text, wanted] = [Array.from(value), Array.from(pattern.replaceAll('*', '%'))];
  const matches = (at: number, of: number): boolean => {
    const symbol = wanted[of];
    if (symbol === undefined) return at === text.length;
    if (symbol === '%') return matches(at, of + 1) || (at < text.length && matches(at + 1, of));
    if (at >= text.length) return false;
    if (symbol === '\\') return text[at] === wanted[of + 1] && matches(at + 1, of + 2);
    return (symbol === '_' || symbol === text[at]) && matches(at + 1, of + 1);
  };
  return matches(0, 0);
}
