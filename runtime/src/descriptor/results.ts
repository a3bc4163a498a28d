import type {
  ColumnDescriptor,
  CompositeDescriptor,
  FunctionDescriptor,
  ProcedureDescriptor,
  TableDescriptor,
} from './descriptor.js';
import { onceForEach } from '../once-for-each.js';
import { indexTable, type Registry, type Table } from './registry.js';

/** The one column of values that have no names of their own. */
export const valueColumn = 'value';

/**
 * The values that a function answers, as rows of a table: those of TABLE (…) have its columns,
 * others the column `value`. Undefined where they are not filtered.
 */
export function resultTable(
  { field, schema, name, inputs, returns, record }: FunctionDescriptor,
  composites: (type: string) => CompositeDescriptor | undefined,
): TableDescriptor | undefined {
  if (inputs === undefined || returns === undefined) return undefined;
  const attributes =
    record === true ? (composites(returns.composite ?? '')?.attributes ?? []) : [{ name: valueColumn, type: returns }];
  const columns = attributes.map((each): ColumnDescriptor => ({ ...each, nullable: true }));
  return { field, type: inputs, schema, name, kind: 'view', columns };
}

/** PostgREST's name for the value of a function that answers no columns. */
const scalarColumn = 'pgrst_scalar';

/**
 * What PostgREST's form calls: every function, or those that the configuration lists, with the
 * columns of their results.
 */
export const callableFunctions = ({ callable, functions, composites }: Registry): readonly FunctionDescriptor[] =>
  callable ??
  [...functions.values()].map((called) => {
    const columns = composites.get(called.returns?.composite ?? '')?.attributes;
    return called.returns?.kind !== 'composite' || columns === undefined ? called : { ...called, columns };
  });

/** A procedure as REST calls it: by the paths of functions, and never by GET. */
export const calledProcedure = (procedure: ProcedureDescriptor): FunctionDescriptor => {
  const { field, schema, name } = procedure;
  const given = procedure.arguments.filter(({ mode }) => mode !== 'out');
  return { field, operation: 'mutation', schema, name, arguments: given, procedure };
};

/** Whether a call is one of a procedure, also of one whose rows the configuration describes. */
export const isProcedure = ({ procedure, resultSet }: FunctionDescriptor): boolean =>
  procedure !== undefined || resultSet !== undefined;

/**
 * The result of a function in PostgREST's form, if it is no table's row: its columns, or its
 * value.
 */
export const calledRows = onceForEach(({ field, schema, name, returns, columns: own }: FunctionDescriptor): Table => {
  const value = returns === undefined ? [] : [{ name: scalarColumn, type: returns }];
  const columns = (own ?? value).map((each): ColumnDescriptor => ({ ...each, nullable: true }));
  return indexTable({ field, type: field, schema, name, kind: 'view', columns });
});

/** The columns that a procedure answers, as a table without a key. */
export function recordRows({ field, schema, name, returns }: FunctionDescriptor, { composites }: Registry): Table {
  const composite = composites.get(returns?.composite ?? '');
  if (composite === undefined) throw new TypeError(`${field} answers no columns.`);
  const found = records.get(composite);
  if (found !== undefined) return found;
  const columns = composite.attributes.map((each): ColumnDescriptor => ({ ...each, nullable: true }));
  const table = indexTable({ field: composite.type, type: composite.type, schema, name, kind: 'view', columns });
  records.set(composite, table);
  return table;
}

const records = new WeakMap<CompositeDescriptor, Table>();
const known = new WeakMap<FunctionDescriptor, Table>();

/** The same with its look-ups. */
export function resultRows(called: FunctionDescriptor, { composites }: Registry): Table | undefined {
  const found = known.get(called);
  if (found !== undefined) return found;
  const table = resultTable(called, (type) => composites.get(type));
  if (table === undefined) return undefined;
  const indexed = indexTable(table);
  known.set(called, indexed);
  return indexed;
}

/** The keys of the tables whose rows a function answers, in one result or in several. */
export const answeredTables = ({ table, sets = [] }: Pick<FunctionDescriptor, 'table' | 'sets'>): readonly string[] => [
  ...(table === undefined ? [] : [table]),
  ...sets.flatMap((set) => ('table' in set ? [set.table] : [])),
];
