import type { Table } from '../../registry.js';

/** Rows of a body that all look like its first one. */
export interface ScannedRows {
  readonly count: number;
  readonly columns: readonly string[];
}

/**
 * Reads a JSON list of rows with the same columns, in the same order, without parsing it: what is asked is only whether its text can go to the
 * database as it is. A tenth of the time of `JSON.parse`, and no memory.
 * Answers undefined for everything else, what is malformed among it: that is for the parser to read, or to refuse.
 *
 *     [{"id":1,"name":"Ada"}, {"id":2,"name":null}]    → 2 rows of id and name
 *     [{"id":1}, {"name":"Ada"}]                       → undefined: not the same columns
 *     [{"tags":["a"]}], [], [{"no_such_column":1}]     → undefined
 */
export function scanRows(text: string, table: Table): ScannedRows | undefined {
  const start = matchAt(listStart, text, 0);
  const columns = start === undefined ? undefined : firstColumns(text, start, table);
  if (start === undefined || columns === undefined) return undefined;
  const row = new RegExp(
    `${space}\\{${columns.map((name) => member(escaped(JSON.stringify(name)))).join()}\\}${space}`,
    'y',
  );
  let count = 0;
  for (let at = start; ; at += 1) {
    const end = matchAt(row, text, at);
    if (end === undefined) return undefined;
    count += 1;
    at = end;
    if (text[at] === ',') continue;
    return matchAt(listEnd, text, at) === text.length ? { count, columns } : undefined;
  }
}

/** The columns of the row that begins at `start`; undefined where one is not there, is given twice, or takes more than scalars. */
function firstColumns(text: string, start: number, table: Table): readonly string[] | undefined {
  const columns = new Set<string>();
  let at = matchAt(rowStart, text, start);
  while (at !== undefined) {
    anyMember.lastIndex = at;
    const name = anyMember.exec(text)?.[1];
    const kind = name === undefined ? undefined : table.byName.get(name)?.type.kind;
    if (name === undefined || kind === undefined || isReadByUs(kind) || columns.has(name)) return undefined;
    columns.add(name);
    at = anyMember.lastIndex;
    if (text[at] === '}') return [...columns];
    at = text[at] === ',' ? at + 1 : undefined;
  }
  return undefined;
}

/** A string may be the text form of one of these, and the database does not take all forms that we do. */
const isReadByUs = (kind: string): boolean => ['range', 'composite', 'array', 'vector'].includes(kind);

/** Where the text at `at` that the sticky expression matches ends. */
function matchAt(expression: RegExp, text: string, at: number): number | undefined {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : undefined;
}

/*
 * JSON of https://www.rfc-editor.org/rfc/rfc8259, values that are no list or object. Each part can begin in one way only, so that no text makes
 * an expression try twice. No zero byte: PostgreSQL's text has none.
 */
const space = '[ \\t\\n\\r]*';
const characters = '[^"\\\\\\x00-\\x1f]*';
const string = `"${characters}(?:\\\\(?:["\\\\/bfnrt]|u(?!0000)[0-9a-fA-F]{4})${characters})*"`;
const number = '-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?';
const member = (name: string): string =>
  `${space}${name}${space}:${space}(?:${string}|${number}|true|false|null)${space}`;

const listStart = new RegExp(`${space}\\[`, 'y');
const listEnd = new RegExp(`\\]${space}`, 'y');
const rowStart = new RegExp(`${space}\\{`, 'y');
const anyMember = new RegExp(member('"([^"\\\\\\x00-\\x1f]+)"'), 'y');

const escaped = (text: string): string => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
