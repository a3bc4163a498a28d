import type { RelationDescriptor } from '../../descriptor.js';
import type { NestedInsert, OnConflict, RowsShape, WrittenColumn } from '../../plan/write-intent.js';
import { fieldOf, type Registry, type Table } from '../../registry.js';
import type { Given } from './given.js';
import { onConflictOf } from './mutation-conflict.js';
import { refusedArgument } from './refusal.js';

/** The columns of new values. */
export const writtenColumns = (table: Table, given: Given): readonly WrittenColumn[] =>
  given.fields().flatMap(([name]) => {
    const column = table.byField.get(name);
    return column === undefined ? [] : [{ column: column.name, key: name }];
  });

/**
 * What rows to insert have: the union of their columns, which of them have which, and the rows inside them. Source: decisions 5.
 * Throws ServerError 400 for a row that gives a foreign key twice: as a column, and as the row it refers to.
 */
export function rowsShapeOf(registry: Registry, table: Table, rows: readonly Given[]): RowsShape {
  const columns = new Map<string, WrittenColumn>();
  const keySets = new Map<string, readonly string[]>();
  const inside = new Map<string, { readonly relation: RelationDescriptor; readonly given: Given[] }>();
  for (const row of rows) {
    const written = writtenColumns(table, row);
    for (const each of written) columns.set(each.column, each);
    const names = written.map(({ column }) => column);
    keySets.set([...names].sort().join('\0'), names);
    for (const [name, given] of row.fields()) {
      const relation = table.byField.has(name) ? undefined : table.relationsByName.get(name);
      if (relation === undefined || given.isNull) continue;
      refuseGivenTwice(table, relation, names);
      const group = inside.get(name) ?? { relation, given: [] };
      group.given.push(given);
      inside.set(name, group);
    }
  }
  const nested = [...inside.values()].flatMap(({ relation, given }) => nestedOf(registry, relation, given));
  return {
    columns: [...columns.values()],
    ...(keySets.size > 1 ? { keySets: [...keySets.values()] } : {}),
    ...(nested.length === 0 ? {} : { nested }),
  };
}

function refuseGivenTwice(table: Table, relation: RelationDescriptor, written: readonly string[]): void {
  const twice = relation.direction === 'forward' ? relation.columns.find((name) => written.includes(name)) : undefined;
  if (twice === undefined) return;
  const column = table.byName.get(twice);
  throw refusedArgument(
    `${relation.name} gives ${column === undefined ? twice : fieldOf(column)}, which is given too.`,
    'Leave one of them out.',
  );
}

function nestedOf(registry: Registry, relation: RelationDescriptor, given: readonly Given[]): readonly NestedInsert[] {
  const table = registry.table.get(relation.table);
  if (table === undefined) throw new TypeError(`${relation.name} leads to ${relation.table}, which is not there.`);
  const parts = given.map((each) => new Map(each.fields()));
  const rows = parts.flatMap((each) => each.get('data')?.items() ?? []);
  if (rows.length === 0) return [];
  const conflict = sharedConflict(registry, relation, table, parts);
  return [
    {
      key: relation.name,
      relation: relation.name,
      ...rowsShapeOf(registry, table, rows),
      ...(conflict === undefined ? {} : { onConflict: conflict }),
    },
  ];
}

/** All rows of a relation are inserted by one statement, so what is done on conflict is the same for all. */
function sharedConflict(
  registry: Registry,
  { name }: RelationDescriptor,
  table: Table,
  parts: readonly ReadonlyMap<string, Given>[],
): OnConflict | undefined {
  const given = parts.map((each) => each.get('onConflict')).map((each) => (each?.isNull === true ? undefined : each));
  const [first] = given;
  const differs = given.some((each) => JSON.stringify(each?.current()) !== JSON.stringify(first?.current()));
  if (differs) {
    throw refusedArgument(`The rows differ in the onConflict of ${name}.`, 'Give the same one in every row.');
  }
  if (first === undefined) return undefined;
  if (given.length > 1 && first.fields().some(([part]) => part === 'where')) {
    throw refusedArgument(`onConflict of ${name} has a where, in more than one row.`, 'Insert those rows one by one.');
  }
  return onConflictOf(registry, table, first);
}
