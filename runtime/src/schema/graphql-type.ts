import type { ColumnType, Kind, ValueType } from '../descriptor/descriptor.js';

/** Kinds without parts and without a descriptor: each has a GraphQL scalar. */
type ScalarKind = Exclude<Kind, 'enum' | 'array' | 'composite' | 'range'>;

/** The type checker requires a scalar for each new kind. Source: decisions 2. */
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

/** A GraphQL type as a column uses it: a named type in so many lists. Items of lists may be null. */
export interface GraphQLTypeUse {
  readonly name: string;
  readonly depth: number;
}

/** The type that answers carry. */
export function outputType(type: ValueType): GraphQLTypeUse {
  if (type.element !== undefined && type.kind === 'array') {
    const item = outputType(type.element);
    return { name: item.name, depth: item.depth + 1 };
  }
  return { name: namedType(type), depth: 0 };
}

/** The type that arguments take: the same, but for composites and ranges, which are input objects. */
export function inputType(type: ValueType): GraphQLTypeUse {
  const output = outputType(type);
  const item = innermost(type);
  return item.kind === 'composite' || item.kind === 'range' ? { ...output, name: `${output.name}Input` } : output;
}

/** The filter input of a type; those of enums are per column and named by the model. */
export function sharedFilterName(type: ValueType): string {
  let name = filterNames.get(type);
  if (name === undefined) filterNames.set(type, (name = `${filterBase(type)}FilterInput`));
  return name;
}

/** Whether the filter input of a column of this type is that column's alone. */
export const hasOwnFilter = (type: ValueType): boolean => innermost(type).kind === 'enum';

/** Descriptors share the types of columns, and a server of a thousand tables asks fifty thousand times. */
const filterNames = new WeakMap<ValueType, string>();

/** The innermost element of nested arrays. */
export function innermost<Type extends ValueType>(type: Type): Type | ColumnType {
  return type.kind === 'array' && type.element !== undefined ? innermost(type.element) : type;
}

/** Types can be recursive in one way only, through arrays and ranges: every type the given one is made of. */
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
  return type.kind === 'other' ? 'Other' : namedType(type);
}
