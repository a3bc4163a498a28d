import { sql } from 'kysely';
import type { DocumentPlan, Plan, RootPlan, RowsPlan } from '../../plan/read/plan.js';
import { maxFields } from '../document-text.js';
import type { Estimate, Statement } from '../../plan/statement.js';
import { compileAggregate } from './aggregate.js';
import { compileConnection } from './connection.js';
import { join, nothing, type Fragment } from './fragment.js';
import { anyRow, count } from './source.js';
import type { Compiler, Target, Words } from './words.js';

/** A compiler for one statement. */
export function createCompiler<D extends Target>(types: D['types'], words: Words<D>): Compiler<D> {
  let rows = 0;
  return { types, newRow: () => `r${String(rows++)}`, words };
}

/**
 * Plan → Statement: one SQL text with its parameters as slots. plan/intent.ts says what each plan
 * answers.
 */
export function compileRead<D extends Target>(plan: Plan, types: D['types'], words: Words<D>): Statement {
  const compiler = createCompiler(types, words);
  switch (plan.kind) {
    case 'document':
      return document(plan, compiler);
    case 'rows':
      return rows(plan, compiler);
    case 'row':
      return words.compile(words.row(plan.read, compiler), types);
    case 'changes':
      return words.compile(words.changes(plan, compiler), types);
  }
}

/** A column for each field; a document with one row or one list is the statement for that. */
function document<D extends Target>({ fields }: DocumentPlan, compiler: Compiler<D>): Statement {
  const { types, words } = compiler;
  const [first, ...more] = fields;
  if (more.length === 0 && first?.kind === 'one') return words.compile(words.row(first.read, compiler), types);
  if (more.length === 0 && first?.kind === 'list') return words.listAlone(first.read, compiler);
  if (fields.length <= maxFields)
    return words.compile(sql`select ${join(fields.map((field) => column(field, compiler)))}`, types);
  const entries = fields.map((field) => ({ as: field.as, value: root(field, compiler) }));
  return words.compile(sql`select ${words.column(words.objectFrom(entries, nothing))}`, types);
}

/** A field as a column, where no object around it makes JSON of it. */
const column = <D extends Target>(field: RootPlan, compiler: Compiler<D>): Fragment =>
  field.kind === 'constant' ? compiler.words.nameColumn(field.text) : compiler.words.column(root(field, compiler));

function root<D extends Target>(field: RootPlan, compiler: Compiler<D>): D['value'] {
  const { words } = compiler;
  switch (field.kind) {
    case 'constant':
      return words.name(field.text);
    case 'list':
      return words.list(field.read, compiler);
    case 'one':
      return words.one(field.read, compiler);
    case 'connection':
      return compileConnection(field.connection, compiler);
    case 'aggregate':
      return compileAggregate(field.aggregate, compiler);
    case 'nothing':
      return words.missing;
    case 'nodes':
      return words.nodes(field.reads.map((read) => (read === undefined ? undefined : words.one(read, compiler))));
    case 'value':
      return words.functionValue(field.value, compiler);
  }
}

/** Columns: the text of all rows, how many rows it has, and how many rows there are. */
function rows<D extends Target>(plan: RowsPlan, compiler: Compiler<D>): Statement {
  const { words } = compiler;
  const estimate = estimateOf(plan, createCompiler(compiler.types, words));
  const statement = words.rowsAlone(plan, compiler) ?? counted(plan, compiler);
  return estimate === undefined ? statement : { ...statement, estimate };
}

function counted<D extends Target>(plan: RowsPlan, compiler: Compiler<D>): Statement {
  const { answer, from } = compiler.words.rows(plan, compiler);
  const preamble = compiler.words.preamble(plan.read, compiler);
  return compiler.words.compile(
    sql`${preamble}select ${answer}, count(*), ${total(plan, compiler)} from ${from}`,
    compiler.types,
  );
}

function total<D extends Target>(plan: RowsPlan, compiler: Compiler<D>): Fragment {
  const { from } = plan.read;
  // A function that answers one value is not called again for its number.
  if (plan.count !== 'none' && from !== undefined && !('held' in from) && !from.returnsSet) return sql`count(*)`;
  switch (plan.count) {
    case 'exact':
      return count(plan.read, compiler);
    case 'estimated':
      return count(plan.read, compiler, plan.countCeiling + 1);
    case 'limited':
      return limitedCount(plan, compiler);
    default:
      return sql`null`;
  }
}

/** NULL if there are more rows. */
function limitedCount<D extends Target>({ read, limitedCount: most }: RowsPlan, compiler: Compiler<D>): Fragment {
  return sql`nullif(${count(read, compiler, most + 1)}, ${sql.lit(most + 1)})`;
}

/** EXPLAIN is not an expression, so an estimate is a separate statement, as in PostgREST. */
function estimateOf<D extends Target>(plan: RowsPlan, compiler: Compiler<D>): Estimate | undefined {
  if (plan.count !== 'planned' && plan.count !== 'estimated') return undefined;
  const { explain, plannedRows, hidesRows, compile } = compiler.words;
  const statement = compile(sql`${explain} ${anyRow(plan.read, compiler)}`, compiler.types);
  const estimate = { statement, read: plannedRows, ...insteadOf(plan, hidesRows, compiler) };
  return plan.count === 'planned' ? estimate : { ...estimate, above: plan.countCeiling };
}

/**
 * A view may read a table with policies, and a partition has those of its table: one such table in
 * the database is enough.
 */
function insteadOf<D extends Target>(
  plan: RowsPlan,
  hidesRows: Fragment | undefined,
  { types, words }: Compiler<D>,
): Pick<Estimate, 'instead'> {
  if (hidesRows === undefined) return {};
  const total = sql`coalesce(${limitedCount(plan, createCompiler(types, words))}, -1)`;
  return {
    instead: words.compile(sql`select case when ${hidesRows} then ${total} end`, types),
  };
}
