import { sql } from 'kysely';
import { csvHeader } from '../../../plan/read/format.js';
import type { SelectionPlan } from '../../../plan/read/plan.js';
import { constant, join, type Fragment } from '../sql.js';
import type { Entry } from './text.js';
import { whole } from './text.js';

const newLine = sql`char(10 using utf8mb4)`;

/** A row as a line of CSV. Source: RFC 4180, section 2. */
export const csvLine = (entries: readonly Entry[]): Fragment =>
  sql`concat_ws(',', ${join(entries.map(({ value }) => field(value)))})`;

/**
 * Null is an empty field, the empty text is `""`. A text that readers take for null is quoted, too.
 */
function field({ csv, text: json, nullable, test }: Entry['value']): Fragment {
  const text = csv ?? json;
  const plain = sql`convert(${text} using utf8mb4)`;
  const quoted = sql`concat('"', replace(${plain}, '"', '""'), '"')`;
  const needsQuotes = sql`char_length(${plain}) = 0 or ${plain} = 'NULL' or ${plain} regexp ${constant('[",\r\n]')}`;
  const written = sql`if(${needsQuotes}, ${quoted}, ${plain})`;
  return nullable ? sql`if(${test ?? text} is null, '', ${written})` : written;
}

/** Lines with a header. They end in a line feed, as PostgREST's do. */
export function csvOf(line: Fragment, order: readonly Fragment[], select: readonly SelectionPlan[]): Fragment {
  const ordered = order.length === 0 ? sql`` : sql` order by ${join(order)}`;
  const lines = sql`group_concat(concat(${newLine}, ${whole(line)})${ordered} separator '')`;
  // A text that the database has cut becomes NULL with the blanks. They are removed again.
  const guarded = sql`concat(coalesce(${lines}, ''), '    ')`;
  return sql`concat(${constant(csvHeader(select))}, left(${guarded}, char_length(${guarded}) - 4))`;
}
