import { includeKey } from '../descriptor/unique-keys.js';
import type { Registry, Table } from '../descriptor/registry.js';
import type { ServerError } from '../errors.js';
import { onceForEach } from '../once-for-each.js';
import type { Filter } from '../plan/intent.js';
import { knownRelation, relatedTable } from '../plan/read/columns.js';
import { quoted, unsupported } from '../plan/refuse.js';
import type { NestedRow } from '../plan/write/nested-write.js';
import { isNestedWrite, isRoutine, type RowsShape } from '../plan/write/write-intent.js';
import { rowsIn } from './hooks/before-write.js';
import type { BoundWrite } from './prepared-write.js';

/**
 * The first write of a request that MariaDB would keep although the request promises to undo it:
 * MyISAM and Aria do not roll back. One row that is written alone is undone by nothing, so that it
 * is allowed.
 * @param alone the request has no other write, and is no dry run
 */
export function keptWrite(
  writes: readonly BoundWrite[],
  alone: boolean,
  registry: Registry,
): { readonly at: number; readonly error: ServerError } | undefined {
  if (!hasKeptTables(registry)) return undefined;
  for (const [at, write] of writes.entries()) {
    const table = writtenTables(write, registry).find(({ transactional }) => transactional === false);
    if (table !== undefined && (!alone || mayBeUndone(write))) return { at, error: cannotUndo(table) };
  }
  return undefined;
}

const hasKeptTables = onceForEach(({ tables }: Registry): boolean =>
  tables.some(({ transactional }) => transactional === false),
);

/** The tables of a write, with those of rows inside its rows. A routine may write to any table. */
function writtenTables({ prepared: { intent }, inputs }: BoundWrite, registry: Registry): readonly Table[] {
  if (isRoutine(intent)) return [];
  if (isNestedWrite(intent))
    return [intent.table, ...intent.inside.rows(inputs).flatMap((row) => inside(row, registry))];
  return intent.kind === 'insert' ? [intent.table, ...nested(intent.table, intent, registry)] : [intent.table];
}

function inside({ relations }: NestedRow, registry: Registry): readonly Table[] {
  return relations.flatMap(({ relation, steps }) => {
    const rows = steps.flatMap((step): readonly NestedRow[] => {
      if (step.does === 'create') return step.rows;
      if (step.does === 'update') return [step.row];
      if (step.does === 'upsert') return [step.create, step.update];
      return step.does === 'connectOrCreate' ? [step.create] : [];
    });
    const tables = [relation.table, ...(relation.through === undefined ? [] : [relation.through.table])];
    return [
      ...tables.flatMap((name) => registry.table.get(name) ?? []),
      ...rows.flatMap((row) => inside(row, registry)),
    ];
  });
}

function nested(table: Table, { nested: all = [] }: RowsShape, registry: Registry): readonly Table[] {
  return all.flatMap((each) => {
    const other = relatedTable(knownRelation(table, each.relation), { registry });
    return [other, ...nested(other, each, registry)];
  });
}

/** Whether something that follows the first written row may refuse the whole write. */
function mayBeUndone({ prepared: { intent, program }, inputs, check }: BoundWrite): boolean {
  if (isRoutine(intent)) return false;
  if (program.kind === 'rows' && program.atMost?.(inputs) !== undefined) return true;
  if (isNestedWrite(intent)) {
    const [row, ...more] = intent.inside.rows(inputs);
    return more.length > 0 || (row !== undefined && row.relations.length > 0);
  }
  if (intent.kind !== 'insert') return check !== undefined && !isOfOneRow(intent.table, intent.where);
  return (
    (intent.nested ?? []).length > 0 || (intent.rows.cells === undefined && rowsIn(intent.rows, inputs).length > 1)
  );
}

/** Whether a filter has the values of a key: a check then fails only where no row was written. */
const isOfOneRow = (table: Table, where: Filter | undefined): boolean =>
  includeKey(table, new Set(equalColumns(where)));

function equalColumns(filter: Filter | undefined): readonly string[] {
  if (filter?.kind === 'and') return filter.filters.flatMap(equalColumns);
  const isPlain =
    filter?.kind === 'compare' &&
    filter.operator === 'eq' &&
    [filter.computed, filter.path, filter.of].every((part) => part === undefined);
  return isPlain ? [filter.column] : [];
}

const cannotUndo = ({ schema, name }: Table): ServerError =>
  unsupported(
    `The request promises to undo its writes, and the engine of the table ${quoted(`${schema}.${name}`)} has no transactions.`,
    'Nothing was written. Write one row in each request, without a limit of rows and without tx=rollback, or change the table: alter table … engine = InnoDB.',
  );
