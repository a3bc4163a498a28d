import type { RelationDescriptor } from '../../descriptor/descriptor.js';
import type { Table } from '../../descriptor/registry.js';
import type { NestedPlace } from '../write-program.js';
import type { InsertTreePlan, NestedTreePlan, ReturningPlan, RowsInput } from './write-plan.js';
import { findRelation, relatedTable } from '../read/columns.js';
import type { PlanContext } from '../context.js';
import { planInsert } from './table-writes.js';
import type { NestedInsert, OnConflict, RowsShape } from './write-intent.js';
import { givenColumns } from './rows.js';

export interface TreeParts {
  readonly table: Table;
  readonly shape: RowsShape;
  readonly filled: readonly string[];
  readonly onConflict?: OnConflict | undefined;
  readonly returning: ReturningPlan;
}

/**
 * Rows with rows inside, to any depth: one statement for each table of the tree. `filled` are the
 * columns that the row above gives. Throws ServerError 400 for a relation that is not there.
 * Source: decision 005.
 */
export function planTree(parts: TreeParts, context: PlanContext): InsertTreePlan {
  const { table, shape, onConflict, returning } = parts;
  const nested = (shape.nested ?? []).map((each) => ({ each, relation: findRelation(table, each.relation, context) }));
  const forward = nested.filter(({ relation }) => relation.direction === 'forward');
  const reverse = nested.filter(({ relation }) => relation.direction === 'reverse');
  const filled = [...new Set([...parts.filled, ...forward.flatMap(({ relation }) => relation.columns)])];
  const ownKey = returning.keys?.length ?? 0;
  const keys = [...(returning.keys ?? [])];
  const positionOf = (column: string): number => {
    const known = keys.indexOf(column);
    return known === -1 ? keys.push(column) - 1 : known;
  };
  const below = reverse.map(({ each, relation }) => reverseTree(each, relation, positionOf, context));
  return {
    insert: planInsert({ table, shape, filled, onConflict, input, returning: { ...returning, keys } }, context),
    columns: givenColumns(shape.columns, table, context),
    forward: forward.map(({ each, relation }) => forwardTree(each, relation, context)),
    reverse: below,
    ownKey,
  };
}

/** The rows, together with what those around them have given them. */
const input: RowsInput = { as: 'json', read: (inputs) => inputs as string };

/** Nothing of a nested row is answered but the columns that others need. */
export const keysOnly = (keys: readonly string[]): ReturningPlan => ({
  keys,
  as: 'list',
  format: 'json',
  style: { bigint: 'number', numeric: 'number', enums: 'label', attributes: 'name' },
});

const placeOf = ({ key, inner }: NestedInsert): NestedPlace => (inner === undefined ? { key } : { key, inner });

function forwardTree(each: NestedInsert, relation: RelationDescriptor, context: PlanContext): NestedTreePlan {
  const table = relatedTable(relation, context);
  const references = [...new Set(relation.references)];
  const { onConflict } = each;
  return {
    ...placeOf(each),
    tree: planTree({ table, shape: each, filled: [], onConflict, returning: keysOnly(references) }, context),
    columns: relation.columns.map((column, at) => ({
      column,
      at: references.indexOf(relation.references[at] ?? ''),
    })),
  };
}

function reverseTree(
  each: NestedInsert,
  relation: RelationDescriptor,
  positionOf: (column: string) => number,
  context: PlanContext,
): NestedTreePlan {
  const table = relatedTable(relation, context);
  const { onConflict } = each;
  return {
    ...placeOf(each),
    tree: planTree({ table, shape: each, filled: relation.references, onConflict, returning: keysOnly([]) }, context),
    columns: relation.references.map((column, at) => ({ column, at: positionOf(relation.columns[at] ?? '') })),
  };
}
