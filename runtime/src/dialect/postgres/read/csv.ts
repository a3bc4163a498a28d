import { sql } from 'kysely';
import { csvHeader } from '../../../plan/read/format.js';
import type { SelectionPlan, Style } from '../../../plan/read/plan.js';
import { jsonOf, type Rows } from './object.js';
import { constant, type Fragment } from '../sql.js';

/**
 * Rows as CSV with a header line. Values are those of the JSON answer, except that arrays, ranges
 * and composites are literals. Null is an empty field, the empty text is `""`; a text that readers
 * take for null is quoted. Lines end in a line feed, as in PostgREST, whose own form also quotes
 * what PostgreSQL quotes in the text of a row, and has no header without rows.
 * Source: RFC 4180, 2; PostgreSQL manual, "Composite Type Input and Output Syntax".
 */
export function csvOf(rows: Rows, select: readonly SelectionPlan[], { isNative }: Pick<Style, 'isNative'>): Fragment {
  const common = sql`f.value in ('', 'NULL') or f.value ~ '[",\r\n]'`;
  const needsQuotes =
    isNative === true ? sql`${common} or f.value ~ '[() \t\v\f]' or strpos(f.value, chr(92)) > 0` : common;
  const quoted = sql`'"' || replace(f.value, '"', '""') || '"'`;
  const field = sql`case when ${needsQuotes} then ${quoted} else coalesce(f.value, '') end`;
  const fields = sql`json_each_text(${jsonOf(rows)}) with ordinality as f(key, value, n)`;
  const line = sql`(select string_agg(${field}, ',' order by f.n) from ${fields})`;
  const header = constant(csvHeader(select));
  const lines = sql`string_agg(chr(10) || ${line}, '')`;
  return isNative === true ? sql`coalesce(${header} || ${lines}, chr(10))` : sql`${header} || coalesce(${lines}, '')`;
}
