import type { Table } from '../../descriptor/registry.js';
import type { Identity } from '../../dialect/driver.js';
import type { Written } from '../../plan/write-program.js';
import { keyColumns } from '../../plan/read/orders.js';
import { isRoutine } from '../../plan/write/write-intent.js';
import type { WriteJob } from '../prepared-write.js';
import type { Services } from '../services.js';
import { hookedTables, hooksOf } from './before-write.js';
import type { CommitEvent } from './table-hooks.js';

/** Calls `afterCommit` of the tables of a committed write that have it, without waiting for it. */
export function notifyCommit(job: WriteJob, written: Written, identity: Identity, services: Services): void {
  const { intent, hooked } = job.prepared;
  if (!hooked || isRoutine(intent)) return;
  const keys = keysOf(intent.table, written);
  notifyHook(intent.table, { operation: intent.kind, affected: written.affected, ...keys }, identity, services);
  for (const { table, affected } of hookedTables(intent, job.inputs, services))
    notifyHook(table, { operation: 'insert', affected }, identity, services);
  for (const { table, operation, affected } of job.nested?.events ?? [])
    notifyHook(table, { operation, affected }, identity, services);
}

function notifyHook(
  table: Table,
  what: Pick<CommitEvent, 'operation' | 'affected' | 'keys'>,
  identity: Identity,
  services: Services,
): void {
  const hooks = hooksOf(table, services);
  if (hooks?.afterCommit === undefined) return;
  const event: CommitEvent = { ...what, table: `${table.schema}.${table.name}`, identity };
  // The write is committed: no error of the hook changes the client's answer.
  void Promise.resolve()
    .then(() => hooks.afterCommit?.(event))
    .catch((error: unknown) => {
      services.observe({ kind: 'failure', error });
    });
}

function keysOf(table: Table, { keys }: Written): Pick<CommitEvent, 'keys'> {
  const columns = keyColumns(table);
  if (columns === undefined || keys === undefined) return {};
  return { keys: keys.map((key) => Object.fromEntries(columns.map((column, at) => [column, key[at] ?? null]))) };
}
