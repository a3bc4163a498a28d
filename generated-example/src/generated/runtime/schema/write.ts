import type { TableDescriptor } from '../descriptor.js';
import { classOf, declareEnums, declareTypes, type Class } from './declare.js';
import { createShape, updateShape, type NestedRelations, type WriteShape } from './write-shape.js';

/**
 * The TypeGraphQL types of what `create<T>` and `createMany<T>` take. They follow from the table's columns, keys and relations, so that no
 * generated file has to spell them out. Names are those of write-shape.ts.
 */
export interface CreateTypes {
  readonly CreateInput: Class;
  /** Throws TypeError for a table without a unique key. */
  readonly OnConflictInput: Class;
}

/** The TypeGraphQL types of what `update<T>` takes. */
export interface UpdateTypes {
  readonly UpdateInput: Class;
  /** Throws TypeError for a table without a number to add to. */
  readonly IncInput: Class;
}

/** Declares what a new row is; `nested`: the relations that rows may be given through inside it. */
export function createTypes(table: TableDescriptor, nested: NestedRelations = {}): CreateTypes {
  declare(createShape(table, nested));
  return {
    CreateInput: classOf(`${table.type}CreateInput`),
    get OnConflictInput() {
      return classOf(`${table.type}OnConflictInput`);
    },
  };
}

/** Declares what changes in a row. */
export function updateTypes(table: TableDescriptor): UpdateTypes {
  declare(updateShape(table));
  return {
    UpdateInput: classOf(`${table.type}UpdateInput`),
    get IncInput() {
      return classOf(`${table.type}IncInput`);
    },
  };
}

function declare({ types, enums }: WriteShape): void {
  declareTypes(types);
  declareEnums(enums);
}
