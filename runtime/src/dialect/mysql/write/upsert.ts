import { sql } from 'kysely';
import { ServerError } from '../../../errors.js';
import type { ConflictPlan, InsertGroup, InsertPlan, TypedColumn } from '../../../plan/write/write-plan.js';
import type { Statement } from '../../../plan/statement.js';
import type { RunOne } from '../../../plan/write-program.js';
import { missingKey } from '../../missing-key.js';
import { condition } from '../../sql/condition.js';
import { columnOf, compileFragment, join, nothing, slot, table, type Fragment } from '../sql.js';
import { otherKeyError } from './other-key.js';
import { createCompiler } from '../read/words.js';
import type { Scope, Types } from '../read/scope.js';
import { textOfSent } from '../parameters/encode.js';
import { insertAndRead } from './insert-and-read.js';
import { givenValue, idOf, insertGroup, type InsertRows, type PlacedRow, type WrittenRow } from './insert-group.js';
import {
  allKeys,
  cell,
  columnsOf,
  compileReadByKeys,
  given,
  keyWith,
  keysText,
  keyTable,
  keyText,
  sameKey,
  sentTexts,
  type Key,
} from './keys.js';
import type { GivenRow } from './rows.js';

/**
 * Writes rows of which some may exist. Existing rows are locked and updated or left unchanged; the
 * others are inserted. The database's `on duplicate key update` alone does not fit: it merges by
 * any unique index instead of by the named key.
 * @throws ServerError 400 for columns that are not a unique key
 */
export function compileUpserts(plan: InsertPlan, group: InsertGroup, conflict: ConflictPlan, types: Types): InsertRows {
  const arbiters = arbitersOf(plan, conflict, types);
  const insert = (types.features.returning ? insertGroup : insertAndRead)(
    plan,
    group,
    types,
    mergeOf(plan, group, conflict, arbiters, types),
  );
  const lookups = arbiters.map((key) => lookup(plan, key, conflict, types));
  const id = idOf(plan, types);
  const names = new Set(group.columns.map(({ name }) => name));
  const sent = conflict.update.filter((name) => names.has(name));
  const defaults = conflict.update.filter((name) => !names.has(name));
  const update =
    conflict.update.length === 0
      ? undefined
      : updateStatement(plan, id, columnsOf(plan.table, sent, types), defaults, types);
  const after = afterwards(plan, id, types);
  const others = (conflict.absent ?? []).map((key) => lookup(plan, key, conflict, types));
  return async (run, given) => {
    const taken = new Set<number>();
    for (const look of others) for (const [at] of await look(run, given)) taken.add(at);
    const rows = given.filter(({ at }) => !taken.has(at));
    const found = new Map<number, { readonly id: Key; readonly hit: boolean }>();
    for (const look of lookups) for (const [at, row] of await look(run, rows)) found.set(at, row);
    const fresh = distinctRows(
      rows.filter(({ at }) => !found.has(at)),
      lookups.length === 1 ? lookups[0]?.key : undefined,
      conflict,
    );
    const hit = update === undefined ? [] : rows.filter(({ at }) => found.get(at)?.hit === true);
    checkDistinct(hit.map(({ at }) => found.get(at)?.id ?? []));
    const updated: WrittenRow[] = [];
    if (update !== undefined && hit.length > 0) {
      const values = hit.map(({ at, row }) => [
        ...(found.get(at)?.id ?? []),
        ...sent.map((name) => row.get(name) ?? null),
      ]);
      await run(update, valuesText(id, values, types));
      // The write may change the key.
      const ids = hit.map(({ at, row }) => movedKey(id, found.get(at)?.id ?? [], conflict.update, row));
      const answers = await after(run, ids);
      hit.forEach(({ at }, place) => updated.push({ at, isNew: false, id: ids[place] ?? [], ...answers(place) }));
    }
    const inserted = fresh.length === 0 ? [] : await insert(run, fresh);
    if (id.length > 0) checkDistinct([...updated, ...inserted].map((each) => each.id));
    return [...updated, ...inserted];
  };
}

/**
 * The clause for a row that another request has inserted since the lookup: it is updated, if the
 * table has no other unique key in the model. The database may have other unique indexes: a prefix
 * of a column, a column that the API does not have, an index that is newer than the model. A row
 * that is met in one of them fails the statement.
 */
function mergeOf(
  plan: InsertPlan,
  { columns }: InsertGroup,
  { update, where: matching }: ConflictPlan,
  [key = []]: readonly (readonly TypedColumn[])[],
  types: Types,
): Fragment {
  if (update.length === 0 || matching !== undefined || allKeys(plan.table, types).length !== 1) return nothing;
  // VALUES() is the value after a trigger or a default, which the request need not have.
  const isRowOfKey = join(
    key.map(({ name }) => {
      const column = sql`${table(plan.table, types)}.${sql.id(name)}`;
      return sql`${column} = values(${column})`;
    }),
    sql` and `,
  );
  const sets = update.map((name, at) => {
    // MariaDB has VALUE(), and MySQL is about to remove VALUES(); both databases may refer to the
    // table that the rows come from.
    const place = columns.findIndex((each) => each.name === name);
    // A column that the row lacks has its default in the row that would be inserted.
    const value = place === -1 ? sql`values(${sql.id(name)})` : givenValue(plan, columns, place, types);
    // NULL has no type that the value would be converted to. MariaDB evaluates OR from the left.
    return sql`${sql.id(name)} = ${at === 0 ? sql`if((${isRowOfKey}) or ${otherKeyError}, ${value}, null)` : value}`;
  });
  return sql`on duplicate key update ${join(sets)}`;
}

/** The keys by which a row may exist already: the named key, or all unique keys. */
function arbitersOf(
  { table: target }: InsertPlan,
  { target: named }: ConflictPlan,
  types: Types,
): readonly (readonly TypedColumn[])[] {
  if (named === undefined) return allKeys(target, types);
  // The database has no clause that checks the columns, as ON CONFLICT of PostgreSQL does.
  const key = keyWith(named, target, types);
  if (key === undefined) throw noUniqueKey();
  return [key];
}

const noUniqueKey = (): ServerError =>
  new ServerError(400, '42P10', missingKey.message, { hint: missingKey.hint, kind: 'malformed' });

interface Lookup {
  (
    run: RunOne,
    rows: readonly PlacedRow[],
  ): Promise<readonly (readonly [number, { readonly id: Key; readonly hit: boolean }])[]>;
  readonly key: readonly TypedColumn[];
}

/**
 * Locks the rows with the keys of the given rows.
 * @throws ServerError 400 for a key that several rows have
 */
function lookup(
  plan: InsertPlan,
  key: readonly TypedColumn[],
  { where: matching }: ConflictPlan,
  types: Types,
): Lookup {
  const compiler = createCompiler(types);
  const { style } = plan.returning;
  const scope: Scope = { row: compiler.newRow(), style, compiler };
  const id = idOf(plan, types);
  const texts = id.map((each) => keyText(each, scope.row, style, types));
  const hit = matching === undefined ? sql`true` : sql`(${condition(matching, scope)} is true)`;
  const from = sql`${keyTable(key, slot(given))} straight_join ${table(plan.table, types)} as ${sql.id(scope.row)} on ${sameKey(key, scope.row, types)}`;
  const statement = compileFragment(sql`select k.rn, ${hit}, ${join(texts)} from ${from} for update`);
  const look = async (run: RunOne, rows: readonly PlacedRow[]) => {
    const keyed = rows.filter(({ row }) => key.every(({ name }) => typeof row.get(name) === 'string'));
    if (keyed.length === 0 || key.length === 0) return [];
    const keys = keyed.map(({ row }) => key.map(({ name }) => row.get(name) ?? null));
    const answer = await run(statement, sentTexts(key, keys));
    // The database has dropped the index since the model was read.
    if (new Set(answer.map(([number]) => number)).size < answer.length) throw noUniqueKey();
    return answer.map(([number, isHit, ...texts]) => {
      const at = keyed[Number(number) - 1]?.at ?? -1;
      return [at, { id: texts, hit: isHit === '1' }] as const;
    });
  };
  return Object.assign(look, { key });
}

function updateStatement(
  plan: InsertPlan,
  id: readonly TypedColumn[],
  columns: readonly TypedColumn[],
  defaults: readonly string[],
  types: Types,
): Statement {
  const row = 'r0';
  const sets = [
    ...columns.map(
      ({ name, type }, at) => sql`${columnOf(row, name)} = ${cell(type, `c${String(id.length + at)}`, 'value', types)}`,
    ),
    ...defaults.map((name) => sql`${columnOf(row, name)} = default`),
  ];
  const source = keyTable(id, slot(given), columns.length);
  return compileFragment(
    sql`update ${source} straight_join ${table(plan.table, types)} as ${sql.id(row)} on ${sameKey(id, row, types)} set ${join(sets)}`,
  );
}

/** Keys in the form that `sameKey` compares, and values in the form that the client sent. */
function valuesText(id: readonly TypedColumn[], values: readonly Key[], types: Types): string {
  const keys = JSON.parse(
    keysText(
      id,
      values.map((each) => each.slice(0, id.length)),
      types,
    ),
  ) as readonly Key[];
  return JSON.stringify(values.map((each, at) => [...(keys[at] ?? []), ...each.slice(id.length)]));
}

const movedKey = (id: readonly TypedColumn[], key: Key, update: readonly string[], row: GivenRow): Key =>
  key.map((text, at) => {
    const column = id[at];
    if (column === undefined || !update.includes(column.name) || !row.has(column.name)) return text;
    const sent = row.get(column.name) ?? null;
    return sent === null ? null : textOfSent(column.type, sent);
  });

/** The answer about updated rows: their keys, and the text of each. */
function afterwards(plan: InsertPlan, id: readonly TypedColumn[], types: Types) {
  const { select, style, format, keys = [] } = plan.returning;
  const wanted = columnsOf(plan.table, keys, types);
  const texts =
    select === undefined
      ? undefined
      : compileReadByKeys(
          { table: plan.table, key: id, select, as: 'one', isAlone: true, format, style },
          given,
          types,
        );
  const keyed = compileKeyTexts(plan, id, wanted, types);
  return async (run: RunOne, ids: readonly Key[]) => {
    const found: { keys: Key; text: string | null }[] = [];
    for (const each of ids) {
      const one = keysText(id, [each], types);
      const [row] = texts === undefined ? [] : await run(texts, one);
      const [key] = wanted.length === 0 ? [] : await run(keyed, one);
      found.push({ keys: key ?? [], text: row?.[0] ?? null });
    }
    return (at: number): { keys: Key; text: string | null } => found[at] ?? { keys: [], text: null };
  };
}

function compileKeyTexts(
  plan: InsertPlan,
  id: readonly TypedColumn[],
  wanted: readonly TypedColumn[],
  types: Types,
): Statement {
  const texts = wanted.map((each) => keyText(each, 'r0', plan.returning.style, types));
  const from = sql`${keyTable(id, slot(given))} straight_join ${table(plan.table, types)} as r0 on ${sameKey(id, 'r0', types)}`;
  return compileFragment(sql`select ${texts.length === 0 ? sql`1` : join(texts)} from ${from}`);
}

/** `ignore`: of several new rows with the same key only the first is written. */
function distinctRows(
  rows: readonly PlacedRow[],
  key: readonly TypedColumn[] | undefined,
  { update }: ConflictPlan,
): readonly PlacedRow[] {
  if (key === undefined || update.length > 0) return rows;
  const seen = new Set<string>();
  return rows.filter(({ row }) => {
    const text = JSON.stringify(key.map(({ name }) => row.get(name) ?? null));
    if (text.includes('null') && key.some(({ name }) => row.get(name) === null || !row.has(name))) return true;
    return !seen.has(text) && seen.add(text).has(text);
  });
}

export function checkDistinct(ids: readonly Key[]): void {
  if (new Set(ids.map((id) => JSON.stringify(id))).size === ids.length) return;
  throw new ServerError(400, '21000', 'The request has the same row twice.', {
    hint: 'Rows that are merged have to have different keys.',
  });
}
