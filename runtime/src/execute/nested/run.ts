import type { RawRow } from '../../plan/statement.js';
import { runWrite, type RowsProgram, type RunOne, type WriteProgram } from '../../plan/write-program.js';
import type { PlanContext, RowFilter } from '../../plan/context.js';
import { planNestedWrite } from '../../plan/write/plan-write.js';
import type { NestedWriteIntent } from '../../plan/write/write-intent.js';
import type { WritePlan } from '../../plan/write/write-plan.js';
import { severalRows } from './failures.js';
import { foundIn, NestedStatements, ownKey, type Found } from './statements.js';
import { NestedWriter, type NestedEvent, type NestedHooks, type WriterParts } from './writer.js';

/** A nested write of one request. */
export interface NestedRun {
  readonly program: RowsProgram;
  /** The writes of rows inside the rows, in order. */
  readonly events: readonly NestedEvent[];
  /** The operation and the table of the last statement. */
  readonly last: () => Pick<NestedEvent, 'operation' | 'table'>;
}

/** Makes the programs of nested writes. */
export class NestedWrites {
  private readonly statements: NestedStatements;

  constructor(
    private readonly context: PlanContext,
    private readonly compile: (plan: WritePlan) => WriteProgram,
  ) {
    this.statements = new NestedStatements(context, compile);
  }

  /**
   * Finds the row of an update, and reads the written row. Throws ServerError 400 if the planner
   * refuses.
   */
  prepare(intent: NestedWriteIntent, rowFilter?: RowFilter): RowsProgram {
    const context = { ...this.context, rowFilter };
    const program = this.compile(planNestedWrite(intent, wantedOf(intent, ownKey(intent.table, context)), context));
    if (program.kind !== 'rows') throw new TypeError('a write of rows was compiled to a call');
    return program;
  }

  /**
   * @param found the result of `prepare`
   * @param rowFilter the rows that the request may read
   */
  start(intent: NestedWriteIntent, found: RowsProgram, hooks: NestedHooks, rowFilter?: RowFilter): NestedRun {
    const events: NestedEvent[] = [];
    let last: ReturnType<NestedRun['last']> = { operation: intent.kind, table: intent.table };
    const shared = {
      statements: rowFilter === undefined ? this.statements : this.statements.for(rowFilter),
      registry: this.context.registry,
      hooks,
      notify: (event: NestedEvent) => events.push(event),
      begin: (operation: NestedEvent['operation'], table: NestedEvent['table']) => (last = { operation, table }),
    };
    const perform = (run: RunOne, request: unknown): Promise<RawRow> => {
      const parts: WriterParts = { ...shared, run, request };
      return intent.kind === 'insert'
        ? insertRoots(intent, new NestedWriter(parts), shared.statements.keyOf(intent.table), request)
        : updateRoot(intent, found, new NestedWriter(parts), parts);
    };
    return { program: { ...found, statement: { perform } }, events, last: () => last };
  }
}

/**
 * The columns of an updated row that have to be read before: its key, and the columns of the
 * relations inside it.
 */
const wantedOf = ({ table, inside }: NestedWriteIntent, key: readonly string[]): readonly string[] => [
  ...new Set([...key, ...inside.relations.flatMap((name) => table.relationsByName.get(name)?.columns ?? [])]),
];

async function insertRoots(
  { table, inside }: Extract<NestedWriteIntent, { kind: 'insert' }>,
  writer: NestedWriter,
  key: readonly string[],
  request: unknown,
): Promise<RawRow> {
  const rows = inside.rows(request);
  return answerOf(key, await writer.insertRows(table, rows, [], key, inside.conflict?.(request)));
}

async function updateRoot(
  intent: Extract<NestedWriteIntent, { kind: 'update' }>,
  { statement }: RowsProgram,
  writer: NestedWriter,
  { run, request, statements }: WriterParts,
): Promise<RawRow> {
  const { table, inside, inc } = intent;
  const key = statements.keyOf(table);
  const [row] = inside.rows(request);
  if (statement === undefined || row === undefined) throw new TypeError('a nested update has no row to find');
  const found = foundIn(await runWrite(statement, request, run), wantedOf(intent, key));
  const [only, ...more] = found;
  if (more.length > 0) throw severalRows();
  return answerOf(key, only === undefined ? [] : [await writer.updateFound(table, row, only, inc)]);
}

/** The answer of a write: a single row. */
function answerOf(key: readonly string[], rows: readonly Found[]): RawRow {
  const keys = rows.map((row) => key.map((name) => row.get(name) ?? null));
  return [null, String(rows.length), String(rows.length), JSON.stringify(keys)];
}
