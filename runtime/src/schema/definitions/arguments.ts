import type { TableDescriptor } from '../../descriptor/descriptor.js';
import { changesArguments } from '../changes-shape.js';
import {
  aggregateArguments,
  connectionArguments,
  keyArguments,
  listArguments,
  nestedArguments,
  vectorListArguments,
} from '../read-shape.js';
import type { FieldShape } from '../type-shape.js';
import { createArguments, createManyArguments, deleteArguments, updateArguments } from '../write-shape.js';
import type { ArgumentsOf, FieldDefinition } from './definition.js';

const shapes: Readonly<Record<ArgumentsOf['field'], (table: TableDescriptor) => readonly FieldShape[]>> = {
  list: listArguments,
  vectorList: vectorListArguments,
  byPk: keyArguments,
  nested: nestedArguments,
  connection: connectionArguments,
  aggregate: aggregateArguments,
  changes: changesArguments,
  create: createArguments,
  createMany: createManyArguments,
  update: updateArguments,
  delete: deleteArguments,
};

/**
 * The arguments of a field: those that follow from a table, or those of a computed field; otherwise
 * none.
 */
export function argumentsOf({ arguments: from, parameters }: FieldDefinition): readonly FieldShape[] {
  return from === undefined ? (parameters?.() ?? []) : shapes[from.field](from.table);
}
