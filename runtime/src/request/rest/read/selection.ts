import type { Selection } from '../../../plan/intent.js';
import type { Table } from '../../../descriptor/registry.js';
import { malformedParameter, quoteName } from '../grammar/malformed.js';
import { computedOf } from '../grammar/computed-name.js';
import type { GivenToComputed } from './computed.js';
import type { ReadForm } from './read-form.js';
import { toBePlanned } from './rest-column.js';
import type { SelectAggregate, SelectColumn, SelectItem } from '../grammar/select.js';

interface Shown {
  readonly selection: Selection;
  /** The selection came from `*`; a selection by name replaces it. */
  readonly byStar: boolean;
}

/**
 * The selections of a row. `*` stands for every column. A repeated selection is shown once. A
 * different selection with the same key needs an alias, unless the form of REST lets columns repeat
 * keys. Throws ServerError 400.
 * @param relation gives the selections of an embedded table
 * @param given the arguments of computed fields
 */
export function selectionsOf(
  items: readonly SelectItem[],
  table: Table,
  relation: (item: SelectItem) => readonly Selection[],
  given: GivenToComputed,
  { repeatedKeys }: ReadForm,
): readonly Selection[] {
  const shown = new Map<string, Shown>();
  const add = (selection: Selection, byStar: boolean): void => {
    const before = shown.get(selection.as);
    if (before !== undefined && byStar) return;
    const isOther = before !== undefined && !before.byStar && !same(before.selection, selection);
    const isColumn = selection.kind === 'column' && before?.selection.kind === 'column';
    if (isOther && !(isColumn && repeatedKeys === 'allowed')) throw taken(selection.as);
    shown.set(isOther ? `${selection.as}\0${String(shown.size)}` : selection.as, { selection, byStar });
  };
  for (const item of items) {
    if (item.kind === 'all') {
      for (const [as, { name }] of table.byRestName) add({ kind: 'column', as, column: name, ofAll: true }, true);
      continue;
    }
    if (item.kind === 'column') add(columnSelection(item, table, given), false);
    else if (item.kind === 'aggregate') add(aggregateSelection(item, table), false);
    else for (const selection of relation(item)) add(selection, false);
  }
  return [...shown.values()].map(({ selection }) => selection);
}

function columnSelection(item: SelectColumn, table: Table, given: GivenToComputed): Selection {
  const { column, path, cast } = item;
  const computed = table.byRestName.has(column) ? undefined : computedOf(table, column);
  if (computed !== undefined && path.length === 0 && cast === undefined) {
    return { kind: 'computed', as: item.alias ?? column, name: computed, ...given.selected(computed, item.alias) };
  }
  return {
    kind: 'column',
    as: item.alias ?? defaultKey(item),
    column: toBePlanned(table, column),
    ...(path.length === 0 ? {} : { path }),
    ...(cast === undefined ? {} : { cast }),
  };
}

function aggregateSelection({ alias, function: name, of, cast }: SelectAggregate, table: Table): Selection {
  const aggregated = { kind: 'aggregated', as: alias ?? name, function: name } as const;
  const converted = cast === undefined ? {} : { cast };
  if (of === undefined) return { ...aggregated, ...converted };
  const { column, path, cast: before } = of;
  return {
    ...aggregated,
    of: {
      column: toBePlanned(table, column),
      ...(path.length === 0 ? {} : { path }),
      ...(before === undefined ? {} : { cast: before }),
    },
    ...converted,
  };
}

/**
 * The default key of a JSON path is the last name in it, as in PostgREST; an index is not a name.
 */
function defaultKey({ column, path }: SelectColumn): string {
  const key = path.findLast((step) => typeof step.key === 'string')?.key;
  return typeof key === 'string' ? key : column;
}

const same = (one: Selection, other: Selection): boolean =>
  one.kind !== 'relation' && one.kind !== 'spread' && JSON.stringify(one) === JSON.stringify(other);

const taken = (key: string) =>
  malformedParameter(
    'select',
    `two different values are called ${quoteName(key)}.`,
    'Give one an alias, as in other:column.',
  );
