import type { RawRow } from './statement.js';

/**
 * A select has 1,664 columns at most: a document of more fields is one column, with the object that
 * the database makes of them.
 */
export const mostFields = 1600;

/**
 * The JSON text of a document's data, from the row that its statement answers: a column for each
 * field. Only the names are put around them here, since an object that the database makes copies
 * the text of every field several times.
 * @param names of the fields, in their order
 * @param row absent: the one row of the only field is not there
 */
export function documentText(names: readonly string[], row: RawRow | undefined): string {
  if (names.length > mostFields) return row?.[0] ?? 'null';
  let text = '';
  names.forEach((name, at) => {
    text += `${at === 0 ? '{' : ','}${JSON.stringify(name)}:${row?.[at] ?? 'null'}`;
  });
  return `${text}}`;
}

/**
 * The JSON text of each field of the same data, by name.
 * @param parse takes a JSON object apart: that of a document of more fields than a row has columns
 */
export function documentFields(
  names: readonly string[],
  row: RawRow | undefined,
  parse: (text: string) => ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  if (names.length > mostFields) return parse(row?.[0] ?? '{}');
  return new Map(names.map((name, at) => [name, row?.[at] ?? 'null']));
}
