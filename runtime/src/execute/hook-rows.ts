import type { Table } from '../descriptor/registry.js';
import type { Written } from '../dialect/write-program.js';
import type { PlanContext } from '../plan/context.js';
import { unsupported } from '../plan/refuse.js';
import { keyColumns } from '../plan/read/orders.js';
import { planKeyedRows, planMatchingRows, type OwnRowsPlan } from '../plan/write/own-rows.js';
import type { RoutineIntent, WriteIntent } from '../plan/write/write-intent.js';
import type { Row } from './hooking.js';
import type { HookUnit } from './hook-unit.js';
import { bindStatement } from './run-statement.js';
import type { Services } from './services.js';

type RowsIntent = Exclude<WriteIntent, RoutineIntent>;

/** Reads the rows that a write changes, in its transaction and as the caller. */
export class HookRows {
  constructor(
    private readonly services: Pick<Services, 'dialect' | 'registry'>,
    private readonly context: PlanContext,
    private readonly unit: HookUnit,
    private readonly intent: RowsIntent,
    private readonly inputs: unknown,
  ) {}

  /** The matching rows before the write. Rows of an update are locked. */
  current(): Promise<readonly Row[]> {
    const { intent } = this;
    if (intent.kind === 'insert') return Promise.resolve([]);
    const plan = planMatchingRows(intent.table, intent.where, intent.kind === 'update', this.context);
    return this.read(plan, this.inputs);
  }

  /** The written rows. */
  async written({ keys, affected }: Written): Promise<readonly Row[]> {
    if (affected === 0) return [];
    const plan = planKeyedRows(this.intent.table);
    if (plan === undefined || keys === undefined) throw keyless(this.intent.table);
    return this.read(plan, JSON.stringify(keys));
  }

  private async read(plan: OwnRowsPlan, inputs: unknown): Promise<readonly Row[]> {
    const { dialect, registry } = this.services;
    const statement = bindStatement(dialect.compileOwnRows(plan, registry), inputs);
    const session = await this.unit.open();
    return (await session.query(statement)).rows;
  }
}

/** Rows before and after an update. */
export function pairs(
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
