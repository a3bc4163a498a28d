import type { ArgumentDescriptor, ColumnType, ComputedDescriptor, TableDescriptor } from '../descriptor/descriptor.js';
import { fieldOf } from '../descriptor/registry.js';
import { filterShape } from './filter-shape.js';
import { inputType, sharedFilterName } from './graphql-type.js';
import { isOrderable } from './orderable.js';
import { described, input, optional, type FieldShape, type TypeShape } from './type-shape.js';

/**
 * Ends of the names of the GraphQL inputs that belong to one computed field; `inputs` of the
 * descriptor is their beginning.
 */
export const computedInputEnds = ['FilterInput', 'OrderByInput', 'ArgumentsInput'] as const;

const inputName = ({ inputs = '' }: ComputedDescriptor, end: (typeof computedInputEnds)[number]): string =>
  `${inputs}${end}`;

/**
 * The arguments of a computed field. As for functions, null is a value, and the function may have a
 * default for a missing argument.
 */
export const computedArguments = ({ arguments: all = [] }: Pick<ComputedDescriptor, 'arguments'>): FieldShape[] =>
  all.map(argumentShape);

function argumentShape({ name, field, type }: ArgumentDescriptor): FieldShape {
  const { name: named, depth } = inputType(type);
  return { ...optional(field ?? name, named), depth, nullableItems: true };
}

/**
 * The name of a computed field's filter input. A field has its own input if it has arguments, or
 * operators of its own, as enums have.
 */
export const computedFilterName = (computed: ComputedDescriptor): string =>
  computed.inputs === undefined ? sharedFilterName(computed.type) : inputName(computed, 'FilterInput');

/**
 * The type that `orderBy` takes for a computed field: a direction, with the arguments if the field
 * has some.
 */
export const computedOrderName = (computed: ComputedDescriptor): string =>
  computed.arguments === undefined ? 'OrderDirection' : inputName(computed, 'OrderByInput');

/** The inputs that belong to single computed fields of the table. */
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

/** A column or a computed field, by its GraphQL name: each has one value for each row. */
export interface RowValue {
  readonly name: string;
  readonly type: ColumnType;
  /** Present for a computed field. */
  readonly computed?: ComputedDescriptor;
}

/** The columns of a table, then its computed fields. */
export const rowValues = ({ columns, computed = [] }: TableDescriptor): readonly RowValue[] => [
  ...columns.map((column) => ({ name: fieldOf(column), type: column.type })),
  ...computed.map((each) => ({ name: each.name, type: each.type, computed: each })),
];

/** Whether the name alone identifies the value, because no argument is required. */
export const isNamedAlone = ({ computed }: Pick<RowValue, 'computed'>): boolean =>
  (computed?.arguments ?? []).every(({ hasDefault }) => hasDefault === true);
