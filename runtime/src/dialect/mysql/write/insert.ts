import type { InsertGroup, InsertPlan } from '../../../plan/write/write-plan.js';
import type { RawRow } from '../../../plan/statement.js';
import type { AloneStatement, Steps } from '../../../plan/write-program.js';
import { slotOf } from '../parameters/parameter.js';
import type { Types } from '../read/scope.js';
import { answerOf, shownRows } from './answer.js';
import { insertAndRead } from './insert-and-read.js';
import { insertGroup, type InsertRows, type InsertStatement, type PlacedRow, type WrittenRow } from './insert-group.js';
import { belongsTo, rowsReader, type ReadRows } from './rows.js';
import { checkDistinct, compileUpserts } from './upsert.js';

/**
 * One statement for consecutive rows with the same columns, so that rows are written in their
 * order. Existing rows are looked up first: see upsert.ts.
 */
export function compileInsert(plan: InsertPlan, types: Types): Steps {
  const read = readerOf(plan, types);
  const groups = plan.groups.map((group) => ({
    group,
    write:
      group.conflict === undefined
        ? (types.features.returning ? insertGroup : insertAndRead)(plan, group, types)
        : compileUpserts(plan, group, group.conflict, types),
  }));
  const placed = (inputs: unknown): PlacedRow[] => read(inputs).map((row, at) => ({ at, row }));
  const merges = plan.groups.some(({ conflict }) => (conflict?.update.length ?? 0) > 0);
  const alone = groups.length === 1 ? groups[0]?.write.alone : undefined;
  return {
    perform: async (run, inputs) => {
      const rows = placed(inputs);
      const written: WrittenRow[] = [];
      for (const { write, own } of runsOf(rows, groups)) written.push(...(await write(run, own)));
      if (merges) checkDistinct(written.map(({ id }) => id).filter(({ length }) => length > 0));
      written.sort((one, other) => one.at - other.at);
      return answerAbout(plan, written);
    },
    ...(alone === undefined ? {} : { alone: (inputs) => aloneFor(plan, alone, placed(inputs)) }),
  };
}

interface Group {
  readonly group: InsertGroup;
  readonly write: InsertRows;
}

/** Splits the rows into runs of consecutive rows with the same columns, and keeps their order. */
function runsOf(
  rows: readonly PlacedRow[],
  groups: readonly Group[],
): readonly { readonly write: InsertRows; readonly own: readonly PlacedRow[] }[] {
  const runs: { readonly write: InsertRows; readonly own: PlacedRow[] }[] = [];
  for (const each of rows) {
    const found = groups.length === 1 ? groups[0] : groups.find(({ group }) => belongsTo(group, each.row));
    // Without this check a row of no group would be lost.
    if (found === undefined) throw new TypeError('a row has a set of columns that its statement does not know');
    const last = runs.at(-1);
    if (last?.write === found.write) last.own.push(each);
    else runs.push({ write: found.write, own: [each] });
  }
  return runs;
}

function aloneFor(
  plan: InsertPlan,
  { ofRows, ofRow, rowsText, read }: InsertStatement,
  rows: readonly PlacedRow[],
): AloneStatement | undefined {
  const [only] = rows;
  if (only === undefined) return undefined;
  return {
    ...(rows.length === 1 ? { statement: ofRow, inputs: only.row } : { statement: ofRows, inputs: rowsText(rows) }),
    answer: (answered) => answerAbout(plan, read(rows, answered)),
  };
}

function answerAbout({ returning }: InsertPlan, written: readonly WrittenRow[]): RawRow {
  const texts = written.flatMap(({ text }) => text ?? []);
  return answerOf({
    text: returning.select === undefined ? null : shownRows(returning, texts),
    affected: written.length,
    created: written.filter(({ isNew }) => isNew).length,
    keys: returning.keys === undefined ? undefined : written.map(({ keys }) => keys),
  });
}

/** The values of one row may be separate parameters. */
function readerOf({ input, cells, groups }: InsertPlan, types: Types): ReadRows {
  const columns = [...new Map(groups.flatMap((group) => group.columns).map((each) => [each.name, each])).values()];
  if (cells === undefined) return rowsReader(input, columns, types);
  const slots = cells.map((each) => slotOf(each, types));
  return (inputs) => [new Map(columns.map(({ name }, at) => [name, slots[at]?.bind(inputs) ?? null]))];
}
