import { isRecord } from '../../../is-record.js';
import type { Registry, Table } from '../../../descriptor/registry.js';

/** The table that an input type writes: `<T>CreateInput` and `<T>UpdateInput` of decision 001. */
export function writtenTable(inputType: string, registry: Registry): Table | undefined {
  const suffix = suffixes.find((each) => inputType.endsWith(each));
  return suffix === undefined ? undefined : registry.tableByType.get(inputType.slice(0, -suffix.length));
}

const suffixes = ['CreateInput', 'UpdateInput'] as const;

/**
 * The shape of a row that is written: which columns it has, and the shapes of the rows inside it.
 * No value of a column is in the SQL. `{title: "x", kanbanComments: {data: [{body: "y"}, {body:
 * "z"}]}}` → `{title,kanbanComments:[{body}]}`
 */
export function rowShape(row: unknown, table: Table, registry: Registry): string {
  if (!isRecord(row)) return 'n';
  const members = Object.entries(row).map(([name, value]) => {
    const relation = table.byField.has(name) ? undefined : table.relationsByName.get(name);
    const other = relation === undefined ? undefined : registry.table.get(relation.table);
    return other === undefined ? name : `${name}:${insideShape(value, other, registry)}`;
  });
  return `{${members.join()}}`;
}

/**
 * Many rows of equal shape are as one: the statement for two rows is the one for two thousand. A
 * row of columns alone that has the keys of the one before has its shape, too.
 */
export function rowsShape(rows: readonly unknown[], table: Table, registry: Registry): string {
  const shapes = new Set<string>();
  let last: readonly string[] | undefined;
  for (const row of rows) {
    const names = isRecord(row) ? Object.keys(row) : undefined;
    if (names !== undefined && last !== undefined && haveEqualNames(names, last)) continue;
    shapes.add(rowShape(row, table, registry));
    last = names?.every((name) => table.byField.has(name)) === true ? names : undefined;
  }
  return `[${[...shapes].join()}]`;
}

function haveEqualNames(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((name, at) => name === others[at]);
}

function insideShape(nested: unknown, table: Table, registry: Registry): string {
  if (!isRecord(nested)) return 'n';
  const { data, onConflict } = nested;
  const rows = Array.isArray(data) ? rowsShape(data, table, registry) : rowShape(data, table, registry);
  const shape = onConflict === undefined ? rows : `${rows}${JSON.stringify(onConflict)}`;
  const others = Object.keys(nested).filter((name) => name !== 'data' && name !== 'onConflict');
  // What else is done with rows inside is found when it is done: only that there is some decides
  // how.
  return others.length === 0 ? shape : `${shape}!${others.filter((name) => isThere(nested[name])).join('!')}`;
}

const isThere = (given: unknown): boolean => given !== undefined && given !== null;
