import { keyOfValues } from '../../../exact-number.js';
import type { RelationDescriptor } from '../../../descriptor/descriptor.js';
import type { Value } from '../../../plan/intent.js';
import type {
  NestedInsert,
  OnConflict,
  RowsShape,
  RowsValue,
  WrittenColumn,
} from '../../../plan/write/write-intent.js';
import { fieldOf, writtenOf, type Registry, type Table } from '../../../descriptor/registry.js';
import type { ArgumentValue } from '../arguments/argument-value.js';
import { onConflictOf } from './conflict.js';
import { malformedParameter } from '../../../plan/refuse.js';

/** The columns of new values. */
export const writtenColumns = (table: Table, given: ArgumentValue): readonly WrittenColumn[] =>
  given.fields().flatMap(([name]) => {
    const column = writtenOf(table).byField.get(name);
    return column === undefined ? [] : [{ column: column.name, key: name }];
  });

/** One row, and where each of its values is. */
export function rowValue(given: ArgumentValue, columns: readonly WrittenColumn[]): RowsValue {
  const { read, form } = given.value();
  // A literal's parts are found where they are: putting the row together for each of them would be
  // as many times the work.
  const parts = given.parts === undefined ? undefined : new Map(given.fields());
  const cells = columns.map(
    ({ key }): Value =>
      parts?.get(key)?.value() ?? { read: (inputs) => (read(inputs) as Readonly<Record<string, unknown>>)[key], form },
  );
  return { read, form, cells };
}

/**
 * What rows to insert have: the union of their columns, which of them have which, and the rows
 * inside them. Source: decision 005. Throws ServerError 400 for a row that gives a foreign key
 * twice: as a column, as the row it refers to, or by the row around it.
 * @param around the relation through which the rows are given inside others
 */
export function rowsShapeOf(
  registry: Registry,
  table: Table,
  rows: readonly ArgumentValue[],
  around?: RelationDescriptor,
): RowsShape {
  const filled = around?.direction === 'reverse' ? around.references : [];
  const columns = new Map<string, WrittenColumn>();
  const keySets = new Map<string, readonly string[]>();
  const inside = new Map<string, { readonly relation: RelationDescriptor; readonly given: ArgumentValue[] }>();
  for (const row of rows) {
    const written = writtenColumns(table, row);
    for (const each of written) columns.set(each.column, each);
    const names = written.map(({ column }) => column);
    keySets.set([...names].sort().join('\0'), names);
    for (const [name, given] of row.fields()) {
      const relation = table.byField.has(name) ? undefined : table.relationsByName.get(name);
      if (relation === undefined || given.isNull) continue;
      refuseGivenTwice(table, relation, [...names, ...filled]);
      const group = inside.get(name) ?? { relation, given: [] };
      group.given.push(given);
      inside.set(name, group);
    }
  }
  const nested = [...inside.values()].flatMap(({ relation, given }) => nestedOf(registry, table, relation, given));
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
  throw malformedParameter(
    `${relation.name} gives ${column === undefined ? twice : fieldOf(column)}, which is given too.`,
    'Leave one of them out.',
  );
}

function nestedOf(
  registry: Registry,
  from: Table,
  relation: RelationDescriptor,
  given: readonly ArgumentValue[],
): readonly NestedInsert[] {
  const table = tableAt(registry, relation.table);
  const parts = given.map((each) => new Map(each.fields()));
  const rows = parts.flatMap((each) => each.get('data')?.items() ?? []);
  if (rows.length === 0) return [];
  const conflict = sharedConflict(registry, relation, table, parts);
  const shape = {
    ...rowsShapeOf(registry, table, rows, relation),
    ...(conflict === undefined ? {} : { onConflict: conflict }),
  };
  const { name } = relation;
  if (relation.through === undefined) return [{ key: name, relation: name, ...shape }];
  const { near, far } = junctionOf(registry, from, relation, relation.through);
  return [{ key: name, inner: far, relation: near, columns: [], nested: [{ key: far, relation: far, ...shape }] }];
}

function tableAt(registry: Registry, key: string): Table {
  const table = registry.table.get(key);
  if (table === undefined) throw new TypeError(`The table ${key} of a relation is not there.`);
  return table;
}

/**
 * Rows on the other side of a junction table are rows of the junction, each with a row of the other
 * side inside it. Answers the names of the relations that lead there: to the junction, and from it
 * to the other side.
 */
function junctionOf(
  registry: Registry,
  from: Table,
  { columns, references, table }: RelationDescriptor,
  through: NonNullable<RelationDescriptor['through']>,
): { readonly near: string; readonly far: string } {
  const near = from.relations?.find(
    (each) =>
      each.direction === 'reverse' &&
      each.table === through.table &&
      pairs(each.columns, each.references) === pairs(columns, through.columns),
  );
  const far = tableAt(registry, through.table).relations?.find(
    (each) =>
      each.direction === 'forward' &&
      each.table === table &&
      pairs(each.columns, each.references) === pairs(through.references, references),
  );
  if (near === undefined || far === undefined) throw new TypeError(`No relations lead along ${through.table}.`);
  return { near: near.name, far: far.name };
}

const pairs = (columns: readonly string[], references: readonly string[]): string =>
  JSON.stringify([columns, references]);

/** One statement inserts all rows of a relation, so `onConflict` has to be the same for all. */
function sharedConflict(
  registry: Registry,
  { name }: RelationDescriptor,
  table: Table,
  parts: readonly ReadonlyMap<string, ArgumentValue>[],
): OnConflict | undefined {
  const given = parts.map((each) => each.get('onConflict')).map((each) => (each?.isNull === true ? undefined : each));
  const [first] = given;
  const differs = given.some((each) => keyOfValues(each?.current()) !== keyOfValues(first?.current()));
  if (differs) {
    throw malformedParameter(`The rows differ in the onConflict of ${name}.`, 'Give the same one in every row.');
  }
  if (first === undefined) return undefined;
  if (given.length > 1 && first.fields().some(([part]) => part === 'where')) {
    throw malformedParameter(
      `onConflict of ${name} has a where, in more than one row.`,
      'Insert those rows one by one.',
    );
  }
  return onConflictOf(registry, table, first);
}
