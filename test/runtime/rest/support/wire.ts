import type { Condition, Operand } from './naive.js';

/** A condition as a parameter of a query string: by column at the top level, or inside a group. */
export function parameterOf(condition: Condition): readonly [name: string, value: string] {
  const not = condition.negated ? 'not.' : '';
  if (condition.kind === 'compare') {
    return [condition.column, `${not}${operation(condition.operator, condition.operand, false)}`];
  }
  return [`${not}${condition.kind}`, `(${condition.members.map(memberOf).join(',')})`];
}

function memberOf(condition: Condition): string {
  const not = condition.negated ? 'not.' : '';
  if (condition.kind === 'compare') {
    return `${condition.column}.${not}${operation(condition.operator, condition.operand, true)}`;
  }
  return `${not}${condition.kind}(${condition.members.map(memberOf).join(',')})`;
}

function operation(operator: string, operand: Operand, inGroup: boolean): string {
  if (operator.startsWith('is.')) return operator;
  if (operator === 'in' || operator === 'notin') return `${operator}.(${elements(operand).map(quote).join(',')})`;
  const text = Array.isArray(operand) ? `{${elements(operand).map(quote).join(',')}}` : String(operand);
  return `${operator}.${inGroup ? quote(text) : text}`;
}

const elements = (operand: Operand): readonly string[] => (operand as readonly unknown[]).map(String);

const quote = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;
