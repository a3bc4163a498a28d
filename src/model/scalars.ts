import type { Kind } from '../../templates/runtime/descriptor.js';

/** The GraphQL scalar of each kind that is one. Source: decisions 2. */
const scalars: Readonly<Partial<Record<Kind, string>>> = {
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

export const scalarNames: readonly string[] = [...new Set(Object.values(scalars))];

/** Undefined for what is not a scalar: enum, array, composite, range. */
export const scalarOf = (kind: Kind): string | undefined => scalars[kind];
