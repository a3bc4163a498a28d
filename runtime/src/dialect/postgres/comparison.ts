import type { ColumnType } from '../../descriptor/descriptor.js';
import { arrayOf, jsonb, text } from './types.js';

/**
 * Types of kind `other` with an ordinary `=` and `<`. Other types (xml, point, box, …) have no such
 * operators or unusual ones.
 */
const comparable = new Set([
  ...['inet', 'cidr', 'macaddr', 'macaddr8', 'bit', 'varbit', 'oid', 'pg_lsn', 'xid8'],
  ...['int4multirange', 'int8multirange', 'nummultirange', 'datemultirange', 'tsmultirange', 'tstzmultirange'],
]);

/** Types of extensions (ltree, isn) with ordinary operators. */
const comparableOfExtensions = new Set(['ltree', 'ean13', 'isbn', 'isbn13', 'ismn', 'ismn13', 'issn', 'issn13', 'upc']);

const isComparable = ({ sql: { schema, name } }: ColumnType): boolean =>
  (schema === undefined ? comparable : comparableOfExtensions).has(name);

/**
 * The type as which values of a column are compared and ordered: json as jsonb, which has equality,
 * and types without ordinary operators as text.
 */
export function comparedAs(type: ColumnType): ColumnType {
  if (type.kind === 'json') return jsonb;
  if (type.kind === 'other') return isComparable(type) ? type : text;
  if (type.kind !== 'array' || type.element === undefined) return type;
  const element = comparedAs(type.element);
  return element === type.element ? type : arrayOf(element);
}
