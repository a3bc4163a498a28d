import { sql } from 'kysely';
import type { Entry } from './scope.js';
import { clauses, constant, join, nothing, type Fragment } from '../sql.js';

/** Rows, as a FROM item named `t`, and the expression that is one row's JSON or composite value. */
export interface Rows {
  readonly from: Fragment;
  readonly row: Fragment;
  /**
   * Whether `row` is JSON already: the other form is a composite value that `row_to_json` takes.
   */
  readonly json: boolean;
}

/**
 * PostgreSQL truncates longer names, so that the key would be wrong. A target list has 1,664
 * entries at most.
 */
const maxNameLength = 63;
const maxColumns = 1600;

/**
 * The rows that `tail` (FROM, WHERE, ORDER BY, LIMIT) finds, each with these members. If possible
 * it is a subselect with the members as columns, which is the fastest form; otherwise a JSON object
 * built from pairs, which allows any keys.
 */
export function rowsOf(entries: readonly Entry[], tail: Fragment): Rows {
  if (fitsSubselect(entries)) {
    const columns = entries.map(({ as, value }) => sql`${value} as ${sql.id(as)}`);
    // t.* and not t: a column may be named t.
    return { from: sql`(${clauses(sql`select ${join(columns)}`, tail)}) as t`, row: sql`t.*`, json: false };
  }
  return {
    from: sql`(${clauses(sql`select ${objectOfPairs(entries)} as row`, tail)}) as t`,
    row: sql`t.row`,
    json: true,
  };
}

const fitsSubselect = (entries: readonly Entry[]): boolean =>
  entries.length <= maxColumns && entries.every(({ as }) => as !== '' && Buffer.byteLength(as) <= maxNameLength);

function objectOfPairs(entries: readonly Entry[]): Fragment {
  const pairs = entries.map(({ as, value }, at) => sql`(${sql.lit(at)}, ${constant(as)}, to_json(${value}))`);
  return sql`(select json_object_agg(o.key, o.value order by o.at) from (values ${join(pairs)}) as o(at, key, value))`;
}

/** Each row as JSON: the select list over `rows.from`. */
export const jsonOf = (rows: Rows): Fragment => (rows.json ? rows.row : sql`row_to_json(${rows.row})`);

/** All rows as one JSON list. */
export const listOf = (rows: Rows): Fragment => sql`coalesce(json_agg(${rows.row}), '[]')`;

/**
 * A scalar subselect with a JSON object of these members, from the one row of `tail`, or from the
 * row around it.
 */
export function objectOf(entries: readonly Entry[], tail: Fragment = nothing): Fragment {
  const rows = rowsOf(entries, tail);
  return sql`(select ${jsonOf(rows)} from ${rows.from})`;
}
