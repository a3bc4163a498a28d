import type { ColumnType } from '../../descriptor/descriptor.js';
import { arrayOf, jsonb, text } from './types.js';

/**
 * Types of the kind `other` whose own `=` and `<` mean what one expects. The rest (xml, point, box,
 * …) has none, or strange ones.
 */
const comparable = new Set(['inet', 'cidr', 'macaddr', 'macaddr8', 'bit', 'varbit', 'oid', 'pg_lsn', 'xid8']);

/**
 * The type that values of a column are compared and ordered as: json as jsonb, which has equality,
 * and types without rules of their own as their text.
 */
export function comparedAs(type: ColumnType): ColumnType {
  if (type.kind === 'json') return jsonb;
  if (type.kind === 'other') return type.sql.schema === undefined && comparable.has(type.sql.name) ? type : text;
  if (type.kind !== 'array' || type.element === undefined) return type;
  const element = comparedAs(type.element);
  return element === type.element ? type : arrayOf(element);
}
