import type {
  ColumnType,
  CompositeDescriptor,
  FunctionDescriptor,
  ProcedureDescriptor,
  TableDescriptor,
  ValueType,
} from '../descriptor/descriptor.js';
import type { Descriptors } from '../descriptor/registry.js';
import { aggregateFunctions, aggregateType } from '../plan/aggregates.js';
import { lengthFilterType } from './filter-shape.js';
import {
  hasOwnFilter,
  inputType,
  outputType,
  sharedFilterName,
  withParts,
  type GraphQLTypeUse,
} from './graphql-type.js';
import { compareText } from '../compare-text.js';

/** A range's object type and input, shared by all columns of ranges over the same scalar. */
export interface RangeModel {
  /** `IntRange`; its input is `IntRangeInput`. */
  readonly name: string;
  readonly bound: GraphQLTypeUse;
  readonly boundInput: GraphQLTypeUse;
}

/** A filter input. Those of enums belong to one column, the others are shared. */
export interface FilterModel {
  readonly name: string;
  /** The key of the table it is emitted with; null: shared. */
  readonly table: string | null;
  /** The compared type; the first one if several columns share the filter. */
  readonly type: ValueType;
  /** The ids of the operators that the database has. */
  readonly operators: ReadonlySet<string>;
}

/** The types that tables share and that are in use: by a column, an argument, or a type in use. */
export interface SharedTypes {
  readonly ranges: readonly RangeModel[];
  readonly filters: readonly FilterModel[];
  /** The GraphQL names of enums and composites in use. */
  readonly named: ReadonlySet<string>;
}

/** @param operators the ids of the operators that the database has */
export function sharedTypes(
  { tables, procedures = [], functions = [], composites: all = [] }: Descriptors,
  operators: ReadonlySet<string>,
): SharedTypes {
  const composites = new Map(all.map((each) => [each.type, each]));
  const used = new Map<string, ColumnType>();
  const named = new Set<string>();
  // Columns of generated code share the objects of their types.
  const visited = new Set<ColumnType>();
  const visit = (type: ColumnType): void => {
    if (visited.has(type)) return;
    visited.add(type);
    for (const part of withParts(type)) {
      const key = JSON.stringify(part);
      if (used.has(key)) continue;
      used.set(key, part);
      named.add(part.enum ?? part.composite ?? '');
      for (const attribute of composites.get(part.composite ?? '')?.attributes ?? []) visit(attribute.type);
    }
  };
  for (const type of [...tables.flatMap(typesOfTable), ...[...procedures, ...functions].flatMap(typesOfRoutine)])
    visit(type);
  return {
    named,
    ranges: rangesOf([...used.values()]),
    filters: filtersOf(tables, functions.flatMap(filteredTypes(composites)), operators),
  };
}

function typesOfTable({ columns, computed = [] }: TableDescriptor): readonly ColumnType[] {
  const given = computed.flatMap((each) => each.arguments ?? []);
  return [...columns, ...computed, ...given].map(({ type }) => type);
}

function typesOfRoutine({
  arguments: given,
  returns,
}: ProcedureDescriptor | FunctionDescriptor): readonly ColumnType[] {
  return [...given.map((argument) => argument.type), ...(returns === undefined ? [] : [returns])];
}

function rangesOf(types: readonly ColumnType[]): readonly RangeModel[] {
  const ranges = new Map<string, RangeModel>();
  for (const type of types) {
    if (type.kind !== 'range' || type.element === undefined) continue;
    const { name } = outputType(type);
    ranges.set(name, { name, bound: outputType(type.element), boundInput: inputType(type.element) });
  }
  return [...ranges.values()].sort((a, b) => compareText(a.name, b.name));
}

/** The types that a function's list of values is filtered by. */
const filteredTypes =
  (composites: ReadonlyMap<string, CompositeDescriptor>) =>
  ({ inputs, returns, record }: FunctionDescriptor): readonly ColumnType[] => {
    if (inputs === undefined || returns === undefined) return [];
    const columns = composites.get(returns.composite ?? '')?.attributes ?? [];
    return record === true ? columns.map(({ type }) => type) : [returns];
  };

/** The filters of columns, of the array lengths in them, and of what `having` compares. */
function filtersOf(
  tables: readonly TableDescriptor[],
  results: readonly ColumnType[],
  operators: ReadonlySet<string>,
): readonly FilterModel[] {
  const filters = new Map<string, FilterModel>();
  const add = (name: string, type: ValueType, table: string | null): void => {
    if (!filters.has(name)) filters.set(name, { name, type, table, operators });
    if (type.kind === 'array') add(sharedFilterName(lengthFilterType), lengthFilterType, null);
  };
  // What aggregates compare, where it is no type of a column.
  const addResults = (type: ValueType): void => {
    for (const name of aggregateFunctions) {
      const result = aggregateType(name, type);
      if (result !== undefined && result.kind !== 'enum') add(sharedFilterName(result), result, null);
    }
  };
  for (const table of tables) {
    for (const { type, filter } of table.columns) {
      add(filter ?? sharedFilterName(type), type, filter === undefined ? null : table.field);
      addResults(type);
    }
    for (const { type, inputs } of table.computed ?? []) {
      if (inputs === undefined) add(sharedFilterName(type), type, null);
      addResults(type);
    }
    add(sharedFilterName(lengthFilterType), lengthFilterType, null);
  }
  for (const type of results) if (!hasOwnFilter(type)) add(sharedFilterName(type), type, null);
  return [...filters.values()].sort((a, b) => compareText(a.name, b.name));
}
