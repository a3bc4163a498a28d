import type { Descriptors } from '../descriptor/registry.js';
import { Refusal } from './refusal.js';

type Shown = Pick<Descriptors, 'tables' | 'procedures' | 'functions' | 'callable'>;

/** What clients can see, by the kind of thing that could be another name of something excluded. */
interface Names {
  readonly tables: readonly string[];
  readonly columns: readonly string[];
  readonly routines: readonly string[];
}

/**
 * Refuses a change that removes an object which `exclude` names and adds another of its kind: it
 * may be the same object, renamed, and clients would see it. A copy that an earlier migration made
 * cannot be noticed.
 * @param excluded the names before the change, of which `still` are left
 * @throws Refusal
 */
export function checkExcluded(
  excluded: readonly string[],
  still: readonly string[],
  before: Shown,
  after: Shown,
): void {
  const left = new Set(still);
  const gone = excluded.filter((name) => !left.has(name));
  if (gone.length === 0) return;
  const [was, is] = [namesOf(before), namesOf(after)];
  for (const name of gone) {
    const isColumn = name.split('.').length > 2;
    const fresh = isColumn
      ? firstNew(was.columns, is.columns, name)
      : (firstNew(was.tables, is.tables, name) ?? firstNew(was.routines, is.routines, name));
    if (fresh !== undefined) throw renamed(name, fresh);
  }
}

/** Prefers a candidate in the same table or schema, because the message names it. */
function firstNew(was: readonly string[], is: readonly string[], near: string): string | undefined {
  const known = new Set(was);
  const fresh = is.filter((name) => !known.has(name));
  const within = near.slice(0, near.lastIndexOf('.') + 1);
  return fresh.find((name) => name.startsWith(within)) ?? fresh[0];
}

const namesOf = ({ tables, procedures = [], functions = [], callable = [] }: Shown): Names => ({
  tables: tables.map(({ schema, name }) => `${schema}.${name}`),
  columns: tables.flatMap(({ schema, name, columns }) => columns.map((column) => `${schema}.${name}.${column.name}`)),
  routines: [
    ...[...procedures, ...functions, ...callable].map(({ schema, name }) => `${schema}.${name}`),
    ...tables.flatMap(({ computed = [] }) => computed.map(({ function: { schema, name } }) => `${schema}.${name}`)),
  ],
});

const renamed = (gone: string, fresh: string): Refusal =>
  new Refusal(
    `The excluded ${gone} is gone, and ${fresh} is new: it may be the excluded object under another name.`,
    'The old API stays in use. If clients may see the new object, generate, build and start the server again; otherwise add it to exclude first.',
  );
