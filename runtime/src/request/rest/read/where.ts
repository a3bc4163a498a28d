import { ServerError, codes } from '../../../errors.js';
import type { ColumnType } from '../../../descriptor/descriptor.js';
import { noOperator } from '../../../plan/as-postgres-says.js';
import type { Filter, Value } from '../../../plan/intent.js';
import { filterKind, type FilterKind } from '../../../plan/operator.js';
import { restOperator, takenOperators } from '../../../plan/operators.js';
import { unknownColumn } from '../../../plan/refuse.js';
import type { Table } from '../../../descriptor/registry.js';
import { computedOf } from '../grammar/computed-name.js';
import type { GivenToComputed } from './computed.js';
import type { Comparison } from '../grammar/filter.js';
import type { LogicCondition } from '../grammar/logic.js';
import { quoteName } from '../grammar/malformed.js';
import { parseColumnPath, type ColumnPath } from '../grammar/path.js';
import type { CountToken } from '../grammar/shape-builder.js';

/** The input with this number, a decoded text. */
export const textInput = (index: number): Value => ({
  read: (inputs) => (inputs as readonly unknown[])[index],
  form: 'text',
});

/** The input with this number, a JSON value. */
export const jsonInput = (index: number): Value => ({
  read: (inputs) => (inputs as readonly unknown[])[index],
  form: 'json',
});

export const countInput = ({ input, most }: CountToken): Value => ({ ...jsonInput(input), most });

/**
 * The filter that tests whether an embedded table has rows, for `rel=is.null`. Undefined if the
 * name is not an embedded table.
 */
export type EmbeddedTest = (name: string) => Filter | undefined;

/**
 * The conditions of a scope as one filter; undefined if there are none. Throws ServerError 400 for
 * an unknown column or operator.
 */
export function whereOf(
  conditions: readonly LogicCondition[],
  table: Table,
  embedded: EmbeddedTest,
  given: GivenToComputed,
): Filter | undefined {
  const filters = conditions.map((condition) => filterOf(condition, table, embedded, given));
  return filters.length <= 1 ? filters[0] : { kind: 'and', filters };
}

function filterOf(condition: LogicCondition, table: Table, embedded: EmbeddedTest, given: GivenToComputed): Filter {
  const positive: Filter =
    condition.kind === 'compare'
      ? compare(condition, table, embedded, given)
      : { kind: condition.kind, filters: condition.members.map((member) => filterOf(member, table, embedded, given)) };
  return condition.negated ? { kind: 'not', filter: positive } : positive;
}

function compare(comparison: Comparison, table: Table, embedded: EmbeddedTest, given: GivenToComputed): Filter {
  const { column, path } = columnOf(comparison.column, table);
  const own = table.byRestName.get(column);
  const name = own === undefined && path.length === 0 ? computedOf(table, column) : undefined;
  const computed = name === undefined ? undefined : table.computed?.find((each) => each.name === name);
  const descriptor = own ?? computed;
  if (descriptor === undefined) {
    const exists = path.length === 0 ? embedded(column) : undefined;
    if (exists !== undefined && comparison.operator === 'is.null') return { kind: 'not', filter: exists };
    if (exists !== undefined && comparison.operator === 'is.notnull') return exists;
    throw unknownColumn(column, table);
  }
  const kind = kindAt(filterKind(descriptor.type), path);
  const operator = restOperator(comparison.operator, kind, descriptor.type.sql.name);
  if (operator === undefined) throw unfitOperator(comparison, kind, typeAt(descriptor.type, path));
  const compared = (values: readonly number[]): Filter => ({
    kind: 'compare',
    column: descriptor.name,
    ...(computed === undefined ? {} : { computed: true as const, ...given.field(computed.name) }),
    ...(path.length === 0 ? {} : { path }),
    operator: operator.id,
    values: values.map(textInput),
    ...(comparison.config === undefined ? {} : { config: textInput(comparison.config) }),
  });
  if (comparison.quantifier === undefined) return compared(comparison.values);
  return {
    kind: comparison.quantifier === 'any' ? 'or' : 'and',
    filters: comparison.values.map((value) => compared([value])),
  };
}

/**
 * Reads a column with its JSON path. If a column's name itself contains arrows or quotes, it takes
 * precedence.
 */
export function columnOf(text: string, table: Table): ColumnPath {
  return table.byRestName.has(text) ? { column: text, path: [] } : parseColumnPath(text, text);
}

function kindAt(kind: FilterKind, path: ColumnPath['path']): FilterKind {
  const last = path.at(-1);
  if (last === undefined) return kind;
  if (last.arrow === '->>') return 'text';
  return kind === 'json' ? 'json' : 'jsonb';
}

const typeAt = ({ sql }: ColumnType, path: ColumnPath['path']): Pick<ColumnType, 'sql'> => {
  const last = path.at(-1);
  return { sql: last === undefined ? sql : { name: last.arrow === '->>' ? 'text' : sql.name } };
};

const unfitOperator = (
  { column, operator }: Comparison,
  kind: FilterKind,
  type: Pick<ColumnType, 'sql'>,
): ServerError =>
  new ServerError(
    400,
    codes.unknownOperator,
    `Filter ${quoteName(column)}: \`${operator}\` does not apply to a column of type ${kind === 'searchable' ? 'text' : kind}.`,
    { hint: takenOperators(kind), reason: noOperator(operator, type) },
  );
