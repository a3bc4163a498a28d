import { objectText } from '../dialect/object-text.js';
import type { RawRow } from '../plan/statement.js';
import { runWrite, type InsertTree, type NestedPlace, type NestedTree, type RunOne } from '../plan/write-program.js';
import { lostInsert } from './nested/failures.js';

/** A row to write, and its values from the rows around it. */
interface Pending {
  readonly row: object;
  readonly members: Map<string, string>;
}

/**
 * Inserts rows with rows inside: first the rows they refer to, then the rows themselves, then the
 * rows that refer to them. One statement for each table of the tree, however many rows there are.
 * Answers the one row of the root's own statement, its keys cut to the table's own.
 */
export async function insertTree(tree: InsertTree, rows: readonly object[], run: RunOne): Promise<RawRow> {
  const answer = await insertRows(
    tree,
    rows.map((row) => ({ row, members: tree.encode(row) })),
    run,
  );
  const own = keysIn(answer).map((key) => key.slice(0, tree.ownKey));
  return [answer[0] ?? null, answer[1] ?? '0', answer[2] ?? '0', tree.ownKey === 0 ? null : JSON.stringify(own)];
}

async function insertRows(tree: InsertTree, pending: readonly Pending[], run: RunOne): Promise<RawRow> {
  for (const each of tree.forward) await insertForward(each, pending, run);
  const text = `[${pending.map(({ members }) => objectText(members)).join(',')}]`;
  const answer = (await runWrite(tree.statement, text, run)) ?? [];
  if (tree.reverse.length === 0) return answer;
  const keys = keysIn(answer);
  if (keys.length !== pending.length) throw lostInsert();
  for (const each of tree.reverse) await insertReverse(each, pending, keys, run);
  return answer;
}

/**
 * Inserts the rows that the pending rows refer to, and gives these their keys. Not every pending
 * row has such a row.
 */
async function insertForward(each: NestedTree, pending: readonly Pending[], run: RunOne): Promise<void> {
  const referring = pending.flatMap((one) =>
    rowsInside(one.row, each)
      .slice(0, 1)
      .map((row) => ({ one, row })),
  );
  if (referring.length === 0) return;
  const above = referring.map(({ row }) => ({ row, members: each.tree.encode(row) }));
  const keys = keysIn(await insertRows(each.tree, above, run));
  if (keys.length !== referring.length) throw lostInsert();
  referring.forEach(({ one }, at) => {
    for (const { column, at: position } of each.columns) one.members.set(column, valueText(keys[at]?.[position]));
  });
}

/** Inserts the rows that refer to the pending rows, with the keys of these. */
async function insertReverse(
  each: NestedTree,
  pending: readonly Pending[],
  keys: readonly RawRow[],
  run: RunOne,
): Promise<void> {
  const below = pending.flatMap(({ row }, at) =>
    rowsInside(row, each).map((child): Pending => {
      const members = each.tree.encode(child);
      for (const { column, at: position } of each.columns) members.set(column, valueText(keys[at]?.[position]));
      return { row: child, members };
    }),
  );
  if (below.length > 0) await insertRows(each.tree, below, run);
}

/** `row[key].data`, an object or a list of objects, as rows of the relation. */
export function rowsInside(row: object, { key, inner }: NestedPlace): readonly object[] {
  const given = Object.hasOwn(row, key) ? (row as Readonly<Record<string, unknown>>)[key] : undefined;
  if (given === undefined || given === null) return [];
  const data: unknown = (given as { readonly data?: unknown }).data;
  const list: readonly unknown[] = Array.isArray(data) ? data : data === undefined || data === null ? [] : [data];
  const rows = list.filter((each): each is object => typeof each === 'object' && each !== null);
  return inner === undefined ? rows : rows.map((each) => ({ [inner]: { data: each } }));
}

const valueText = (text: string | null | undefined): string =>
  text === null || text === undefined ? 'null' : JSON.stringify(text);

const keysIn = ([, , , keys]: RawRow): readonly RawRow[] =>
  keys === null || keys === undefined ? [] : (JSON.parse(keys) as readonly RawRow[]);
