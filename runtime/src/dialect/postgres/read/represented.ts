import { sql } from 'kysely';
import type { QualifiedName, Representation } from '../../../catalog/catalog.js';
import type { ColumnType } from '../../../descriptor/descriptor.js';
import type { Parameter } from '../../../plan/parameter.js';
import type { AggregateCall, Expression } from '../../../plan/read/plan.js';
import { expression } from '../../sql/expression.js';
import { operand, table, typeName, type Fragment } from '../sql.js';
import { text } from '../types.js';
import type { Scope } from './scope.js';

/**
 * A column of a domain in the form that the cast of the domain gives it, in PostgREST's form;
 * undefined for every other value.
 * Source: PostgREST, "Domain Representations".
 */
export function represented(of: Expression, scope: Scope, value = expression(of, scope)): Fragment | undefined {
  const toJson = castsOf(of, scope)?.toJson;
  return toJson === undefined ? undefined : sql`${table(toJson)}(${value})`;
}

/** Operators whose operand is a pattern, a query or a value of the type below the domain. */
const unrepresented: ReadonlySet<string> = new Set([
  ...['like', 'ilike', 'isDistinctFrom'],
  ...['search', 'webSearch', 'phraseSearch', 'rawSearch'],
]);

/** What makes the values of the query string that an operator compares a column with. */
export const readerOf = (operator: string, of: Expression | AggregateCall, scope: Scope): QualifiedName | undefined =>
  'kind' in of && !unrepresented.has(operator) ? castsOf(of, scope)?.fromText : undefined;

/** The operand of an operator. Values of hooks are of the type below the domain. */
export function readOperand(
  of: Parameter,
  fromText: QualifiedName | undefined,
  compared: ColumnType,
  { compiler: { types } }: Scope,
): Fragment {
  if (fromText === undefined || of.value.form !== 'text') return operand(of, types);
  const base = typeName(compared.sql);
  if (of.as !== 'list') return sql`${table(fromText)}(${operand({ ...of, as: 'text', type: text }, types)})::${base}`;
  const texts = operand({ ...of, as: 'texts', type: text }, types);
  return sql`array(select ${table(fromText)}(u.v)::${base} from unnest(${texts}) as u(v))`;
}

const castsOf = (of: Expression, { style }: Scope): Representation | undefined =>
  style.isNative === true && of.kind === 'column' ? of.representation : undefined;
