import { Field } from 'type-graphql';
import { aggregate, nested } from './arguments.js';
import { classOf, declareArguments, type Class } from './declare.js';
import { tableOfRows } from './tables.js';

type RelationDecorator = (prototype: object, property: string) => void;

/**
 * The class of another table's rows. A function, as in TypeGraphQL, because the files of tables
 * import each other in cycles.
 */
type RowsThunk = () => Class;

interface Named {
  /** The GraphQL field, if the property cannot have its name. */
  readonly name?: string;
}

/**
 * A relation to rows of another table: a list with the arguments `where`, `orderBy`, `limit` and
 * `offset`.
 */
export const Rows =
  (rows: RowsThunk, options: Named = {}): RelationDecorator =>
  (prototype, property) => {
    const table = () => tableOfRows(rows());
    Field(() => [rows()], options)(prototype, property);
    declareArguments(prototype, options.name ?? property, { arguments: () => nested(table()), table, root: 'list' });
  };

/** Aggregates over the rows of a relation, with the arguments `where`, `groupBy` and `having`. */
export const AggregateOf =
  (rows: RowsThunk, options: Named = {}): RelationDecorator =>
  (prototype, property) => {
    const table = () => tableOfRows(rows());
    Field(() => classOf(`${table().type}Aggregate`), options)(prototype, property);
    declareArguments(prototype, options.name ?? property, {
      arguments: () => aggregate(table()),
      table,
      root: 'aggregate',
    });
  };
