import type { Table } from '../../descriptor/registry.js';
import type { Identity } from '../../dialect/driver.js';
import type { Written } from '../../plan/write-program.js';
import { unsupported } from '../../plan/refuse.js';
import { keyColumns } from '../../plan/read/orders.js';
import type { Statement } from '../../plan/statement.js';
import { isNestedWrite, isRoutine } from '../../plan/write/write-intent.js';
import { createHandle } from '../handle.js';
import { jobOf, type BoundWrite } from '../prepared-write.js';
import { bindStatement } from '../run-statement.js';
import type { Services } from '../services.js';
import { planContext } from '../write-plans.js';
import { hooksOf, hookWrite, nestedHooks, receivesRows, withRows, type HookPlace, type Row } from './before-write.js';
import type { HookStatements } from './hook-statements.js';
import type { PendingWrites } from './pending-writes.js';
import { refuse, type WriteEvent } from './table-hooks.js';

/** One write with the hooks of its table around it, among the pending writes of its request. */
export class HookedWrite implements HookPlace {
  constructor(
    private readonly services: Services,
    private readonly statements: HookStatements,
    private readonly writes: PendingWrites,
    private readonly identity: Identity,
    private readonly write: BoundWrite,
    private readonly context = planContext(services, write.rowFilter),
  ) {}

  /** Runs the write at once if a hook receives its rows, and defers it otherwise. */
  async perform(): Promise<void> {
    const { services, writes, write } = this;
    const { intent, program } = write.prepared;
    if (isRoutine(intent)) throw new TypeError('a routine has no hooks');
    if (isNestedWrite(intent)) {
      const hooks = nestedHooks((table) => this.event(table, writes.opened), services);
      await writes.write(jobOf(write, program, hooks));
      return;
    }
    const changed = await hookWrite(intent, write.inputs, this, services);
    const job =
      changed === undefined
        ? jobOf(write)
        : jobOf(
            { ...write, inputs: withRows(write.inputs, changed.rows) },
            this.statements.program(write.prepared, changed.intent, this.context),
          );
    const hooks = hooksOf(intent.table, services);
    if (hooks === undefined || !receivesRows(intent.kind, hooks)) {
      writes.defer(job);
      return;
    }
    const before = await this.current();
    const written = await writes.write(job);
    const after = intent.kind === 'delete' ? [] : await this.written(intent.table, written);
    const event = this.event(intent.table);
    if (intent.kind === 'insert') await hooks.afterInsert?.({ ...event, rows: after });
    if (intent.kind === 'update') await hooks.afterUpdate?.({ ...event, rows: pairs(intent.table, before, after) });
    if (intent.kind === 'delete') await hooks.afterDelete?.({ ...event, rows: before });
  }

  /** The arguments of every hook. The handle opens the transaction at its first use. */
  event({ schema, name }: Table, open = this.writes.open): WriteEvent {
    return {
      table: `${schema}.${name}`,
      identity: this.identity,
      refuse,
      db: createHandle(this.services.dialect.queryBuilder, {
        query: async (statement) => (await open()).query(statement),
        enter: async () => (await open()).enter(),
      }),
      transaction: async (work) => (await open()).nested((inner) => work(inner.db)),
    };
  }

  /** The matching rows before the write, read as the caller. Rows of an update are locked. */
  readonly current = async (): Promise<readonly Row[]> => {
    const statement = this.statements.matching(this.write.prepared, this.context);
    return statement === undefined ? [] : this.read(statement, this.write.inputs);
  };

  private async written(table: Table, { keys, affected }: Written): Promise<readonly Row[]> {
    if (affected === 0) return [];
    const statement = this.statements.keyed(table);
    if (statement === undefined || keys === undefined) throw keyless(table);
    return this.read(statement, JSON.stringify(keys));
  }

  private async read(statement: Statement, inputs: unknown): Promise<readonly Row[]> {
    const bound = bindStatement(statement, inputs, this.write.rowFilter);
    const { text, values } = bound;
    return (await (await this.writes.open()).query({ text, values, compiled: bound })).rows;
  }
}

/** Rows before and after an update. */
function pairs(
  table: Table,
  before: readonly Row[],
  after: readonly Row[],
): readonly { readonly before: Row; readonly after: Row }[] {
  const [first, ...more] = before;
  const [last, ...others] = after;
  // The write of one row may change its key.
  if (first !== undefined && last !== undefined && more.length === 0 && others.length === 0) {
    return [{ before: first, after: last }];
  }
  const key = keyColumns(table) ?? [];
  const idOf = (row: Row): string => JSON.stringify(key.map((column) => row[column]));
  const known = new Map(before.map((row) => [idOf(row), row]));
  return after.map((row) => {
    const was = known.get(idOf(row));
    if (was === undefined) throw movedKeys(table);
    return { before: was, after: row };
  });
}

const keyless = ({ schema, name }: Table): Error =>
  unsupported(`Rows of ${schema}.${name} have no key that hooks could find them by.`);

const movedKeys = ({ schema, name }: Table): Error =>
  unsupported(
    `Keys of several rows of ${schema}.${name} cannot be changed at once: hooks receive each row.`,
    'Update one row at a time.',
  );
