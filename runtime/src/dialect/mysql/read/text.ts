import { sql } from 'kysely';
import { join, literal, nothing, type Fragment } from '../sql.js';

/** A value as text: its expression, and whether JSON needs quotes around it. */
export interface Text {
  /** NULL exactly where the value is null. */
  readonly text: Fragment;
  /**
   * `escaped`: it may have any character. `plain`: it has no character that JSON escapes. `json`:
   * it is JSON already.
   */
  readonly form: 'escaped' | 'plain' | 'json';
  /**
   * Whether the value may be null. `test` is the expression to test for null, if it is not the
   * text.
   */
  readonly nullable: boolean;
  readonly test?: Fragment;
  /** The text in CSV, if it differs. */
  readonly csv?: Fragment;
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
 * A value as pieces of JSON. The value is tested for null instead of its text: a text that is too
 * long for the database is NULL, too.
 */
function pieces({ text, form, nullable, test }: Text): readonly Piece[] {
  const plain = form === 'plain' && !nullable;
  if (plain) return ['"', text, '"'];
  const quoted =
    form === 'escaped' ? sql`json_quote(${text})` : form === 'plain' ? sql`concat('"', ${text}, '"')` : text;
  return [nullable ? sql`if(${test ?? text} is null, 'null', ${quoted})` : quoted];
}

/** `concat('{"id":', r0.id, …, '}')`: NULL only if the text is too long for the database. */
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
 * Fails with error 1690 (BIGINT UNSIGNED out of range) when it is evaluated. It is not constant,
 * because the database evaluates constants even if they are not reached.
 */
const overflow = sql`~0 + cast(ceil(1 + rand()) as unsigned)`;

/**
 * The text, or an error if the database has cut it or left it out: the database itself returns NULL
 * and a warning for a text that is too long.
 */
export const whole = (text: Fragment): Fragment => sql`coalesce(${text}, ${overflow})`;

/**
 * `whole` of an aggregate beside other aggregates of the same rows. The error has to depend on the
 * rows: MariaDB evaluates an independent expression when it reads the first row. A derived table
 * around the aggregate would need a temporary table on disk for each read.
 */
export const wholeOfRows = (text: Fragment): Fragment => sql`coalesce(${text}, ~0 + count(*))`;

/**
 * An aggregate with all rows as a JSON list. It ends with blanks, which are JSON white space: the
 * database cuts a list at exactly `max_allowed_packet` bytes, so that with the blanks it becomes
 * NULL, which `whole` around the select detects.
 * @param kept the condition of the rows in the list; absent: all rows
 */
export function listOf(row: Fragment, order: readonly Fragment[], kept?: Fragment): Fragment {
  const ordered = order.length === 0 ? nothing : sql` order by ${join(order)}`;
  const item = kept === undefined ? whole(row) : sql`if(${kept}, ${whole(row)}, null)`;
  return sql`concat('[', coalesce(group_concat(${item}${ordered} separator ','), ''), ']   ')`;
}
