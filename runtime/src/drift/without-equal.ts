import type { TableDescriptor } from '../descriptor/descriptor.js';
import type { Descriptors } from '../descriptor/registry.js';

/**
 * Two states of a database, without the tables that are the same in both. Yields after each table.
 */
export function* withoutEqual(
  before: Descriptors,
  after: Descriptors,
): Generator<undefined, readonly [before: Descriptors, after: Descriptors]> {
  const was = yield* textsOf(before.tables);
  const is = yield* textsOf(after.tables);
  const differs = ({ field }: TableDescriptor): boolean => is.get(field) !== was.get(field);
  return [
    { ...before, tables: before.tables.filter(differs) },
    { ...after, tables: after.tables.filter(differs) },
  ];
}

/** The tables as JSON, by their keys. */
function* textsOf(tables: readonly TableDescriptor[]): Generator<undefined, ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const table of tables) {
    texts.set(table.field, JSON.stringify(table));
    yield;
  }
  return texts;
}
