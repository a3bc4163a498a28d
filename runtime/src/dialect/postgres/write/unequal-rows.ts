import { sql } from 'kysely';
import { parseKept } from '../../../exact-number.js';
import { malformedRow } from '../../../plan/write/rows.js';
import type { InsertPlan, RowsInput, TypedColumn } from '../../../plan/write/write-plan.js';
import type { RawRow, Statement } from '../../../plan/statement.js';
import { rowReader } from '../../sql/given-rows.js';
import type { Steps } from '../../../plan/write-program.js';
import { jsonEncoder, type Types } from '../parameters/encode.js';
import { cast, join, type Fragment } from '../sql.js';
import { made } from './represented.js';
import { together } from './row-by-row.js';

/** A row: for each of its columns the text that is sent, or null. */
type GivenRow = ReadonlyMap<string, string | null>;

/** The protocol counts the parameters of a statement in 16 bits. */
const maxParameters = 65_535;

/** Parameters that the answer of a row may need. */
const spareParameters = 1000;

/** Sets of columns in one request, where each set is a part of the statement. */
const maxSets = 50;

/**
 * Inserts rows that do not all have the same columns, in their order, as one statement: `values`
 * accepts DEFAULT instead of a value. The statement has a parameter for each value, and is compiled
 * for this request only. Where rules run, more values than a statement can have are several
 * statements.
 * @param bySets inserts the rows of each set of columns together: for more values than a statement
 * can have, and for merges, which update other columns in each set
 */
export function insertUnequal(
  plan: InsertPlan,
  types: Types,
  compile: (values: Fragment, columns: readonly TypedColumn[]) => Statement,
  bySets: () => Statement,
): Steps {
  const columns = [...new Map(plan.groups.flatMap((group) => group.columns).map((each) => [each.name, each])).values()];
  const read = rowsReader(plan.input, columns, types);
  const merges = plan.groups.some(
    ({ conflict }) => (conflict?.update.length ?? 0) > 0 || conflict?.absent !== undefined,
  );
  if (plan.table.runsRules) return inChunks(plan, (rows) => compile(valuesOf(rows, columns), columns), read);
  let grouped: Statement | undefined;
  const statementFor = (inputs: unknown): Statement => {
    const rows = merges ? [] : read(inputs);
    const isFew = rows.reduce((sum, row) => sum + row.size, 0) <= maxParameters - plan.groups.length;
    if (!merges && rows.length > 0 && isFew) return compile(valuesOf(rows, columns), columns);
    if (plan.groups.length > maxSets) throw tooManySets();
    return (grouped ??= bySets());
  };
  return {
    perform: async (run, inputs) => (await run(statementFor(inputs), inputs))[0] ?? [],
    alone: (inputs) => ({ statement: statementFor(inputs), inputs, answer: ([row]) => row }),
  };
}

function inChunks(
  { returning }: InsertPlan,
  compile: (rows: readonly GivenRow[]) => Statement,
  read: (inputs: unknown) => readonly GivenRow[],
): Steps {
  const answer = together(returning);
  return {
    perform: async (run, inputs) => {
      const answered: RawRow[] = [];
      for (const rows of chunksOf(read(inputs))) answered.push(...(await run(compile(rows), inputs)));
      return answer(answered);
    },
    alone: (inputs) => {
      const [rows, ...more] = chunksOf(read(inputs));
      return rows === undefined || more.length > 0 ? undefined : { statement: compile(rows), inputs, answer };
    },
  };
}

/** The rows in parts that have no more values than a statement can have parameters. */
function chunksOf(rows: readonly GivenRow[]): readonly (readonly GivenRow[])[] {
  const chunks: GivenRow[][] = [];
  let size = maxParameters;
  for (const row of rows) {
    size += row.size;
    if (size > maxParameters - spareParameters) {
      chunks.push([]);
      size = row.size;
    }
    chunks.at(-1)?.push(row);
  }
  return chunks;
}

const valuesOf = (rows: readonly GivenRow[], columns: readonly TypedColumn[]): Fragment =>
  join(rows.map((row) => sql`(${join(columns.map((column) => cellOf(row, column)))})`));

function cellOf(row: GivenRow, column: TypedColumn): Fragment {
  const { name, type } = column;
  const text = row.get(name);
  return text === undefined
    ? sql`default`
    : made(cast({ bind: () => text, subject: `column "${name}"` }, type), column);
}

/**
 * Reads the rows of an input. Numbers and JSON keep the client's text, as they do in rows of the
 * same columns, which the database reads.
 */
function rowsReader(
  input: RowsInput,
  columns: readonly TypedColumn[],
  types: Types,
): (inputs: unknown) => readonly GivenRow[] {
  const given = input.as === 'json' ? columns.map((each) => ({ ...each, key: each.name })) : input.columns;
  const read = rowReader(given, ({ type }) => jsonEncoder(type, types), null);
  return (inputs) => {
    const list: unknown = input.as === 'json' ? parseKept(input.read(inputs)) : input.read(inputs);
    return (Array.isArray(list) ? list : [list]).map(read);
  };
}

const tooManySets = () =>
  malformedRow(
    `The rows have more than ${String(maxSets)} different sets of columns.`,
    'Give every row the same columns; REST: name them in ?columns=.',
  );
