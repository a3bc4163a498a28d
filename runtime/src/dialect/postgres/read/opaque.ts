import { sql } from 'kysely';
import { join, type Fragment } from '../sql.js';

/** A cursor: base64url of a JSON list of these texts. */
export const opaqueList = (texts: readonly Fragment[]): Fragment => opaque(sql`json_build_array(${join(texts)})::text`);

/**
 * A global identifier. Its list has no blanks, like that of JSON.stringify: the same row must have
 * the same identifier wherever it is made, because clients compare them.
 */
export function nodeIdText(texts: readonly Fragment[]): Fragment {
  const items = texts.map((text) => sql`to_json(${text})::text`);
  return opaque(sql`'[' || ${join(items, sql` || ',' || `)} || ']'`);
}

const opaque = (text: Fragment): Fragment =>
  sql`translate(encode(convert_to(${text}, 'UTF8'), 'base64'), '+/=' || chr(10), '-_')`;
