import { sql } from 'kysely';
import { join, literal, nothing, type Fragment } from '../sql.js';

/** A value as text: its expression, and whether JSON needs it in quotes. */
export interface Text {
  /** NULL where the value is null, and only there. */
  readonly text: Fragment;
  /**
   * `escaped`: it may have any character. `plain`: it has none that JSON escapes. `json`: it is
   * JSON already.
   */
  readonly form: 'escaped' | 'plain' | 'json';
  /** Whether it may be null. `test` is what `is null` is asked of. */
  readonly nullable: boolean;
  readonly test?: Fragment;
}

/** One member of a JSON object. */
export interface Entry {
  readonly as: string;
  readonly value: Text;
}

/** JSON that is never null. */
export const jsonText = (text: Fragment): Text => ({ text, form: 'json', nullable: false });

/**
 * Pieces of a text: adjacent literal pieces become one literal.
 */
type Piece = string | Fragment;

/**
 * A value as pieces of JSON. Null is tested of the value and not of its text: a text that is longer
 * than the database can make is NULL, too.
 */
function pieces({ text, form, nullable, test }: Text): readonly Piece[] {
  const plain = form === 'plain' && !nullable;
  if (plain) return ['"', text, '"'];
  const quoted =
    form === 'escaped' ? sql`json_quote(${text})` : form === 'plain' ? sql`concat('"', ${text}, '"')` : text;
  return [nullable ? sql`if(${test ?? text} is null, 'null', ${quoted})` : quoted];
}

/**
 * `concat('{"id":', r0.id, …, '}')`: NULL only where the text is longer than the database can make.
 */
export function objectText(entries: readonly Entry[]): Fragment {
  const all: Piece[] = ['{'];
  entries.forEach(({ as, value }, at) => {
    all.push(`${at === 0 ? '' : ','}${JSON.stringify(as)}:`, ...pieces(value));
  });
  all.push('}');
  return concat(all);
}

export const valueText = (value: Text): Fragment => concat(pieces(value));

/** `["a", …]`: values as a JSON list. */
export const tupleText = (values: readonly Text[]): Fragment =>
  concat(['[', ...values.flatMap((value, at) => (at === 0 ? pieces(value) : [',', ...pieces(value)])), ']']);

export function concat(all: readonly Piece[]): Fragment {
  const parts: Fragment[] = [];
  let words = '';
  const flush = (): void => {
    if (words !== '') parts.push(literal(words));
    words = '';
  };
  for (const piece of all) {
    if (typeof piece === 'string') words += piece;
    else {
      flush();
      parts.push(piece);
    }
  }
  flush();
  const [only = literal('')] = parts;
  return parts.length <= 1 ? only : sql`concat(${join(parts)})`;
}

/**
 * Fails with error 1690 when it is evaluated. Written so that it is no constant: the database
 * evaluates constants even where they are not reached. Source: the error is that of BIGINT UNSIGNED
 * out of range.
 */
const overflow = sql`~0 + cast(ceil(1 + rand()) as unsigned)`;

/**
 * The text, or an error where the database has cut it or left it out: its own answer to a text that
 * is too long is NULL and a warning.
 */
export const whole = (text: Fragment): Fragment => sql`coalesce(${text}, ${overflow})`;

/**
 * `whole` of an aggregate, beside other aggregates of the same rows. The error depends on the rows:
 * MariaDB evaluates an independent expression when it reads the first row. A derived table around
 * the aggregate would need a temporary table on disk for each read.
 */
export const wholeOfRows = (text: Fragment): Fragment => sql`coalesce(${text}, ~0 + count(*))`;

/**
 * An aggregate with all rows as a JSON list. The blanks at its end are JSON's white space: a list
 * that the database cuts at `max_allowed_packet` is exactly as long as that, so that it becomes
 * NULL with them, and `whole` around the select finds out.
 * @param kept which of the rows are in it; absent: all
 */
export function listOf(row: Fragment, order: readonly Fragment[], kept?: Fragment): Fragment {
  const ordered = order.length === 0 ? nothing : sql` order by ${join(order)}`;
  const item = kept === undefined ? whole(row) : sql`if(${kept}, ${whole(row)}, null)`;
  return sql`concat('[', coalesce(group_concat(${item}${ordered} separator ','), ''), ']   ')`;
}
