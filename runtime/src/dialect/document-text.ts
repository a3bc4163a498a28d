import type { AnswerRow } from '../plan/statement.js';
import type { Text } from '../joined.js';

/**
 * A PostgreSQL select has 1,664 columns at most. A document with more fields is one column: an
 * object that the database builds.
 */
export const maxFields = 1600;

/**
 * The JSON text of a document's data, from the row that its statement returned: one column per
 * field. Only the names are added here, because an object that the database builds copies the text
 * of every field several times.
 * @param names names of the fields, in their order
 * @param row absent if the only field is one row, and the database found none
 */
export function documentText(names: readonly string[], row: AnswerRow | undefined): Text {
  if (names.length > maxFields) return row?.[0] ?? 'null';
  const parts: (string | Buffer)[] = [];
  let text = '';
  names.forEach((name, at) => {
    const value = row?.[at] ?? 'null';
    text += `${at === 0 ? '{' : ','}${JSON.stringify(name)}:`;
    if (typeof value === 'string') text += value;
    else {
      parts.push(text, value);
      text = '';
    }
  });
  return parts.length === 0 ? `${text}}` : [...parts, `${text}}`];
}

/**
 * The JSON text of each field of the same data, by name.
 * @param parse splits a JSON object: the data of a document with more fields than a row has columns
 */
export function documentFields(
  names: readonly string[],
  row: AnswerRow | undefined,
  parse: (text: string) => ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  if (names.length > maxFields) return parse(row?.[0]?.toString() ?? '{}');
  return new Map(names.map((name, at) => [name, row?.[at]?.toString() ?? 'null']));
}
