import type { FunctionDescriptor, TableDescriptor } from '../descriptor/descriptor.js';
import { aggregateField, answersList, rootFields } from '../descriptor/names.js';
import { declareArguments } from './declare.js';
import type { RootField } from './descriptions.js';
import {
  aggregateArguments,
  connectionArguments,
  keyArguments,
  listArguments,
  nestedArguments,
  vectorListArguments,
} from './read-shape.js';
import { findTable } from './tables.js';
import type { FieldShape } from './type-shape.js';
import { createArguments, createManyArguments, deleteArguments, updateArguments } from './write-shape.js';

type ArgumentsOf = (table: TableDescriptor) => readonly FieldShape[];

/** A field of the table and each relation to it share their arguments. */
function sharing(argumentsOf: ArgumentsOf): ArgumentsOf {
  const known = new WeakMap<TableDescriptor, readonly FieldShape[]>();
  return (table) => {
    let shapes = known.get(table);
    if (shapes === undefined) known.set(table, (shapes = argumentsOf(table)));
    return shapes;
  };
}

/** Arguments of a relation to rows of a table: `where`, `orderBy`, `limit`, `offset`. */
export const nested = sharing(nestedArguments);

/** Arguments of a field of aggregates over rows of a table: `where`, `groupBy`, `having`. */
export const aggregate = sharing(aggregateArguments);

const roots: Readonly<Record<RootField, ArgumentsOf>> = {
  list: listArguments,
  byPk: keyArguments,
  connection: connectionArguments,
  aggregate,
  create: createArguments,
  createMany: createManyArguments,
  update: updateArguments,
  delete: deleteArguments,
};

interface RootOptions {
  /** Whether the list takes `vector`: rows can be sorted by their distance to an embedding. */
  readonly vector?: true;
}

/**
 * A class decorator: gives the root fields of a table, which are the methods of its resolver, their arguments. They follow from the descriptor:
 * `where`, `orderBy`, `limit`, … of a list, `input` and `onConflict` of `create<T>`.
 */
export const RootArguments =
  (table: TableDescriptor, { vector }: RootOptions = {}) =>
  ({ prototype }: { readonly prototype: object }): void => {
    const names = rootFields(table);
    for (const root of Object.keys(roots) as RootField[]) {
      const argumentsOf = root === 'list' && vector === true ? vectorListArguments : roots[root];
      declareArguments(prototype, names[root], { arguments: () => argumentsOf(table), table: () => table, root });
    }
  };

/**
 * A class decorator: gives the fields of functions that answer lists of rows the arguments of a table's list and of its aggregates, beside those of
 * the function itself.
 */
export const FunctionArguments =
  (functions: readonly FunctionDescriptor[]) =>
  ({ prototype }: { readonly prototype: object }): void => {
    for (const called of functions.filter(answersList)) {
      const table = (): TableDescriptor => answeredTable(called);
      const list = (): readonly FieldShape[] =>
        table().columns.some(({ type }) => type.kind === 'vector')
          ? vectorListArguments(table())
          : listArguments(table());
      declareArguments(prototype, called.field, { arguments: list, table, root: 'list' });
      const aggregates = (): readonly FieldShape[] => aggregate(table());
      declareArguments(prototype, aggregateField(called.field), { arguments: aggregates, table, root: 'aggregate' });
    }
  };

function answeredTable({ field, table = '' }: FunctionDescriptor): TableDescriptor {
  const found = findTable(table);
  if (found === undefined) throw new TypeError(`No table is called ${table}, whose rows ${field} answers.`);
  return found;
}
