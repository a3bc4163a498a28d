import { registerEnumType } from 'type-graphql';
import type { TableDescriptor } from '../descriptor.js';
import { declareTypes, declared, type Class } from './declare.js';
import { createShape, deleteShape, updateShape, type NestedRelations, type WriteShape } from './write-shape.js';

/**
 * The TypeGraphQL types of a table's mutations. They follow from its columns, keys and relations, so that no generated file has to spell
 * them out. Names are those of write-shape.ts.
 */
export interface CreateTypes {
  readonly CreateInput: Class;
  readonly CreateArgs: Class;
  readonly CreateManyArgs: Class;
}

export interface UpdateTypes {
  readonly UpdateInput: Class;
  readonly UpdateArgs: Class;
}

export interface DeleteTypes {
  readonly DeleteArgs: Class;
}

/** Declares what `create<T>` and `createMany<T>` take; `nested`: the relations that rows may be given through inside a new one. */
export function createTypes(table: TableDescriptor, nested: NestedRelations = {}): CreateTypes {
  const classes = declare(createShape(table, nested));
  return {
    CreateInput: declared(classes, `${table.type}CreateInput`),
    CreateArgs: declared(classes, `${table.type}CreateArgs`),
    CreateManyArgs: declared(classes, `${table.type}CreateManyArgs`),
  };
}

/** Declares what `update<T>` takes. */
export function updateTypes(table: TableDescriptor): UpdateTypes {
  const classes = declare(updateShape(table));
  return {
    UpdateInput: declared(classes, `${table.type}UpdateInput`),
    UpdateArgs: declared(classes, `${table.type}UpdateArgs`),
  };
}

/** Declares what `delete<T>` takes. */
export function deleteTypes(table: TableDescriptor): DeleteTypes {
  return { DeleteArgs: declared(declare(deleteShape(table)), `${table.type}DeleteArgs`) };
}

function declare({ types, enums }: WriteShape): ReadonlyMap<string, Class> {
  for (const { name, description, values } of enums) {
    registerEnumType(Object.fromEntries(values.map((value) => [value, value])), { name, description });
  }
  return declareTypes(types);
}
