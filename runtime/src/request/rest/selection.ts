import type { Selection } from '../../plan/intent.js';
import type { Table } from '../../descriptor/registry.js';
import { malformedParameter, quoteName } from './malformed.js';
import { computedOf } from './computed.js';
import type { SelectColumn, SelectItem } from './select.js';

interface Shown {
  readonly selection: Selection;
  /** It came from `*`: something chosen by name takes its place. */
  readonly byStar: boolean;
}

/**
 * What is shown of a row: `*` stands for every column, a key can be there once. Chosen again in the same way it is shown once, chosen
 * in another way it needs an alias. Throws ServerError 400. `relation` gives the selection of an embedded table.
 */
export function selectionsOf(
  items: readonly SelectItem[],
  table: Table,
  relation: (item: SelectItem) => Selection | undefined,
): readonly Selection[] {
  const shown = new Map<string, Shown>();
  const add = (selection: Selection, byStar: boolean): void => {
    const before = shown.get(selection.as);
    if (before !== undefined && byStar) return;
    if (before !== undefined && !before.byStar && !same(before.selection, selection)) throw taken(selection.as);
    shown.set(selection.as, { selection, byStar });
  };
  for (const item of items) {
    if (item.kind === 'all') {
      for (const { name } of table.columns) add({ kind: 'column', as: name, column: name }, true);
      continue;
    }
    const selection = item.kind === 'column' ? columnSelection(item, table) : relation(item);
    if (selection !== undefined) add(selection, false);
  }
  return [...shown.values()].map(({ selection }) => selection);
}

function columnSelection(item: SelectColumn, table: Table): Selection {
  const { column, path, cast } = item;
  const computed = table.byName.has(column) ? undefined : computedOf(table, column);
  if (computed !== undefined && path.length === 0 && cast === undefined) {
    return { kind: 'computed', as: item.alias ?? column, name: computed };
  }
  return {
    kind: 'column',
    as: item.alias ?? defaultKey(item),
    column,
    ...(path.length === 0 ? {} : { path }),
    ...(cast === undefined ? {} : { cast }),
  };
}

/** A path is called after its last key, as in PostgREST; indexes name nothing. */
function defaultKey({ column, path }: SelectColumn): string {
  const key = path.findLast((step) => typeof step.key === 'string')?.key;
  return typeof key === 'string' ? key : column;
}

const same = (one: Selection, other: Selection): boolean =>
  one.kind !== 'relation' && JSON.stringify(one) === JSON.stringify(other);

const taken = (key: string) =>
  malformedParameter(
    'select',
    `two different values are called ${quoteName(key)}.`,
    'Give one an alias, as in other:column.',
  );
