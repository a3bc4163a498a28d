import type { ColumnDescriptor, RelationDescriptor } from '../../descriptor/descriptor.js';
import type { Table } from '../../descriptor/registry.js';
import type { Expression, Join } from './plan.js';
import { tableName, type PlanContext } from '../context.js';
import type { JsonStep } from '../intent.js';
import { malformedParameter, quoted, unknownColumn, unknownOperator, unknownRelation } from '../refuse.js';

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
export function relatedTable(relation: RelationDescriptor, { registry }: Pick<PlanContext, 'registry'>): Table {
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

export function columnExpression(table: Table, name: string): Expression {
  const column = findColumn(table, name);
  return { kind: 'column', column: column.name, type: column.type, nullable: column.nullable === true };
}

/** A column, or what a JSON path finds in it: text after `->>`, JSON after `->`. */
export function pathExpression(
  table: Table,
  name: string,
  path: readonly JsonStep[] | undefined,
  { dialect: { types } }: PlanContext,
): Expression {
  if (path === undefined || path.length === 0) return columnExpression(table, name);
  const { name: column, type } = findColumn(table, name);
  if (type.kind !== 'json' && type.kind !== 'jsonb') {
    throw unknownOperator(`${quoted(name)} is not a JSON column.`, '-> and ->> look into json and jsonb columns.');
  }
  const last = path[path.length - 1];
  return { kind: 'path', column, source: type, steps: path, type: last?.arrow === '->>' ? types.text : type };
}

export function computedExpression(table: Table, name: string): Expression {
  const computed = table.computed?.find((each) => each.name === name);
  if (computed === undefined) throw unknownColumn(name, table);
  return { kind: 'computed', function: computed.function, type: computed.type };
}

export function castExpression(of: Expression, name: string, { dialect }: PlanContext): Expression {
  const { casts } = dialect.types;
  const type = casts.get(name.toLowerCase());
  if (type === undefined) {
    throw malformedParameter(`There is no cast to ${quoted(name)}.`, `Casts: ${[...casts.keys()].join(', ')}.`);
  }
  return { kind: 'cast', of, type };
}
