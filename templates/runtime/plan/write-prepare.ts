import { objectText } from '../session/write-tree.js';
import type { InsertTree, RowsProgram, WriteProgram } from '../session/write-program.js';
import type { ReadBackPlan, ReturningPlan, UpdatePlan } from '../statement/write-plan.js';
import { compileReadBackStatement, compileWriteStatement } from '../statement/write-compile.js';
import type { Slot, Statement } from '../session/statement.js';
import type { Table } from '../registry.js';
import type { PlanContext } from './context.js';
import type { Value } from './intent.js';
import { writesOneRow } from './one-row.js';
import { keyColumns } from './orders.js';
import { readCount } from './values.js';
import { looksBeyondRow, planDelete, planInsert, planReadBack, planReturning, planUpdate } from './write.js';
import { prepareCall } from './write-call.js';
import type { InsertIntent, Returning, UpdateIntent, WriteIntent, WrittenColumn } from './write-intent.js';
import { plainRowsWriter } from './write-plain.js';
import { cellParameters, malformedRow, rowEncoder } from './write-rows.js';
import { prepareTree } from './write-tree.js';

/**
 * Write intent → the statements it takes. Pure; callers keep the result by the request's shape.
 * @throws ServerError 400 for names that are not there, columns that can't be written, operators a column does not take
 */
export function prepareWrite(intent: WriteIntent, context: PlanContext): WriteProgram {
  switch (intent.kind) {
    case 'call':
      return prepareCall(intent, context);
    case 'insert':
      return prepareInsert(intent, context);
    case 'update':
    case 'delete': {
      const { statement, readBack } = prepareOne(intent, context);
      return { kind: 'rows', statement, ...readBack, ...bounds(intent), ...extent(intent) };
    }
  }
}

/** `Services.prepareWrite`. */
export const createPrepareWrite =
  (context: PlanContext) =>
  (intent: WriteIntent): WriteProgram =>
    prepareWrite(intent, context);

type RowsIntent = Exclude<WriteIntent, { kind: 'call' }>;
type ReadBack = Pick<RowsProgram, 'readBack'>;

function prepareOne(intent: RowsIntent, context: PlanContext): { statement: Statement; readBack: ReadBack } {
  const { table, dialect, returning } = intent;
  // What is deleted is gone afterwards: its relations are as the statement found them.
  const plan = intent.kind === 'delete' ? undefined : readBackOf(returning, intent, context);
  const own =
    plan === undefined
      ? planReturning(returning, table, dialect, context, keysWanted(returning, intent))
      : readBackKeys(returning, plan);
  const statement = compileWriteStatement(planOne(intent, own, context), context);
  return { statement, readBack: plan === undefined ? {} : { readBack: compileReadBackStatement(plan, context) } };
}

const readBackOf = (returning: Returning, { table, dialect }: RowsIntent, context: PlanContext) =>
  looksBeyondRow(returning) ? planReadBack(returning, table, dialect, context) : undefined;

const keysWanted = (returning: Returning, { table }: RowsIntent): readonly string[] | undefined =>
  returning.keys === true ? keyColumns(table) : undefined;

/** The write answers keys only; what is selected is read back. */
const readBackKeys = ({ as, format }: Returning, plan: ReadBackPlan): ReturningPlan => ({
  keys: plan.key.map(({ name }) => name),
  as,
  format,
  style: plan.style,
});

function planOne(intent: RowsIntent, returning: ReturningPlan, context: PlanContext) {
  switch (intent.kind) {
    case 'delete':
      return planDelete(intent, returning, context);
    case 'update':
      return planUpdate(intent, newValues(intent, context), returning, context);
    case 'insert': {
      const { table, onConflict, dialect } = intent;
      // Only REST has a status for it.
      const countsCreated = dialect === 'rest';
      const input = listSlot(intent, context);
      const { cells: given } = intent.rows;
      const cells =
        given === undefined || given.length === 0
          ? {}
          : { cells: cellParameters(intent.columns, given, table, context) };
      const parts = { table, shape: intent, filled: [], onConflict, input, ...cells, returning, countsCreated };
      return planInsert(parts, context);
    }
  }
}

function prepareInsert(intent: InsertIntent, context: PlanContext): RowsProgram {
  if (intent.nested === undefined || intent.nested.length === 0) {
    const { statement, readBack } = prepareOne(intent, context);
    return { kind: 'rows', statement, ...readBack, ...bounds(intent), ...extent(intent) };
  }
  const plan = planReadBack(intent.returning, intent.table, intent.dialect, context);
  const own = plan === undefined ? undefined : readBackKeys(intent.returning, plan);
  const returning =
    own ?? planReturning(intent.returning, intent.table, intent.dialect, context, keysWanted(intent.returning, intent));
  const tree: InsertTree = prepareTree(
    { table: intent.table, shape: intent, filled: [], onConflict: intent.onConflict, returning },
    context,
  );
  const rows = (inputs: unknown): readonly object[] => listOf(intent.rows.read(inputs));
  const readBack = plan === undefined ? {} : { readBack: compileReadBackStatement(plan, context) };
  return { kind: 'rows', tree: { ...tree, rows }, ...readBack, ...bounds(intent) };
}

const extent = (intent: RowsIntent): Pick<RowsProgram, 'oneRow'> =>
  intent.kind !== 'delete' && writesOneRow(intent) ? { oneRow: true } : {};

function bounds({ atMost, returning }: RowsIntent): Pick<RowsProgram, 'atMost' | 'empty'> {
  const empty = returning.select === undefined ? null : returning.as === 'one' ? 'null' : '[]';
  return atMost === undefined ? { empty } : { empty, atMost: (inputs) => most(atMost, inputs) };
}

function most(atMost: Value, inputs: unknown): number | undefined {
  const given = readCount(atMost, inputs, 'atMost');
  return given === null ? undefined : Number(given);
}

/** All rows as one JSON parameter. */
function listSlot(intent: InsertIntent, context: PlanContext): Slot {
  const { rows, table, columns } = intent;
  if (rows.form === 'text') return { bind: (inputs) => rows.read(inputs) as string };
  const encode = rowEncoder(columns, table, context);
  const writePlain = plainRowsWriter(columns, table, context);
  return {
    bind: (inputs) => {
      const list = listOf(rows.read(inputs));
      return writePlain(list) ?? `[${list.map((row) => objectText(encode(row))).join(',')}]`;
    },
  };
}

function newValues(intent: UpdateIntent, context: PlanContext): Pick<UpdatePlan, 'input' | 'cells'> {
  const { set, table, columns } = intent;
  if (set === undefined) return {};
  return set.cells === undefined
    ? { input: objectSlot(set, columns, table, context) }
    : { cells: cellParameters(columns, set.cells, table, context) };
}

function objectSlot(set: Value, columns: readonly WrittenColumn[], table: Table, context: PlanContext): Slot {
  if (set.form === 'text') return { bind: (inputs) => set.read(inputs) as string };
  const encode = rowEncoder(columns, table, context);
  return { bind: (inputs) => objectText(encode(asRow(set.read(inputs)))) };
}

function listOf(given: unknown): readonly object[] {
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  return list.map(asRow);
}

function asRow(given: unknown): object {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given;
  throw malformedRow('A row has to be an object with its columns.');
}
