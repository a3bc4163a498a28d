import { sql } from 'kysely';
import type { QualifiedName } from '../../../catalog/catalog.js';
import type { Parameter } from '../../../plan/parameter.js';
import type { InsertPlan, RowsInput, TableWritePlan, TypedColumn, UpdatePlan } from '../../../plan/write/write-plan.js';
import { table, type Fragment } from '../sql.js';
import { json } from '../types.js';

/** A column whose values a function makes of JSON. */
export interface MadeColumn extends TypedColumn {
  readonly madeBy?: QualifiedName;
}

/**
 * In PostgREST's form, the values of a domain with a cast from JSON are given as JSON, whatever the
 * type below the domain.
 * Source: PostgREST, "Domain Representations".
 */
export function asRepresented(plan: TableWritePlan): TableWritePlan {
  if (plan.returning.style.isNative !== true) return plan;
  switch (plan.kind) {
    case 'insert': {
      const groups = plan.groups.map((group) => ({ ...group, columns: group.columns.map(asJson) }));
      return { ...plan, groups, input: inputOf(plan.input), ...cellsOf(plan, groups[0]?.columns ?? []) };
    }
    case 'update': {
      const columns = plan.columns.map(asJson);
      const input = plan.input === undefined ? {} : { input: inputOf(plan.input) };
      return { ...plan, columns, ...input, ...cellsOf(plan, columns) };
    }
    case 'replace':
      return { ...plan, columns: plan.columns.map(asJson), input: inputOf(plan.input) };
    default:
      return plan;
  }
}

function asJson<C extends TypedColumn>(column: C): C & MadeColumn {
  const madeBy = column.representation?.fromJson;
  return madeBy === undefined ? column : { ...column, type: json, madeBy };
}

const inputOf = (input: RowsInput): RowsInput =>
  input.as === 'json' ? input : { ...input, columns: input.columns.map(asJson) };

/** Each value of the only row has the type of its column. */
function cellsOf(
  { cells }: Pick<InsertPlan | UpdatePlan, 'cells'>,
  columns: readonly MadeColumn[],
): { readonly cells?: readonly Parameter[] } {
  if (cells === undefined) return {};
  return { cells: cells.map((cell, at) => (columns[at]?.madeBy === undefined ? cell : { ...cell, type: json })) };
}

/** The value of a column from the value that was given for it. */
export const made = (given: Fragment, column: MadeColumn | undefined): Fragment =>
  column?.madeBy === undefined ? given : sql`${table(column.madeBy)}(${given})`;
