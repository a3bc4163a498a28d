import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** Milliseconds between two checks: no pause at first, then at most this long. */
const MAX_PAUSE_MS = 16;

/**
 * The log reports a commit before the transaction leaves the list of running transactions, so a
 * read right after the report may still get the old row. The query answers whether every new
 * snapshot sees all of these transactions. The protocol sends the lower 32 bits of their numbers;
 * the query adds the upper bits of the number nearest to the next transaction number.
 */
const visibleQuery = `
  with now as (select txid_snapshot_xmax(s) as next, s from txid_current_snapshot() s),
  near as (
    select ((next >> 32) << 32) + x as id, next, s from now, unnest($1::bigint[]) x
  )
  select coalesce(bool_and(txid_visible_in_snapshot(case
      when id - next > 2147483648 then id - 4294967296
      when next - id > 2147483648 then id + 4294967296
      else id
    end, s)), true) as visible,
    array(select c.oid::int8::text from pg_catalog.pg_class c where c.oid = any($2::oid[]) and c.relrowsecurity) as secured
  from near`;

/**
 * Resolves when a new snapshot sees all of these transactions, with those of the tables that have
 * row level security.
 */
export async function untilVisible(
  client: pg.Client,
  xids: readonly number[],
  oids: readonly number[],
): Promise<ReadonlySet<number>> {
  for (let pause = 0; ; pause = Math.min(pause * 2 || 1, MAX_PAUSE_MS)) {
    const { rows } = await client.query<{ visible: boolean; secured: string[] }>({
      name: 'visible',
      text: visibleQuery,
      values: [xids, oids],
    });
    const [row] = rows;
    if (row?.visible === true) return new Set(row.secured.map(Number));
    if (pause > 0) await sleep(pause);
  }
}
