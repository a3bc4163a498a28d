import { sql } from 'kysely';
import { codes, ServerError } from '../../../errors.js';
import type { ColumnType, FunctionDescriptor } from '../../../descriptor/descriptor.js';
import { withAnswer } from '../../../plan/intent.js';
import type { CallArgument, HeldSet, RowPlan, RowsPlan, TableName } from '../../../plan/read/plan.js';
import type { RawRow } from '../../../plan/statement.js';
import type { CallProgram, RunOne } from '../../../plan/write-program.js';
import type { FunctionPlan } from '../../../plan/write/write-plan.js';
import { isText } from '../comparison.js';
import { encoderOf } from '../parameters/encode.js';
import { timestampText } from '../parameters/moments.js';
import { isBit, isGeometry } from '../parameters/type-name.js';
import type { Types } from '../read/scope.js';
import { compilePlan } from '../read/words.js';
import { compileFragment } from '../sql.js';
import { callOfProcedure } from './procedure.js';

type Called = Extract<FunctionPlan, { readonly call: unknown }>;
type Read = RowsPlan | RowPlan;

/**
 * Calls a procedure, and reads the rows of its result sets as tables: the server checks them and
 * sends them back as JSON, so that they are filtered, ordered and written like rows of a table. Of
 * one result set the answer is its rows, of several the JSON list of their lists.
 * Source: decision 037
 */
export function resultSetProgram(
  plan: Called,
  modes: NonNullable<FunctionDescriptor['resultSet']>,
  types: Types,
): CallProgram {
  const { call: called } = plan;
  const answers: readonly Read[] = 'answers' in plan ? plan.answers : [plan.answer];
  const inputs = called.arguments.values();
  const given = modes.map((mode): Pick<CallArgument, 'mode' | 'parameter'> => {
    const parameter = mode === 'out' ? undefined : inputs.next().value?.parameter;
    return { mode, ...(parameter === undefined ? {} : { parameter }) };
  });
  const { before, call } = callOfProcedure(called, given, types);
  return {
    kind: 'call',
    statement: {
      perform: async (run, values) => {
        for (const statement of before) await run(statement, values);
        const found = setsOf(await run({ ...call, resultSet: true }, values));
        if (found.length < answers.length && answers.length > 1) throw tooFewSets(called, found.length, answers.length);
        const read: RawRow[] = [];
        for (const [at, answer] of answers.entries())
          read.push(await readAgain(answer, found[at] ?? [], { called, types, run, values }));
        if (!('answers' in plan)) return read[0] ?? [null];
        return [`[${read.map(([text]) => text ?? '[]').join(',')}]`];
      },
    },
  };
}

/** The rows of each result set, with the names of its columns first. */
function setsOf(all: readonly RawRow[]): readonly (readonly RawRow[])[] {
  const sets: (readonly RawRow[])[] = [];
  for (let at = 0; at < all.length;) {
    const [count, ...names] = all[at] ?? [];
    const end = at + 1 + Number(count);
    sets.push([names, ...all.slice(at + 1, end)]);
    at = end;
  }
  return sets;
}

interface Running {
  readonly called: TableName;
  readonly types: Types;
  readonly run: RunOne;
  readonly values: unknown;
}

/** Sends the rows of a result set, and answers what the plan reads of them. */
async function readAgain(
  answer: Read,
  rows: readonly RawRow[],
  { called, types, run, values }: Running,
): Promise<RawRow> {
  const { from } = answer.read;
  if (from === undefined || !('held' in from) || from.set === undefined)
    throw new TypeError('The rows of a procedure have columns.');
  const { set } = from;
  const { columns, text } = readSet(rows, set, called, types);
  if (2 * Buffer.byteLength(text) > packetAlways) {
    const [row] = await run(packetLimit, values);
    if (2 * Buffer.byteLength(text) > Number(row?.[0])) throw setTooLong(called);
  }
  // The digits of its decimals are known only now.
  const read = { ...answer.read, from: { ...from, set: { ...set, columns } } };
  const plan = answer.kind === 'row' ? { ...answer, read } : { ...answer, read };
  return (await run(compilePlan(plan, { ...types, readsHeld: true }), withAnswer(values, [text])))[0] ?? [null];
}

/** Shorter texts fit into a packet of every server. The statement may have the text twice. */
const packetAlways = 500_000;
const packetLimit = compileFragment(sql`select @@max_allowed_packet - 65536`);

/** A JSON list of texts for each row, and the column types that keep those texts unchanged. */
function readSet(
  [names, ...rows]: readonly RawRow[],
  { columns }: HeldSet,
  procedure: TableName,
  types: Types,
): { readonly columns: HeldSet['columns']; readonly text: string } {
  if (names === undefined) throw wrongSet(procedure, 'It answered no result set.');
  const read = columns.map(({ name, type, nullable }) => {
    const [at, ...more] = names.flatMap((each, place) => (sameName(each, name) ? [place] : []));
    if (at === undefined) throw wrongSet(procedure, `Its result set has no column "${name}".`);
    if (more.length > 0) throw wrongSet(procedure, `Its result set has several columns "${name}".`);
    const exact = type.kind === 'numeric' ? withScale(type, rows, at) : type;
    const encode = cellEncoder(exact, types);
    const write = (row: RawRow): string | null => {
      const text = row[at] ?? null;
      if (text === null && nullable !== true) throw wrongSet(procedure, `Its column "${name}" has a NULL.`);
      try {
        return text === null ? null : encode(text);
      } catch (error) {
        if (!(error instanceof ServerError)) throw error;
        throw wrongSet(procedure, `Its column "${name}" has a value that the type ${type.sql.name} does not take.`);
      }
    };
    return { column: { name, type: exact, ...(nullable === true ? { nullable } : {}) }, write };
  });
  const text = JSON.stringify(rows.map((row) => read.map(({ write }) => write(row))));
  return { columns: read.map(({ column }) => column), text };
}

/** Names of columns do not differ by their case. */
const sameName = (one: string | null, other: string): boolean => one?.toLowerCase() === other.toLowerCase();

/** The cast to `decimal(65,2)` keeps the zeros of `1.50`. */
function withScale(type: ColumnType, rows: readonly RawRow[], at: number): ColumnType {
  const scale = rows.reduce((most, row) => Math.max(most, /\.(\d+)$/.exec(row[at] ?? '')?.[1]?.length ?? 0), 0);
  return { ...type, sql: { name: `decimal(65,${String(scale)})` } };
}

/**
 * The text of a value as `keyValue` reads it. The checks are those for values of clients, because
 * a cast of the database would change a value that does not fit.
 */
function cellEncoder(type: ColumnType, types: Types): (text: string) => string {
  // A time is in the zone of the session.
  if (type.kind === 'timestamp') return timestampText;
  const encode = encoderOf(type, 'text', types);
  if (isText(type)) return (text) => JSON.stringify(encode(text));
  if (type.kind === 'bytes') return (text) => encode(text.startsWith('\\x') ? text : hexText(text));
  if (isBit(type.sql)) return (text) => (text.startsWith('\\x') ? BigInt(`0x${text.slice(2)}`).toString() : text);
  return isGeometry(type.sql) ? (text) => text.slice(2) : encode;
}

const hexText = (text: string): string => `\\x${Buffer.from(text).toString('hex')}`;

/** An answer that is not as the configuration says. Nothing of the call is kept. */
const wrongSet = ({ schema, name }: TableName, message: string): ServerError =>
  new ServerError(500, codes.internal, `The answer of the procedure ${schema}.${name} is not as configured.`, {
    details: message,
    hint: 'Nothing was written, unless the procedure commits. See `procedures` in the configuration.',
  });

const tooFewSets = (procedure: TableName, found: number, described: number): ServerError =>
  wrongSet(procedure, `It answered ${String(found)} result sets of ${String(described)}.`);

const setTooLong = ({ schema, name }: TableName): ServerError =>
  new ServerError(500, codes.limitExceeded, `The procedure ${schema}.${name} answered too many rows.`, {
    hint: 'Nothing was written, unless the procedure commits. Ask for fewer rows, or raise max_allowed_packet of the database.',
  });
