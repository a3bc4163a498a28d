/**
 * Names in quotes of either database, and the name of a row. MariaDB returns no written rows: they
 * are read by the keys of what was written and checked, which are in `k`.
 */
const rowOfTable = /(insert into |as `k` straight_join )?["`]\w+["`]\.["`](\w+)["`] as ["`](r\d+)["`]/g;

/**
 * What a server with rules has sent without the condition of a rule: the places where statements of
 * its log name a table other than to write it, and have no condition on the row's owner. A
 * statement for a caller without a token has `false` in its place, once for each.
 * @param log lines of JSON, with all statements: `APP_LOG_SLOW_STATEMENT_MS=0`
 */
export function unruledStatements(log: string, ruled: ReadonlySet<string>): readonly string[] {
  const statements = new Set(log.split('\n').flatMap(statementOf));
  return [...statements].flatMap((text) => {
    const rows = [...text.matchAll(rowOfTable)].filter(
      ([, into, table = '']) => into === undefined && ruled.has(table),
    );
    const without = rows.filter(([, , , row = '']) => !hasOwner(text, row));
    const denials = text.match(/\bfalse\b/g)?.length ?? 0;
    return without.length === rows.length && denials >= rows.length
      ? []
      : without.map(([, , table = '', row = '']) => `${table} as ${row}: ${text}`);
  });
}

const hasOwner = (text: string, row: string): boolean =>
  new RegExp(`["\`]${row}["\`]\\.["\`]owner["\`](?: collate \\w+)? (?:=|<=>)`).test(text);

function statementOf(line: string): readonly string[] {
  if (!line.startsWith('{')) return [];
  const { statement } = JSON.parse(line) as { readonly statement?: unknown };
  return typeof statement === 'string' ? [statement] : [];
}
