/** A row of information_schema, its names aliased to small letters. */
export type Row = Readonly<Record<string, unknown>>;

/** A value as text; drivers give some columns of information_schema as bytes. */
export const textOf = (row: Row, name: string): string => nullableText(row, name) ?? '';

export function nullableText(row: Row, name: string): string | null {
  const value = row[name];
  if (value === null || value === undefined) return null;
  if (Buffer.isBuffer(value)) return value.toString('utf8');
  return typeof value === 'number' || typeof value === 'bigint'
    ? value.toString()
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);
}

/** An empty comment counts as no comment. */
export const commentOf = (row: Row): string | null => {
  const comment = textOf(row, 'comment');
  return comment === '' ? null : comment;
};

/** The key of a row's table in maps: names may hold any character but NUL. */
export const tableKey = (schema: string, table: string): string => `${schema}\0${table}`;

export const keyOf = (row: Row): string => tableKey(textOf(row, 'schema'), textOf(row, 'table'));

/** Groups rows and keeps their order. */
export function grouped(rows: readonly Row[], key: (row: Row) => string): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(key(row));
    if (group === undefined) groups.set(key(row), [row]);
    else group.push(row);
  }
  return groups;
}
