import type { Table } from '../descriptor/registry.js';
import type { QueryBuilder } from '../dialect/dialect.js';
import type { Identity } from '../dialect/driver.js';
import type { HookUnit } from './hook-unit.js';
import { refuse, type WriteEvent } from './hooks.js';
import { createHandle } from './own/handle.js';

/** The arguments of every hook. The handle opens the transaction at its first use. */
export function eventOf(
  { schema, name }: Pick<Table, 'schema' | 'name'>,
  identity: Identity,
  { open }: HookUnit,
  builder: QueryBuilder,
): WriteEvent {
  return {
    table: `${schema}.${name}`,
    identity,
    refuse,
    db: createHandle(builder, {
      query: async (statement) => (await open()).query(statement),
      enter: async () => (await open()).frame.enter(),
    }),
    transaction: async (work) => (await open()).frame.nested((inner) => work(inner.db)),
  };
}
