import { registerEnumType } from 'type-graphql';
import type { TableDescriptor } from '../descriptor.js';
import { aggregateShape } from './aggregate-shape.js';
import { declareTypes, declared, type Class } from './declare.js';

/** What a resolver of a `<f>Aggregate` field answers. */
export type Figures = Readonly<Record<string, unknown>>;

/** The TypeGraphQL types of a table's aggregates, to be named in `@Query(() => …)` and `@Field(() => …)`. */
export interface AggregateTypes {
  readonly Aggregate: Class;
  readonly Having: Class;
  /** The columns that `groupBy` and `distinctOn` may name. */
  readonly Column: Readonly<Record<string, string>>;
}

/**
 * Declares the types of a table's aggregates: they follow from its columns, so that no generated file has to spell them out.
 * Names are those of aggregate-shape.ts.
 */
export function aggregateTypes(table: TableDescriptor): AggregateTypes {
  const shape = aggregateShape(table);
  const classes = declareTypes(shape.types);
  const Column = Object.fromEntries(shape.columns.map((name) => [name, name]));
  if (shape.columns.length > 0) {
    registerEnumType(Column, { name: `${table.type}Column`, description: `Columns of ${table.name}.` });
  }
  return {
    Aggregate: declared(classes, `${table.type}Aggregate`),
    Having: declared(classes, `${table.type}HavingInput`),
    Column,
  };
}
