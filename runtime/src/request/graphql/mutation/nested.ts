import { isRecord } from '../../../is-record.js';
import { fieldOf, writtenOf, type Registry, type Table } from '../../../descriptor/registry.js';
import type { NestedWrite } from '../../../plan/write/nested-write.js';
import type { WrittenColumn } from '../../../plan/write/write-intent.js';
import type { ArgumentValue } from '../arguments/argument-value.js';
import { writtenColumns } from './rows.js';
import { NestedRows, type NestedNames } from '../../nested-rows.js';
import { malformedParameter } from '../../../plan/refuse.js';

const names: NestedNames = {
  column: (table, name) => writtenOf(table).byField.get(name),
  relation: (table, name) => table.relationsByName.get(name),
  nameOf: fieldOf,
  refuse: malformedParameter,
};

/**
 * New rows with rows inside that are there already. They are checked here, before anything is
 * written.
 */
export function createdInside(
  registry: Registry,
  table: Table,
  given: ArgumentValue,
  conflict: ArgumentValue | undefined,
): NestedWrite {
  const rows = new NestedRows(registry, names);
  const read = (value: unknown) =>
    (Array.isArray(value) ? (value as readonly unknown[]) : [value]).map((each) => rows.created(table, each));
  const { read: readRows } = given.value();
  const readConflict = conflict?.value().read;
  return {
    relations: [],
    rows: (inputs) => read(readRows(inputs)),
    ...(readConflict === undefined ? {} : { conflict: (inputs) => rows.conflict(table, readConflict(inputs)) }),
  };
}

/** Rows inside the row of an update; undefined: there are none. */
export function updatedInside(registry: Registry, table: Table, input: ArgumentValue): NestedWrite | undefined {
  const relations = input.fields().flatMap(([name, value]) => {
    if (table.byField.has(name) || !table.relationsByName.has(name)) return [];
    return isRecord(value.current()) ? [name] : [];
  });
  if (relations.length === 0) return undefined;
  const rows = new NestedRows(registry, names);
  const { read } = input.value();
  return { relations, rows: (inputs) => [rows.updated(table, read(inputs))] };
}

/** The columns that any of the rows has. */
export function columnsIn(table: Table, given: ArgumentValue): readonly WrittenColumn[] {
  const columns = given.items().flatMap((row) => writtenColumns(table, row));
  return [...new Map(columns.map((column) => [column.column, column])).values()];
}

/**
 * Whether rows to insert have more inside them than new rows: then they are written one by one, in
 * order.
 */
export function hasOtherWrites(table: Table, given: unknown, registry: Registry): boolean {
  return listOf(given).some(
    (row) =>
      isRecord(row) &&
      Object.entries(row).some(([name, value]) => {
        const relation = table.byField.has(name) ? undefined : table.relationsByName.get(name);
        const other = relation === undefined ? undefined : registry.table.get(relation.table);
        if (other === undefined || !isRecord(value)) return false;
        if (isGiven(value['connect']) || isGiven(value['connectOrCreate'])) return true;
        return isGiven(value['data']) && hasOtherWrites(other, value['data'], registry);
      }),
  );
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

const listOf = (given: unknown): readonly unknown[] => (Array.isArray(given) ? given : [given]);
