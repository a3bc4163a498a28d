import { ArrayLiteral } from '../../../array-literal.js';
import type { ColumnType, Kind } from '../../../descriptor/descriptor.js';
import { ExactNumber } from '../../../exact-number.js';
import type { Registry } from '../../../descriptor/registry.js';
import { malformedLiteral } from '../../../plan/as-postgres-says.js';
import { isArrayLiteral, nestArrayLiterals, writeArrayLiteral } from './array-literal.js';
import { writeComposite } from './composite.js';
import { writeJson } from '../../json-text.js';
import { bytesText, checkedJson, scalarText, type Encode } from '../../sql/encode.js';
import { malformed } from '../../malformed.js';
import { geometryText, isGeometry } from './geometry.js';
import { isRangeLiteral, writeRange } from './range.js';
import type { SchemaNames } from '../../schema-names.js';
import { writeVector } from './vector.js';
import { isRecord } from '../../../is-record.js';

/** Where enum and composite descriptors are found, and the names of schemas in the database. */
export interface Types extends Pick<Registry, 'enums' | 'composites'> {
  /** Absent: those of the API. */
  readonly names?: SchemaNames;
}

/**
 * The encoder of JSON values (GraphQL, REST bodies) of a type: objects for ranges and composites,
 * lists for arrays and vectors, any value for JSON, GraphQL names or labels for enums. A string is
 * the database's text form, except for JSON.
 */
export function jsonEncoder(type: ColumnType, types: Types): Encode {
  switch (type.kind) {
    case 'json':
    case 'jsonb':
      return writeJson;
    case 'enum':
      return enumEncoder(type, types);
    case 'vector':
      return (value) => (typeof value === 'string' ? vectorText(value, type) : writeVector(value, type.dimension));
    case 'array':
      return arrayEncoder(type, types);
    case 'range':
      return (value) =>
        isObject(value)
          ? writeRange(value, type.element ?? type, (of, each) => encodeOne(of, each, types))
          : rangeText(scalarText(value));
    case 'composite':
      return compositeEncoder(type, types);
    case 'bytes':
      return bytesText;
    case 'int':
    case 'bigint':
      return (value) => (value instanceof ExactNumber ? value.whole : scalarText(value));
    default:
      return isGeometry(type.sql) ? geometryText : scalarText;
  }
}

/** The encoder of the text form of REST: it checks the outer form and passes the text on. */
export function textEncoder(type: ColumnType): Encode {
  switch (type.kind) {
    case 'json':
    case 'jsonb':
      return (value) => checkedJson(scalarText(value));
    case 'vector':
      return (value) => vectorText(scalarText(value), type);
    case 'array':
      return (value) =>
        Array.isArray(value)
          ? listEncoder(type, textEncoder(type.element ?? type))(value)
          : arrayText(scalarText(value));
    case 'range':
      return (value) => rangeText(scalarText(value));
    default:
      return isGeometry(type.sql) ? geometryText : scalarText;
  }
}

/** The encoder of a list of values as one array parameter: the operand of `in`. */
export function listEncoder(array: ColumnType, element: Encode): Encode {
  const delimiter = array.sql.name === 'box' && array.sql.schema === undefined ? ';' : ',';
  return (value) => {
    const list: readonly unknown[] = Array.isArray(value) ? value : [value];
    return writeArrayLiteral(
      list.map((each) => (each === null || each === undefined ? null : element(each))),
      delimiter,
    );
  };
}

export function arrayText(text: string): string {
  if (!isArrayLiteral(text))
    throw malformed(
      'The value is not an array literal.',
      'Write {a,b,c}, percent-encoded: %7Ba,b,c%7D.',
      malformedLiteral('array', text),
    );
  return text;
}

function rangeText(text: string): string {
  if (!isRangeLiteral(text))
    throw malformed(
      'The value is not a range.',
      'Write [1,5), (,10] or empty, percent-encoded.',
      malformedLiteral('range', text),
    );
  return text;
}

function vectorText(text: string, type: ColumnType): string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw malformed('The value is not a vector.', 'Write [1,2,3], percent-encoded.');
  }
  return writeVector(parsed, type.dimension);
}

function enumEncoder(type: ColumnType, types: Types): Encode {
  const values = types.enums.get(type.enum ?? '')?.values ?? [];
  const labels = new Map(values.map(({ label, name }) => [name ?? label, label]));
  return (value) => {
    const text = scalarText(value);
    return labels.get(text) ?? text;
  };
}

const writtenAsLists: ReadonlySet<Kind> = new Set<Kind>(['vector', 'json', 'jsonb', 'array']);

function arrayEncoder(type: ColumnType, types: Types): Encode {
  const element = type.element ?? type;
  const list = listEncoder(type, jsonEncoder(element, types));
  // A list as an element adds a dimension, unless the element's own values are lists: an array that
  // is an element is a domain.
  const nests = !writtenAsLists.has(element.kind);
  const encode: Encode = (value) => {
    if (value instanceof ArrayLiteral) return arrayText(value.text);
    if (typeof value === 'string' && element.kind !== 'json' && element.kind !== 'jsonb') return arrayText(value);
    if (!Array.isArray(value)) throw malformed('A list was expected.');
    const items: readonly unknown[] = value;
    return nests && items.length > 0 && items.every(Array.isArray) ? nestArrayLiterals(items.map(encode)) : list(items);
  };
  return encode;
}

function compositeEncoder(type: ColumnType, types: Types): Encode {
  return (value) => {
    const composite = types.composites.get(type.composite ?? '');
    if (composite === undefined || !isObject(value)) return scalarText(value);
    return writeComposite(value, composite, (of, each) => encodeOne(of, each, types));
  };
}

const encodeOne = (type: ColumnType, value: unknown, types: Types): string => jsonEncoder(type, types)(value);

const isObject = (value: unknown): value is object => isRecord(value) && !(value instanceof Date);
