import type { TableDescriptor } from '../descriptor/descriptor.js';
import { aggregateFunctions, aggregateType } from '../plan/aggregates.js';
import type { AggregateFunction } from '../plan/intent.js';
import { computedArguments, isNamedAlone, rowValues, type RowValue } from './computed-shape.js';
import { outputType, sharedFilterName } from './graphql-type.js';
import {
  input,
  list,
  object,
  optional,
  optionalList,
  required,
  type FieldShape,
  type TypeShape,
} from './type-shape.js';

/** Every type of a table's `<f>Aggregate` field. Source: decision 004. */
export interface AggregateShape {
  readonly types: readonly TypeShape[];
  /**
   * The columns and computed fields that `groupBy` and `distinctOn` may name; empty if there are
   * none.
   */
  readonly columns: readonly string[];
}

/**
 * Functions with results of the same types share a GraphQL type. `name` follows the table's name in
 * the name of the type.
 */
const families: readonly {
  readonly functions: readonly AggregateFunction[];
  readonly name: string;
  readonly description: string;
}[] = [
  { functions: ['countDistinct'], name: 'Distinct', description: 'How many different values each column has.' },
  { functions: ['sum', 'avg'], name: 'Sums', description: 'Sums or averages of columns.' },
  { functions: ['min', 'max'], name: 'Extremes', description: 'The least or the greatest values of columns.' },
  {
    functions: ['stddev', 'variance'],
    name: 'Deviations',
    description: 'Standard deviations or variances of columns (of the sample).',
  },
];

/** Makes the types `KanbanIssuesAggregate`, `KanbanIssuesHavingInput`, … */
export function aggregateShape(table: TableDescriptor): AggregateShape {
  const { type } = table;
  const groupable = groupableValues(table);
  const present = families.filter((family) => valuesOf(table, family.functions[0]).length > 0);
  const functions = aggregateFunctions.flatMap((name) => {
    const family = present.find((each) => each.functions.includes(name));
    return family === undefined ? [] : [{ name, family: family.name }];
  });
  const results: readonly FieldShape[] = [
    required('count', 'Int'),
    ...functions.map(({ name, family }) => required(name, `${type}Aggregate${family}`)),
  ];
  const types: TypeShape[] = [
    object(`${type}Aggregate`, `Aggregates over rows of ${table.name}.`, () => [
      ...results,
      ...(groupable.length === 0 ? [] : [list('groups', `${type}AggregateGroup`)]),
    ]),
    ...present.map((family) =>
      object(`${type}Aggregate${family.name}`, family.description, () => functionFields(table, family.functions[0])),
    ),
    ...havingTypes(table, present, functions),
  ];
  if (groupable.length > 0) {
    types.push(
      object(`${type}AggregateGroup`, 'Aggregates over the rows of one group.', () => [
        required('key', `${type}AggregateKey`),
        ...results,
      ]),
      object(
        `${type}AggregateKey`,
        'The values that the rows of a group share: the columns of groupBy, the others are null.',
        () => groupable.map(keyField),
      ),
    );
  }
  return { types, columns: groupable.map(({ name }) => name) };
}

/**
 * The columns and computed fields with comparable values that need no arguments: `groupBy` and
 * `distinctOn` may name them.
 */
export function groupableValues(table: TableDescriptor): readonly RowValue[] {
  return valuesOf(table, 'countDistinct').filter(isNamedAlone);
}

function havingTypes(
  table: TableDescriptor,
  present: typeof families,
  functions: readonly { readonly name: AggregateFunction; readonly family: string }[],
): readonly TypeShape[] {
  const name = `${table.type}HavingInput`;
  const comparable = present.filter((family) => havingValues(table, family.functions[0]).length > 0);
  const names = comparable.map((family) => family.name);
  return [
    input(name, 'Conditions on groups; all of them must hold.', () => [
      optionalList('and', name),
      optionalList('or', name),
      optional('not', name),
      optional('count', 'IntFilterInput'),
      ...functions
        .filter(({ family }) => names.includes(family))
        .map(({ name: each, family }) => optional(each, `${table.type}Having${family}Input`)),
    ]),
    ...comparable.map((family) =>
      input(`${table.type}Having${family.name}Input`, family.description, () =>
        havingFields(table, family.functions[0]),
      ),
    ),
  ];
}

function valuesOf(table: TableDescriptor, name: AggregateFunction | undefined): readonly RowValue[] {
  return name === undefined ? [] : rowValues(table).filter(({ type }) => aggregateType(name, type) !== undefined);
}

function functionFields(table: TableDescriptor, name: AggregateFunction | undefined): readonly FieldShape[] {
  return valuesOf(table, name).flatMap(({ name: field, type: of, computed }) => {
    const type = name === undefined ? undefined : aggregateType(name, of);
    if (type === undefined) return [];
    const { name: named, depth } = outputType(type);
    const shape = { name: field, type: named, depth, nullable: name !== 'countDistinct', nullableItems: true };
    return [computed?.arguments === undefined ? shape : { ...shape, parameters: () => computedArguments(computed) }];
  });
}

/** `having` does not compare enums: each enum column has its own filter input. */
function havingValues(table: TableDescriptor, name: AggregateFunction | undefined): readonly RowValue[] {
  return valuesOf(table, name).filter(
    (value) => isNamedAlone(value) && (name === undefined || aggregateType(name, value.type)?.kind !== 'enum'),
  );
}

function havingFields(table: TableDescriptor, name: AggregateFunction | undefined): readonly FieldShape[] {
  return havingValues(table, name).flatMap(({ name: field, type: of }) => {
    const type = name === undefined ? undefined : aggregateType(name, of);
    return type === undefined ? [] : [optional(field, sharedFilterName(type))];
  });
}

function keyField({ name: field, type }: RowValue): FieldShape {
  const { name, depth } = outputType(type);
  return { name: field, type: name, depth, nullable: true, nullableItems: true };
}
