import { sql } from 'kysely';
import type { Fragment } from '../sql.js';
import { tupleText, type Text } from './text.js';

/** base64url of a JSON list of these texts: cursors and global identifiers. */
export function opaqueList(texts: readonly Text[]): Fragment {
  const lines = sql`replace(replace(to_base64(${tupleText(texts)}), char(10 using utf8mb4), ''), '=', '')`;
  return sql`replace(replace(${lines}, '+', '-'), '/', '_')`;
}
