import type { TableDescriptor } from '../descriptor.js';
import { aggregateShape } from './aggregate-shape.js';
import { classOf, declareEnums, declareTypes, enumOf, type Class } from './declare.js';

/** What a resolver of a `<f>Aggregate` field answers. */
export type Figures = Readonly<Record<string, unknown>>;

/** The TypeGraphQL types of a table's aggregates, to be named in `@Query(() => …)` and `@Field(() => …)`. */
export interface AggregateTypes {
  readonly Aggregate: Class;
  readonly Having: Class;
  /** The columns that `groupBy` and `distinctOn` may name. Throws TypeError for a table without such a column. */
  readonly Column: Readonly<Record<string, string>>;
}

/**
 * Declares the types of a table's aggregates: they follow from its columns, so that no generated file has to spell them out.
 * Names are those of aggregate-shape.ts.
 */
export function aggregateTypes(table: TableDescriptor): AggregateTypes {
  const shape = aggregateShape(table);
  declareTypes(shape.types);
  const name = `${table.type}Column`;
  if (shape.columns.length > 0)
    declareEnums([{ name, description: `Columns of ${table.name}.`, values: shape.columns }]);
  return {
    Aggregate: classOf(`${table.type}Aggregate`),
    Having: classOf(`${table.type}HavingInput`),
    get Column() {
      return enumOf(name);
    },
  };
}
