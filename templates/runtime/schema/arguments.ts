import type { TableDescriptor } from '../descriptor.js';
import { declareArguments } from './declare.js';
import { aggregateArguments, connectionArguments, listArguments, nestedArguments } from './read-shape.js';
import type { FieldShape } from './type-shape.js';
import { createArguments, createManyArguments, deleteArguments, updateArguments } from './write-shape.js';

/** A decorator for a property or a method that is a GraphQL field. */
type FieldDecorator = (prototype: object, property: string | symbol) => void;

/** Names a table. A function, as TypeGraphQL takes types: the files of tables import each other in circles. */
type TableThunk = () => TableDescriptor;

/** A field of the table and each relation to it share their arguments. */
function decorator(argumentsOf: (table: TableDescriptor) => readonly FieldShape[]) {
  const known = new WeakMap<TableDescriptor, readonly FieldShape[]>();
  const once = (table: TableDescriptor): readonly FieldShape[] => {
    let shapes = known.get(table);
    if (shapes === undefined) known.set(table, (shapes = argumentsOf(table)));
    return shapes;
  };
  return (table: TableThunk): FieldDecorator =>
    (prototype, property) => {
      declareArguments(prototype, property, () => once(table()));
    };
}

/** Gives a root field that lists rows of a table its arguments: `where`, `orderBy`, `limit`, … */
export const ListArguments = decorator(listArguments);

/** Gives a relation to rows of a table its arguments: `where`, `orderBy`, `limit`, `offset`. */
export const NestedArguments = decorator(nestedArguments);

/** Gives a root field that pages through a table its arguments: `first`, `after`, `last`, `before`, … */
export const ConnectionArguments = decorator(connectionArguments);

/** Gives a field of figures over rows of a table its arguments: `where`, `groupBy`, `having`. */
export const AggregateArguments = decorator(aggregateArguments);

/** Gives `create<T>` its arguments: `input`, `onConflict`. */
export const CreateArguments = decorator(createArguments);

/** Gives `createMany<T>` its arguments: `inputs`, `onConflict`. */
export const CreateManyArguments = decorator(createManyArguments);

/** Gives `update<T>` its arguments: `where`, `id`, `input`, `inc`, `atMost`. */
export const UpdateArguments = decorator(updateArguments);

/** Gives `delete<T>` its arguments: `where`, `id`, `atMost`. */
export const DeleteArguments = decorator(deleteArguments);
