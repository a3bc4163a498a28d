import { sql } from 'kysely';
import type { KeyOperator, QualifiedName } from '../../../catalog/catalog.js';
import type { ColumnType, SqlType } from '../../../descriptor/descriptor.js';
import type { Parameter } from '../../../plan/parameter.js';
import { tableoid } from '../../../descriptor/unique-keys.js';
import type { AggregateCall, Expression, TableName } from '../../../plan/read/plan.js';
import { compareKey } from '../../sql/cursor.js';
import { canBeNull } from '../../sql/expression-facts.js';
import type { CursorKey, Operation } from '../../sql/words.js';
import { comparedAs } from '../comparison.js';
import { columnOf, operatorSchema, join, nothing, operand, operator, table, typeName, type Fragment } from '../sql.js';
import { aggregated, compared } from './expression.js';
import { text } from '../types.js';
import { operandType } from '../parameters/forms.js';
import { operators } from './operators.js';
import { readOperand, readerOf } from './represented.js';
import type { Scope } from './scope.js';

export function operation(
  { operator: id, parameters, config }: Operation,
  of: Expression | AggregateCall,
  scope: Scope,
): Fragment {
  const { types } = scope.compiler;
  const type = comparedAs(of.type);
  const fromText = readerOf(id, of, scope);
  const [first = nothing, second = nothing] = parameters.map((each) => readOperand(each, fromText, type, scope));
  const value = 'kind' in of ? compared(of, scope) : aggregated(of, scope);
  return operators.render(id, {
    ...(isMatched(type, parameters, scope)
      ? { value: sql`(to_json(${value}) #>> '{}')`, type: text }
      : { value, type }),
    parameters: [first, second],
    config: config === undefined ? undefined : operand(config, types),
  });
}

/**
 * Patterns are matched with the text that an answer shows, also where values are compared by
 * operators of their type, which has none for texts (inet, ltree). PostgREST's form asks for them.
 */
const isMatched = (type: ColumnType, [operand]: readonly Parameter[], { style }: Scope): boolean =>
  type.kind === 'other' && style.isNative !== true && operand !== undefined && operandType(operand.as, type) === text;

export const comparison = (symbol: string, type: ColumnType): Fragment => operator(symbol, comparedAs(type));

/** A table without rows of its own has no oid here, and no row is in it. */
export const isIn = (name: TableName, { row }: Scope): Fragment =>
  sql`${columnOf(row, tableoid.name)} = (select ${sql.id(tableoid.name)} from only ${table(name)} limit 1)`;

/** A cross-type operator has the key on its left side, and may have no commutator. */
export function keyComparison(key: Fragment, reference: Fragment, { schema, name, as }: KeyOperator): Fragment {
  const right = as === undefined ? reference : sql`${reference}::${typeName(sqlTypeOf(as))}`;
  return schema === systemSchema
    ? sql`${key} ${sql.raw(name)} ${right}`
    : sql`${key} operator(${sql.id(schema)}.${sql.raw(name)}) ${right}`;
}

const systemSchema = 'pg_catalog';

const sqlTypeOf = ({ schema, name }: QualifiedName): SqlType => (schema === systemSchema ? { name } : { schema, name });

export const cursorValue = (of: Parameter, { compiler }: Scope): Fragment => operand(of, compiler.types);

export function sameNullable(key: CursorKey, scope: Scope): Fragment {
  const same = compareKey(key, '=', scope);
  return sql`(${same} or (${compared(key.order.by, scope)} is null and ${cursorValue(key.value, scope)} is null))`;
}

/**
 * An index on the keys serves a row comparison if no key can be null and all have the same
 * direction.
 */
export function rowComparison(keys: readonly CursorKey[], symbol: string, scope: Scope): Fragment | undefined {
  if (!isComparable(keys)) return undefined;
  const left = join(keys.map(({ order }) => compared(order.by, scope)));
  return sql`((${left}) ${sql.raw(symbol)} (${join(keys.map(({ value }) => cursorValue(value, scope)))}))`;
}

function isComparable(keys: readonly CursorKey[]): boolean {
  const [first] = keys;
  return keys.every(
    ({ order }) =>
      order.direction === first?.order.direction &&
      !canBeNull(order.by) &&
      // The operators of a row comparison are looked up in the search path.
      operatorSchema(comparedAs(order.by.type)) === undefined,
  );
}
