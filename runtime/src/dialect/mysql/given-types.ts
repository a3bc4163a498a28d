import type { TypeRef } from '../../catalog/catalog.js';
import type { ModelDialect } from '../../model/types.js';
import { baseName } from './parameters/type-name.js';
import * as types from './types.js';

/** Whole numbers; ZEROFILL pads them, so that they are not meant as truth values. */
const integers: ReadonlySet<string> = new Set(['tinyint', 'smallint', 'mediumint', 'int', 'bigint']);
const texts: ReadonlySet<string> = new Set(['char', 'varchar', 'tinytext', 'text', 'mediumtext', 'longtext', 'json']);

/**
 * Truth values and JSON, of which a catalogue does not tell: BOOLEAN is another word for
 * `tinyint(1)`, and JSON a text with a check that a view or a column may lack.
 * Source: MariaDB manual, "BOOLEAN" and "JSON Data Type".
 */
export const given: NonNullable<ModelDialect['given']> = {
  named: ['tinyint(1)', 'bit(1)'],
  typeAs: (type, as, isNamed) => (as === 'json' ? jsonOf(type) : booleanOf(type, isNamed)),
};

function booleanOf(type: TypeRef, isNamed: boolean): TypeRef | undefined {
  if (type.formatted === 'bit(1)') return { ...type, name: types.bitBool.sql.name };
  const [family = '', ...attributes] = type.name.split(' ');
  const isInteger = integers.has(family) && !attributes.includes('zerofill');
  return isInteger && (isNamed || type.formatted === 'tinyint(1)') ? { ...type, name: types.bool.sql.name } : undefined;
}

function jsonOf(type: TypeRef): TypeRef | undefined {
  if (!texts.has(baseName(type)) || type.kind !== 'base') return undefined;
  return type.name === 'json' ? type : { ...type, name: types.textJson.sql.name, searchable: undefined };
}
