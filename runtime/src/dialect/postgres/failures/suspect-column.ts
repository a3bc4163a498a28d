import type { ColumnType, Kind } from '../../../descriptor/descriptor.js';
import type { Registry, Table } from '../../../descriptor/registry.js';

type Row = Readonly<Record<string, unknown>>;

/**
 * The column whose value the database could not read, if only one column is possible. Rows are one
 * JSON parameter, so the error does not name the column.
 */
export function suspectColumn(
  code: string,
  table: Table,
  readRows: () => readonly Row[],
  enums: Registry['enums'],
): string | undefined {
  const rows = kindsOf(code).length === 0 ? [] : rowsOrNone(readRows);
  const given = new Set(rows.flatMap((row) => Object.keys(row)));
  const candidates = table.columns.filter(
    ({ name, field, type }) => (given.has(field ?? name) || given.has(name)) && kindsOf(code).includes(type.kind),
  );
  const wrong = candidates.filter(({ name, field, type }) =>
    rows.some((row) => !mayFit(code, type, row[field ?? name] ?? row[name], enums)),
  );
  const [suspect, ...more] = wrong.length > 0 ? wrong : candidates;
  return more.length === 0 ? suspect?.name : undefined;
}

/** Very deeply nested JSON exceeds the parser. Then no column is named. */
function rowsOrNone(readRows: () => readonly Row[]): readonly Row[] {
  try {
    return readRows();
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
}

const dates: readonly Kind[] = ['date', 'time', 'timestamp', 'interval'];
const wholeNumbers: readonly Kind[] = ['int', 'bigint'];
const numbers: readonly Kind[] = [...wholeNumbers, 'numeric', 'float', 'money'];
const forms: readonly Kind[] = [...numbers, 'boolean', 'uuid', 'enum', 'other', 'array', 'range', 'composite', 'json'];

/** The kinds of columns that report an SQLSTATE. */
function kindsOf(code: string): readonly Kind[] {
  switch (code) {
    case '22001':
      return ['text'];
    case '22003':
      return numbers;
    case '22007':
    case '22008':
    case '22009':
      return dates;
    case '22P02':
      return forms;
    default:
      return [];
  }
}

/** False only for a value that the type cannot hold. */
function mayFit(code: string, type: ColumnType, value: unknown, enums: Registry['enums']): boolean {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return true;
  const text = String(value).trim();
  if (code === '22003') return !wholeNumbers.includes(type.kind) || isInRange(type, text);
  if (code !== '22P02') return true;
  if (type.kind === 'enum') {
    return enums.get(type.enum ?? '')?.values.some(({ label, name }) => label === value || name === value) ?? true;
  }
  return patterns.get(type.kind)?.test(text) ?? true;
}

const whole = /^[+-]?\d+$/;
const decimal = /^[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|nan|inf(inity)?)$/i;
const patterns: ReadonlyMap<Kind, RegExp> = new Map([
  ['int', whole],
  ['bigint', whole],
  ['numeric', decimal],
  ['float', decimal],
  ['boolean', /^(t|tr|tru|true|y|ye|yes|on|1|f|fa|fal|fals|false|n|no|of|off|0)$/i],
  ['uuid', /^\{?([\da-f]{4}-?){7}[\da-f]{4}\}?$/i],
]);

const bits: ReadonlyMap<string, number> = new Map([
  ['int2', 16],
  ['int4', 32],
  ['int8', 64],
]);

function isInRange({ sql }: ColumnType, text: string): boolean {
  const size = bits.get(sql.name);
  return (
    size === undefined ||
    !whole.test(text) ||
    BigInt.asIntN(size, BigInt(text.replace('+', ''))) === BigInt(text.replace('+', ''))
  );
}
