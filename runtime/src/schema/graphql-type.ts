import type { ColumnType, Kind, ValueType } from '../descriptor/descriptor.js';
import { onceForEach } from '../once-for-each.js';

/** Kinds without parts and without a descriptor: each has a GraphQL scalar. */
type ScalarKind = Exclude<Kind, 'enum' | 'array' | 'composite' | 'range'>;

/** Its type requires a scalar for each new kind. Source: decision 002. */
const scalarOfKind: Readonly<Record<ScalarKind, string>> = {
  int: 'Int',
  bigint: 'BigInt',
  numeric: 'Numeric',
  money: 'Numeric',
  float: 'Float',
  boolean: 'Boolean',
  text: 'String',
  uuid: 'UUID',
  date: 'Date',
  time: 'Time',
  timestamp: 'DateTime',
  interval: 'Interval',
  json: 'JSON',
  jsonb: 'JSON',
  bytes: 'Bytes',
  tsvector: 'Tsvector',
  vector: 'Vector',
  other: 'String',
};

const scalars: Readonly<Partial<Record<Kind, string>>> = scalarOfKind;

export const scalarNames: readonly string[] = [...new Set(Object.values(scalars))];

/** The GraphQL type of a column: a named type in `depth` lists, whose items may be null. */
export interface GraphQLTypeUse {
  readonly name: string;
  readonly depth: number;
}

/** The type of a value in answers. */
export function outputType(type: ValueType): GraphQLTypeUse {
  if (type.element !== undefined && type.kind === 'array') {
    const item = outputType(type.element);
    return { name: item.name, depth: item.depth + 1 };
  }
  return { name: namedType(type), depth: 0 };
}

/**
 * The type of a value in arguments. It differs from the output type for composites and ranges,
 * which are input objects.
 */
export function inputType(type: ValueType): GraphQLTypeUse {
  const output = outputType(type);
  const item = innermost(type);
  return item.kind === 'composite' || item.kind === 'range' ? { ...output, name: `${output.name}Input` } : output;
}

/**
 * The name of a type's filter input. The model names the filter inputs of enums, one for each
 * column.
 */
export const sharedFilterName = onceForEach((type: ValueType): string => `${filterBase(type)}FilterInput`);

/** Whether each column of this type has its own filter input. */
export const hasOwnFilter = (type: ValueType): boolean => innermost(type).kind === 'enum';

/** The innermost element of nested arrays. */
export function innermost<Type extends ValueType>(type: Type): Type | ColumnType {
  return type.kind === 'array' && type.element !== undefined ? innermost(type.element) : type;
}

/** The type and all types of its elements. Types are nested only through arrays and ranges. */
export function withParts(type: ColumnType): readonly ColumnType[] {
  return type.element === undefined ? [type] : [type, ...withParts(type.element)];
}

function namedType(type: ValueType): string {
  if (type.kind === 'range' && type.element !== undefined) return `${outputType(type.element).name}Range`;
  return type.enum ?? type.composite ?? scalars[type.kind] ?? 'String';
}

function filterBase(type: ValueType): string {
  if (type.kind === 'array' && type.element !== undefined) return `${filterBase(type.element)}Array`;
  if (type.kind === 'json' || type.kind === 'jsonb') return 'Json';
  if (type.searchable === true) return `Searchable${namedType(type)}`;
  return type.kind === 'other' ? 'Other' : namedType(type);
}
