import type { CompositeDescriptor, FunctionDescriptor, TableDescriptor } from '../descriptor/descriptor.js';
import { aggregateField, answersList, rootFields } from '../descriptor/names.js';
import { computedArguments } from './computed-shape.js';
import { declareArguments, declareTypes } from './declare.js';
import type { RootField } from './descriptions.js';
import {
  aggregateArguments,
  connectionArguments,
  keyArguments,
  listArguments,
  nestedArguments,
  vectorListArguments,
} from './read-shape.js';
import { resultTable } from '../descriptor/results.js';
import { resultArguments, resultShapes } from './result-shape.js';
import { findTable } from './tables.js';
import type { FieldShape } from './type-shape.js';
import { createArguments, createManyArguments, deleteArguments, updateArguments } from './write-shape.js';

type ArgumentsOf = (table: TableDescriptor) => readonly FieldShape[];

/** Makes the arguments once for each table: its root field and all relations to it share them. */
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
  /** Whether the list takes `vector`, which sorts rows by their distance to an embedding. */
  readonly vector?: true;
}

/**
 * A class decorator: gives arguments to the root fields of a table, which are methods of its
 * resolver. The arguments follow from the descriptor: `where`, `orderBy`, `limit`, … of a list,
 * `input` and `onConflict` of `create<T>`.
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
 * A class decorator: gives arguments to the fields of functions, in addition to the function's own.
 * A function that returns rows gets the arguments of the table's list and aggregates; a function
 * that returns a list of values gets `where`, `orderBy`, `limit` and `offset`.
 * @param composites the types of the columns of TABLE (…)
 */
export const FunctionArguments =
  (functions: readonly FunctionDescriptor[], composites: readonly CompositeDescriptor[] = []) =>
  ({ prototype }: { readonly prototype: object }): void => {
    const compositeOf = (type: string): CompositeDescriptor | undefined =>
      composites.find((each) => each.type === type);
    for (const called of functions) {
      const table = resultTable(called, compositeOf);
      if (table === undefined) continue;
      declareTypes(resultShapes(called, compositeOf));
      const shapes = resultArguments(called, compositeOf);
      declareArguments(prototype, called.field, { arguments: () => shapes, table: () => table, root: 'list' });
    }
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

/**
 * A class decorator: gives arguments to the computed fields of a table's rows. The arguments follow
 * from the descriptor.
 */
export const ComputedArguments =
  (table: TableDescriptor) =>
  ({ prototype }: { readonly prototype: object }): void => {
    for (const computed of (table.computed ?? []).filter((each) => each.arguments !== undefined)) {
      const shapes = computedArguments(computed);
      declareArguments(prototype, computed.name, { arguments: () => shapes, table: () => table, root: 'list' });
    }
  };

function answeredTable({ field, table = '' }: FunctionDescriptor): TableDescriptor {
  const found = findTable(table);
  if (found === undefined) throw new TypeError(`No table is called ${table}, whose rows ${field} answers.`);
  return found;
}
