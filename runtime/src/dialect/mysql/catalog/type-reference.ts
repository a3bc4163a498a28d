import type { TypeRef } from '../../../catalog/catalog.js';
import { nullableText, textOf, type Row } from './row.js';

/** The schema of types that every server has. */
export const builtinSchema = 'mysql';

/** The parts of the name of an enum or a set, which has no name in the database. */
export interface TypePlace {
  readonly schema: string;
  /** `issues.status`: no table or column has such a name. */
  readonly name: string;
}

/**
 * The type of a column or an argument. An enum or a set is a type of its column alone, named by its
 * place. MariaDB's `json` is a longtext with a check.
 * @param row with data_type, column_type and collation
 * @param isSearchable whether a full-text index covers the column alone
 */
export function typeReference(row: Row, place: TypePlace, isJson: boolean, isSearchable = false): TypeRef {
  const family = textOf(row, 'data_type').toLowerCase();
  const formatted = isJson ? 'json' : plainType(textOf(row, 'column_type'));
  const collation = nullableText(row, 'collation');
  const described = {
    modifier: null,
    formatted,
    ...(collation === null ? {} : { collation }),
    ...(isSearchable ? { searchable: true as const } : {}),
  };
  if (family === 'enum' || family === 'set') {
    return { schema: place.schema, name: place.name, array: family === 'set', kind: 'enum', ...described };
  }
  const attributes = ['unsigned', 'zerofill'].filter((word) => formatted.includes(` ${word}`));
  return {
    schema: builtinSchema,
    name: isJson ? 'json' : [family, ...attributes].join(' '),
    array: false,
    kind: 'base',
    ...described,
  };
}

/**
 * The display width of an integer is left out; MySQL no longer prints it. `tinyint(1)` keeps it,
 * because many use that type as a boolean, and so does a type with ZEROFILL.
 */
function plainType(columnType: string): string {
  if (columnType === 'tinyint(1)' || /zerofill/i.test(columnType)) return columnType;
  return columnType.replace(/^((?:tiny|small|medium|big)?int|year)\(\d+\)/i, '$1');
}

/** The labels of `enum('it''s','x,y')`, in order. Undefined for every other type. */
export function labelsOf(columnType: string): readonly string[] | undefined {
  const [, list] = /^(?:enum|set)\(([\s\S]*)\)/i.exec(columnType) ?? [];
  if (list === undefined) return undefined;
  return [...list.matchAll(/'((?:[^'\\]|''|\\[\s\S])*)'/g)].map(([, label = '']) => unescaped(label));
}

const controls: Readonly<Record<string, string>> = { '0': '\0', n: '\n', r: '\r' };

/** The connection sets a mode in which backslashes escape. */
const unescaped = (label: string): string =>
  label.replace(/''|\\([\s\S])/g, (written, character?: string) =>
    character === undefined ? written.slice(1) : (controls[character] ?? character),
  );
