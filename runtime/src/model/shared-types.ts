import type { ColumnType, ValueType } from '../descriptor/descriptor.js';
import { aggregateFunctions, aggregateType } from '../plan/aggregates.js';
import { lengthFilterType } from '../schema/filter-shape.js';
import { hasOwnFilter, inputType, outputType, sharedFilterName, withParts } from '../schema/graphql-type.js';
import type {
  CompositeModel,
  EnumModel,
  FilterModel,
  FunctionModel,
  ProcedureModel,
  RangeModel,
  TableModel,
} from './model.js';
import { compareText } from './names.js';

interface UserTypes {
  readonly enums: readonly EnumModel[];
  readonly composites: readonly CompositeModel[];
}

export interface UsedTypes extends UserTypes {
  readonly ranges: readonly RangeModel[];
  readonly filters: readonly FilterModel[];
}

/** Of the types that tables share, those in use: by a column, an argument, or a type in use. */
export function sharedTypes(
  tables: readonly TableModel[],
  procedures: readonly ProcedureModel[],
  functions: readonly FunctionModel[],
  all: UserTypes,
  operators: ReadonlySet<string>,
): UsedTypes {
  const composites = new Map(all.composites.map((each) => [each.descriptor.type, each]));
  const used = new Map<string, ColumnType>();
  const usedNames = new Set<string>();
  const visit = (type: ColumnType): void => {
    for (const part of withParts(type)) {
      const key = JSON.stringify(part);
      if (used.has(key)) continue;
      used.set(key, part);
      usedNames.add(part.enum ?? part.composite ?? '');
      for (const attribute of composites.get(part.composite ?? '')?.descriptor.attributes ?? []) visit(attribute.type);
    }
  };
  for (const type of [...tables.flatMap(typesOfTable), ...[...procedures, ...functions].flatMap(typesOfRoutine)])
    visit(type);
  return {
    enums: all.enums.filter((each) => usedNames.has(each.descriptor.type)),
    composites: all.composites.filter((each) => usedNames.has(each.descriptor.type)),
    ranges: rangesOf([...used.values()]),
    filters: filtersOf(tables, functions.flatMap(filteredTypes(composites)), operators),
  };
}

function typesOfTable(table: TableModel): readonly ColumnType[] {
  const { columns, computed = [] } = table.descriptor;
  const given = computed.flatMap((each) => each.arguments ?? []);
  return [...columns, ...computed, ...given].map(({ type }) => type);
}

function typesOfRoutine({ descriptor }: ProcedureModel | FunctionModel): readonly ColumnType[] {
  return [
    ...descriptor.arguments.map((argument) => argument.type),
    ...(descriptor.returns === undefined ? [] : [descriptor.returns]),
  ];
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
  (composites: ReadonlyMap<string, CompositeModel>) =>
  ({ descriptor: { inputs, returns, record } }: FunctionModel): readonly ColumnType[] => {
    if (inputs === undefined || returns === undefined) return [];
    const columns = composites.get(returns.composite ?? '')?.descriptor.attributes ?? [];
    return record === true ? columns.map(({ type }) => type) : [returns];
  };

/** The filters of columns, of the array lengths in them, and of what `having` compares. */
function filtersOf(
  tables: readonly TableModel[],
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
    for (const column of table.columns) {
      const { type } = column.descriptor;
      const shared = !hasOwnFilter(type);
      add(column.filter, type, shared ? null : table.descriptor.field);
      addResults(type);
    }
    for (const { type, inputs } of table.descriptor.computed ?? []) {
      if (inputs === undefined) add(sharedFilterName(type), type, null);
      addResults(type);
    }
    add(sharedFilterName(lengthFilterType), lengthFilterType, null);
  }
  for (const type of results) if (!hasOwnFilter(type)) add(sharedFilterName(type), type, null);
  return [...filters.values()].sort((a, b) => compareText(a.name, b.name));
}
