import type { ColumnDescriptor, ColumnType, RelationDescriptor } from '../descriptor.js';
import type { Table } from '../registry.js';
import type { Expression, Join } from '../statement/plan.js';
import {
  bool,
  bpchar,
  bytea,
  date,
  float4,
  float8,
  int2,
  int4,
  int8,
  interval,
  json,
  jsonb,
  numeric,
  text,
} from '../types.js';
import { time, timestamp, timestamptz, timetz, uuid, varchar } from '../types.js';
import { tableName, type PlanContext } from './context.js';
import type { JsonStep } from './intent.js';
import { malformedParameter, quoted, unknownColumn, unknownOperator, unknownRelation } from './refuse.js';
import { constantParameter } from './values.js';

export function findColumn(table: Table, name: string): ColumnDescriptor {
  const column = table.byName.get(name);
  if (column === undefined) throw unknownColumn(name, table);
  return column;
}

export function findRelation(table: Table, name: string): RelationDescriptor {
  const relation = table.relationsByName.get(name);
  if (relation === undefined) throw unknownRelation(name, table);
  return relation;
}

/** The other side of a relation. */
export function relatedTable(relation: RelationDescriptor, { registry }: PlanContext): Table {
  const table = registry.table.get(relation.table);
  if (table === undefined)
    throw new Error(`relation ${relation.name} leads to ${relation.table}, which is not in the registry`);
  return table;
}

export function joinOf(relation: RelationDescriptor, context: PlanContext): Join {
  const { columns, references, through } = relation;
  const join = { table: tableName(relatedTable(relation, context)), columns, references };
  if (through === undefined) return join;
  const junction = context.registry.table.get(through.table);
  if (junction === undefined)
    throw new Error(`relation ${relation.name} goes through ${through.table}, which is not in the registry`);
  return { ...join, through: { table: tableName(junction), columns: through.columns, references: through.references } };
}

/** A column, or what a JSON path finds in it: text after `->>`, JSON after `->`. */
export function columnExpression(table: Table, name: string, path?: readonly JsonStep[]): Expression {
  const column = findColumn(table, name);
  if (path === undefined || path.length === 0) {
    return { kind: 'column', column: column.name, type: column.type, nullable: column.nullable === true };
  }
  const { kind } = column.type;
  if (kind !== 'json' && kind !== 'jsonb') {
    throw unknownOperator(`${quoted(name)} is not a JSON column.`, '-> and ->> look into json and jsonb columns.');
  }
  const last = path[path.length - 1];
  return {
    kind: 'path',
    column: column.name,
    source: column.type,
    steps: path.map(({ arrow, key }) => ({
      arrow,
      key: typeof key === 'number' ? constantParameter(String(key), int4) : constantParameter(key),
    })),
    type: last?.arrow === '->>' ? text : column.type,
  };
}

export function computedExpression(table: Table, name: string): Expression {
  const computed = table.computed?.find((each) => each.name === name);
  if (computed === undefined) throw unknownColumn(name, table);
  return { kind: 'computed', function: computed.function, type: computed.type };
}

/** `col::type`: types whose names a client may write. Everything else could name a type of any schema. */
const castTypes: ReadonlyMap<string, ColumnType> = new Map(
  Object.entries({
    text,
    varchar,
    char: bpchar,
    bpchar,
    int2,
    smallint: int2,
    int4,
    int: int4,
    integer: int4,
    int8,
    bigint: int8,
    numeric,
    decimal: numeric,
    float4,
    real: float4,
    float8,
    float: float8,
    'double precision': float8,
    bool,
    boolean: bool,
    uuid,
    date,
    time,
    timetz,
    timestamp,
    timestamptz,
    interval,
    json,
    jsonb,
    bytea,
  }),
);

export function castExpression(of: Expression, name: string): Expression {
  const type = castTypes.get(name.toLowerCase());
  if (type === undefined) {
    throw malformedParameter(`There is no cast to ${quoted(name)}.`, `Casts: ${[...castTypes.keys()].join(', ')}.`);
  }
  return { kind: 'cast', of, type };
}
