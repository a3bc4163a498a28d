import type {
  ArgumentDescriptor,
  ColumnType,
  ComputedDescriptor,
  TableDescriptor,
  ValueType,
} from '../descriptor/descriptor.js';
import { fieldOf } from '../descriptor/registry.js';
import { aggregateFunctions, aggregateType } from '../plan/aggregates.js';
import { filterShape, lengthFilterType } from './filter-shape.js';
import { hasOwnFilter, inputType, sharedFilterName } from './graphql-type.js';
import { isOrderable } from './orderable.js';
import { described, input, optional, type FieldShape, type TypeShape } from './type-shape.js';

/** What follows `inputs` in the names of the GraphQL inputs that only one computed field has. */
export const computedInputEnds = ['FilterInput', 'OrderByInput', 'ArgumentsInput'] as const;

const inputName = ({ inputs = '' }: ComputedDescriptor, end: (typeof computedInputEnds)[number]): string =>
  `${inputs}${end}`;

/** The arguments of a computed field. As those of functions: null is a value, and a default may stand in for one that is left out. */
export const computedArguments = ({ arguments: all = [] }: Pick<ComputedDescriptor, 'arguments'>): FieldShape[] =>
  all.map(argumentShape);

function argumentShape({ name, field, type }: ArgumentDescriptor): FieldShape {
  const { name: named, depth } = inputType(type);
  return { ...optional(field ?? name, named), depth, nullableItems: true };
}

/** The filter input of a computed field: its own where it has arguments, or operators that only it has, as enums. */
export const computedFilterName = (computed: ComputedDescriptor): string =>
  computed.inputs === undefined ? sharedFilterName(computed.type) : inputName(computed, 'FilterInput');

/** Code of an older generator has no filter for computed fields that are enums. */
export const isFilterable = ({ type, inputs }: ComputedDescriptor): boolean =>
  inputs !== undefined || !hasOwnFilter(type);

/**
 * The shared filter inputs that conditions on computed fields and on their aggregates take. Code of an older generator may not have all of
 * them.
 */
export const computedFilters = ({ computed = [] }: TableDescriptor): readonly TypeShape[] => {
  const types = computed.flatMap(({ type }): readonly ValueType[] => [
    type,
    lengthFilterType,
    ...aggregateFunctions.flatMap((name) => aggregateType(name, type) ?? []),
  ]);
  return types.filter((type) => !hasOwnFilter(type)).map((type) => filterShape(sharedFilterName(type), type));
};

/** What `orderBy` takes for a computed field: a direction, beside the arguments where it has some. */
export const computedOrderName = (computed: ComputedDescriptor): string =>
  computed.arguments === undefined ? 'OrderDirection' : inputName(computed, 'OrderByInput');

/** The inputs that only one computed field of the table has. */
export const computedInputs = ({ computed = [] }: TableDescriptor): readonly TypeShape[] =>
  computed.filter(({ inputs }) => inputs !== undefined).flatMap(inputsOf);

function inputsOf(computed: ComputedDescriptor): readonly TypeShape[] {
  const { name, type } = computed;
  const filter = filterShape(inputName(computed, 'FilterInput'), type);
  if (computed.arguments === undefined) return [filter];
  const given = described(optional('args', inputName(computed, 'ArgumentsInput')), `The arguments of ${name}.`);
  return [
    input(inputName(computed, 'ArgumentsInput'), `The arguments of ${name}.`, () => computedArguments(computed)),
    { ...filter, fields: () => [given, ...filter.fields()] },
    ...(isOrderable(type)
      ? [
          input(inputName(computed, 'OrderByInput'), `How to sort by ${name}.`, () => [
            given,
            described(optional('direction', 'OrderDirection'), 'Ascending where it is left out.'),
          ]),
        ]
      : []),
  ];
}

/** What has one value for each row: a column, or a computed field, by its GraphQL name. */
export interface RowValue {
  readonly name: string;
  readonly type: ColumnType;
  /** Present: a computed field, with arguments where it has some. */
  readonly computed?: ComputedDescriptor;
}

/** The columns of a table, then its computed fields. */
export const rowValues = ({ columns, computed = [] }: TableDescriptor): readonly RowValue[] => [
  ...columns.map((column) => ({ name: fieldOf(column), type: column.type })),
  ...computed.map((each) => ({ name: each.name, type: each.type, computed: each })),
];

/** Whether a name alone says what the value is: nothing has to be given. */
export const isNamedAlone = ({ computed }: Pick<RowValue, 'computed'>): boolean =>
  (computed?.arguments ?? []).every(({ hasDefault }) => hasDefault === true);
