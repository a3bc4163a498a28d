import { malformedBody } from './malformed.js';

/**
 * A field of a line. A quoted field is always a text; an unquoted field that is empty or `NULL` is
 * null.
 */
const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y;

/**
 * Reads CSV with a header line, as rows by column. As in the CSV of answers, an empty field is null
 * and `""` is the empty text; as in PostgREST, `NULL` is null, too. Throws ServerError 400 if the
 * CSV is malformed or a line has a different number of fields than the header. Source: RFC 4180,
 * section 2; PostgREST, "Bulk insert with CSV".
 *
 * @accepts `a,b\n1,2` `a\n"x, ""y"""\n` `a,b\r\n,NULL` `a`
 * @rejects `` `a,b\n1` `a\n1,2` `a\n"x` `a\n"x"y` `a,a\n1,2`
 */
export function parseCsv(text: string): readonly Readonly<Record<string, string | null>>[] {
  const [header = [], ...lines] = linesOf(text);
  const names = header.map((name) => name ?? '');
  if (names.length === 0 || names.includes(''))
    throw malformedBody('The CSV has to begin with a line of column names.');
  if (new Set(names).size < names.length) throw malformedBody('The CSV names a column twice.');
  return lines.map((values, at) => {
    if (values.length === names.length)
      return Object.fromEntries(names.map((name, column) => [name, values[column] ?? null]));
    throw malformedBody(
      `Line ${String(at + 2)} of the CSV has ${String(values.length)} fields; the header has ${String(names.length)}.`,
      undefined,
      { kind: 'body', problem: 'csv' },
    );
  });
}

function linesOf(text: string): (string | null)[][] {
  const lines: (string | null)[][] = [];
  let line: (string | null)[] = [];
  let at = 0;
  while (at < text.length) {
    field.lastIndex = at;
    const found = field.exec(text);
    if (found === null) throw malformedBody(`The CSV is malformed in line ${String(lines.length + 1)}.`, quotingHint);
    const [, quoted, bare = '', end] = found;
    line.push(quoted?.replaceAll('""', '"') ?? (bare === '' || bare === 'NULL' ? null : bare));
    at = field.lastIndex;
    if (end === ',' && at < text.length) continue;
    if (end === ',') line.push(null);
    lines.push(line);
    line = [];
  }
  return lines;
}

const quotingHint = 'A field with a comma, a quote or a line break is quoted, and a quote in it doubled.';
