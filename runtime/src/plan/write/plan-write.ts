import type {
  ReadBackPlan,
  ReturningPlan,
  TableWritePlan,
  RowsWritePlan,
  TreeWritePlan,
  UpdatePlan,
  WritePlan,
} from './write-plan.js';
import type { Table } from '../../descriptor/registry.js';
import { styleOf, tableName, type PlanContext } from '../context.js';
import type { Value } from '../intent.js';
import { planTouched } from '../read/filters.js';
import { isUnread } from '../read/columns.js';
import { csvHeader, noFeatures } from '../read/format.js';
import { keyColumns } from '../read/orders.js';
import { shownSelections } from '../read/read.js';
import { readCount } from '../values.js';
import {
  looksBeyondRow,
  planDelete,
  planInsert,
  planReadBack,
  planReplace,
  planReturning,
  planUpdate,
} from './table-writes.js';
import { shownKeyOf } from '../../descriptor/unique-keys.js';
import { planProcedure } from './call.js';
import { planFunction } from './function.js';
import type {
  InsertIntent,
  NestedWriteIntent,
  Returning,
  RoutineIntent,
  UpdateIntent,
  WriteIntent,
} from './write-intent.js';
import { cellParameters, listInput, objectInput, rowsIn } from './rows.js';
import { planTree } from './tree.js';

/**
 * Write intent → WritePlan. Pure; callers cache the compiled statement by the request's shape.
 * @throws ServerError 400 for names that are not there, columns that can't be written, operators a
 * column does not take
 */
export function planWrite(intent: WriteIntent, context: PlanContext): WritePlan {
  if (intent.kind === 'call') return planProcedure(intent, context);
  if (intent.kind === 'function') return planFunction(intent, context);
  if (intent.kind === 'insert' && (intent.nested ?? []).length > 0) return planNested(intent, context);
  return planRows(intent, context, (own) => planOne(intent, own, context));
}

/**
 * An update and an insert of the same row as one statement: the row is updated, and only where
 * there is none it is inserted.
 */
export function planReplacing(update: UpdateIntent, insert: InsertIntent, context: PlanContext): WritePlan {
  const input = listInput(insert.rows, insert.columns, insert.table, context);
  return planRows(insert, context, (own) => planReplace(update, insert, input, own, context));
}

/**
 * The columns that find the row of a nested update, and the answer of a nested write. An insert
 * finds no row.
 * @param wanted columns of the row that is found
 */
export function planNestedWrite(
  intent: NestedWriteIntent,
  wanted: readonly string[],
  context: PlanContext,
): RowsWritePlan {
  const { table, form, returning } = intent;
  const readBack = planReadBack(returning, table, form, context);
  const where = intent.kind === 'update' ? intent.where : undefined;
  const found: ReturningPlan = { keys: wanted, as: 'list', format: 'json', style: styleOf(form, context) };
  return {
    kind: 'rows',
    write: {
      kind: 'find',
      table: tableName(table),
      ...planTouched(where, table, context),
      lock: true,
      atMost: 2,
      returning: found,
    },
    ...(readBack === undefined ? {} : { readBack }),
    ...bounds(intent, context),
  };
}

type RowsIntent = Exclude<WriteIntent, RoutineIntent>;

function planRows(
  intent: RowsIntent,
  context: PlanContext,
  planned: (own: ReturningPlan) => TableWritePlan,
): RowsWritePlan {
  const { table, form, returning } = intent;
  // Deleted rows are gone afterwards: their relations are as the statement found them.
  const readBack = intent.kind === 'delete' ? undefined : readBackOf(returning, intent, context);
  const own =
    readBack === undefined
      ? planReturning(returning, table, form, context, keysWanted(returning, intent, context))
      : readBackKeys(returning, readBack);
  return {
    kind: 'rows',
    write: planned(own),
    ...(readBack === undefined ? {} : { readBack }),
    ...bounds(intent, context),
  };
}

/**
 * Written rows are read again if triggers or rules may have changed them after the write, and if
 * the caller may not read all rows: the condition may hide them, unless it is the one by which
 * written rows are checked.
 */
const readBackOf = (returning: Returning, intent: RowsIntent, context: PlanContext) =>
  looksBeyondRow(returning) || isChangedAfter(intent) || mayHide(intent.table, context)
    ? planReadBack(returning, intent.table, intent.form, context)
    : undefined;

function mayHide(table: Table, { rowFilter }: PlanContext): boolean {
  const readable = rowFilter?.condition(table);
  return readable !== undefined && readable !== rowFilter?.written(table);
}

function isChangedAfter(intent: RowsIntent): boolean {
  const { changedAfter = [] } = intent.table;
  const merges = intent.kind === 'insert' && intent.onConflict?.action === 'update';
  return changedAfter.includes(intent.kind) || (merges && changedAfter.includes('update'));
}

function keysWanted(
  returning: Returning,
  { table, form }: RowsIntent,
  context: PlanContext,
): readonly string[] | undefined {
  if (returning.keys !== true) return undefined;
  const key = form.returnedKey === 'ofShownTables' ? shownKeyOf(table) : keyColumns(table, context);
  return key?.some((name) => isUnread(table, name, context)) === true ? undefined : key;
}

/** The write returns keys only; the selection is read afterwards. */
const readBackKeys = ({ as }: Returning, plan: ReadBackPlan): ReturningPlan => ({
  keys: plan.key.map(({ name }) => name),
  as,
  format: plan.format,
  style: plan.style,
});

function planOne(intent: RowsIntent, returning: ReturningPlan, context: PlanContext): TableWritePlan {
  switch (intent.kind) {
    case 'delete':
      return planDelete(intent, returning, context);
    case 'update':
      return planUpdate(intent, newValues(intent, context), returning, context);
    case 'insert': {
      const { table, onConflict, form, rows, columns } = intent;
      // Only REST has a status for it.
      const countsCreated = form.protocol !== 'graphql';
      const input = listInput(rows, columns, table, context);
      const { cells: given = [] } = rows;
      const cells = given.length === 0 ? {} : { cells: cellParameters(columns, given, table, context) };
      const parts = { table, shape: intent, filled: [], onConflict, input, ...cells, returning, countsCreated };
      return planInsert(parts, context);
    }
  }
}

function newValues({ set, table, columns }: UpdateIntent, context: PlanContext): Pick<UpdatePlan, 'input' | 'cells'> {
  if (set === undefined) return {};
  return set.cells === undefined
    ? { input: objectInput(set, columns, table, context) }
    : { cells: cellParameters(columns, set.cells, table, context) };
}

function planNested(intent: InsertIntent, context: PlanContext): TreeWritePlan {
  const { table, form, returning: wanted, rows, onConflict } = intent;
  const readBack = planReadBack(wanted, table, form, context);
  const returning =
    readBack === undefined
      ? planReturning(wanted, table, form, context, keysWanted(wanted, intent, context))
      : readBackKeys(wanted, readBack);
  return {
    kind: 'tree',
    rows: (inputs) => rowsIn(rows, inputs),
    tree: planTree({ table, shape: intent, filled: [], onConflict, returning }, context),
    ...(readBack === undefined ? {} : { readBack }),
    ...bounds(intent, context),
  };
}

function bounds(intent: RowsIntent, context: PlanContext): Pick<RowsWritePlan, 'atMost' | 'empty'> {
  const { atMost } = intent;
  const empty = emptyAnswer(intent, context);
  return atMost === undefined ? { empty } : { empty, atMost: (inputs) => most(atMost, inputs) };
}

/**
 * The answer where nothing was written, which is that of a read without rows; null where the client
 * asks for none.
 */
export function emptyAnswer(
  { returning, table }: Pick<RowsIntent, 'returning' | 'table'>,
  context: PlanContext,
): string | null {
  const { select, as, format } = returning;
  if (select === undefined) return null;
  if (format === 'csv') return csvHeader(shownSelections(select, table, context));
  if (format === 'geojson') return noFeatures;
  // What an aggregate says of no rows, only the database knows.
  if (typeof format === 'object') return '';
  return as === 'one' ? 'null' : '[]';
}

function most(atMost: Value, inputs: unknown): number | undefined {
  const given = readCount(atMost, inputs, 'atMost');
  return given === null ? undefined : Number(given);
}
