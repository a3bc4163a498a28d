import type { RawRow } from '../session/statement.js';

/** A select has 1,664 columns at most: a document of more fields is one column, with the object that the database makes of them. */
export const mostFields = 1600;

/**
 * The JSON text of a document's data, from the row that its statement answers: a column for each field. Only the names are put around them here,
 * since an object that the database makes copies the text of every field several times.
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
