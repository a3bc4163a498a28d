import { sql } from 'kysely';
import type { Expression } from '../../../plan/read/plan.js';
import type { PageParts } from '../../sql/words.js';
import { constant, join, type Fragment } from '../sql.js';
import { compared, orderBy } from './expression.js';
import { page, pageLimit } from './limit.js';
import { opaqueList } from './opaque.js';
import type { Postgres, Scope } from './scope.js';

/** base64url of a JSON list: the fingerprint, then a text for each key. */
export function cursor(fingerprint: string, keys: readonly Expression[] | 'position', scope: Scope): Fragment {
  const texts =
    keys === 'position' ? [sql`(w.start + p.n)::text`] : keys.map((by) => sql`${compared(by, scope)}::text`);
  return opaqueList([constant(fingerprint), ...texts]);
}

const order = (descending: boolean): Fragment => sql.raw(descending ? 'p.n desc' : 'p.n asc');

export const pageList = (each: Fragment, descending: boolean, kept: Fragment): Fragment =>
  sql`coalesce(json_agg(${each} order by ${order(descending)}) filter (where ${kept}), '[]')`;

export const pageFirst = (value: Fragment, descending: boolean, kept: Fragment): Fragment =>
  sql`(array_agg(${value} order by ${order(descending)}) filter (where ${kept}))[1]`;

export function keyPage({ plan, scope, backward, columns, source }: PageParts<Postgres>): Fragment {
  const ordered = orderBy(plan.order, scope, backward);
  const { fetch: limit, reach } = plan.page;
  const bounds = { limit, ...(reach === undefined ? {} : { reach }) };
  const found = sql`select ${join(columns)} ${source()} ${ordered}`;
  return numbered(page(sql`(${found} ${pageLimit(bounds)}) as q`, sql`q`, bounds));
}

export function positionPage({ plan, scope, columns, source }: PageParts<Postgres>): Fragment {
  const found = sql`select ${join(columns)} ${source()} ${orderBy(plan.order, scope)}`;
  const rows = numbered(sql`(${found} limit w.stop - w.start offset w.start) as q`);
  return sql`left join lateral ${rows} on true`;
}

/** Adds the number of each row in their order, and the number of all rows. */
const numbered = (rows: Fragment): Fragment =>
  sql`(select q.*, row_number() over () as n, count(*) over () as rows from ${rows}) as p`;
