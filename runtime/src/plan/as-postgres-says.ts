import type { ColumnType, SqlType } from '../descriptor/descriptor.js';
import type { ErrorReason } from '../errors.js';

/** The operators of REST as PostgreSQL writes them in its messages. */
const symbols: Readonly<Record<string, string>> = {
  like: '~~',
  ilike: '~~*',
  match: '~',
  imatch: '~*',
  cs: '@>',
  cd: '<@',
  ov: '&&',
  sl: '<<',
  sr: '>>',
  nxr: '&<',
  nxl: '&>',
  adj: '-|-',
};

const types: Readonly<Record<string, string>> = {
  int2: 'smallint',
  int4: 'integer',
  int8: 'bigint',
  float4: 'real',
  float8: 'double precision',
  bool: 'boolean',
  varchar: 'character varying',
  bpchar: 'character',
  timestamp: 'timestamp without time zone',
  timestamptz: 'timestamp with time zone',
  time: 'time without time zone',
  timetz: 'time with time zone',
};

const typeName = ({ name, array }: SqlType): string => `${types[name] ?? name}${array === true ? '[]' : ''}`;

const takesTypes = (what: string): string =>
  `No ${what} matches the given name and argument types. You might need to add explicit type casts.`;

/**
 * What PostgreSQL says of an operator that a type does not have, where the server refuses it
 * before. Undefined for operators that are not PostgreSQL's.
 */
export function noOperator(operator: string, { sql }: Pick<ColumnType, 'sql'>): ErrorReason | undefined {
  const type = typeName(sql);
  const symbol = symbols[operator];
  if (symbol !== undefined) return refused('42883', `operator does not exist: ${type} ${symbol} unknown`, 'operator');
  if (/^(?:pl|ph|w)?fts$/.test(operator))
    return refused('42883', `function to_tsvector(${type}) does not exist`, 'function');
  const word = /^is\.(true|false|unknown)$/.exec(operator)?.[1]?.toUpperCase();
  return word === undefined
    ? undefined
    : refused('42804', `argument of IS ${word} must be type boolean, not type ${type}`);
}

export const noAggregate = (name: string, { sql }: Pick<ColumnType, 'sql'>): ErrorReason =>
  refused('42883', `function ${name}(${typeName(sql)}) does not exist`, 'function');

export const noType = (name: string): ErrorReason => refused('42704', `type "${name}" does not exist`);

/** Where no table qualifies the name. */
export const noColumn = (name: string): ErrorReason => refused('42703', `column "${name}" does not exist`);

/** A literal that the server parses itself. */
export const malformedLiteral = (type: 'array' | 'range', text: string): ErrorReason =>
  refused('22P02', `malformed ${type} literal: "${text}"`);

export const invalidJson: ErrorReason = refused('22P02', 'invalid input syntax for type json');

function refused(state: string, message: string, untyped?: 'function' | 'operator'): ErrorReason {
  return { kind: 'refusedStatement', state, message, hint: untyped === undefined ? undefined : takesTypes(untyped) };
}
