import { sql } from 'kysely';
import { csvHeader } from '../../../plan/read/format.js';
import type { SelectionPlan } from '../../../plan/read/plan.js';
import { jsonOf, type Rows } from './object.js';
import { constant, type Fragment } from '../sql.js';

/**
 * Rows as CSV with a header line. Values are those of the JSON answer, except that arrays, ranges
 * and composites are literals. Null is an empty field, the empty text is `""`; a text that readers
 * take for null is quoted. Lines end in a line feed, as in PostgREST.
 * Source: RFC 4180, 2.
 */
export function csvOf(rows: Rows, select: readonly SelectionPlan[]): Fragment {
  const needsQuotes = sql`f.value in ('', 'NULL') or f.value ~ '[",\r\n]'`;
  const quoted = sql`'"' || replace(f.value, '"', '""') || '"'`;
  const field = sql`case when ${needsQuotes} then ${quoted} else coalesce(f.value, '') end`;
  const fields = sql`json_each_text(${jsonOf(rows)}) with ordinality as f(key, value, n)`;
  const line = sql`(select string_agg(${field}, ',' order by f.n) from ${fields})`;
  return sql`${constant(csvHeader(select))} || coalesce(string_agg(chr(10) || ${line}, ''), '')`;
}
