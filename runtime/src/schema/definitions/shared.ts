import type { CompositeDescriptor, EnumDescriptor } from '../../descriptor/descriptor.js';
import { fieldOf } from '../../descriptor/registry.js';
import { inputType, outputType } from '../graphql-type.js';
import type { RangeModel, SharedTypes } from '../shared-types.js';
import {
  maybe,
  maybeMany,
  one,
  type ClassDefinition,
  type EnumDefinition,
  type FieldDefinition,
  type ScalarDefinition,
} from './definition.js';
import { filterInput } from './table.js';

/** Filter inputs of kinds of columns, in `shared/filters.ts`. */
export function sharedFilters(model: Pick<SharedTypes, 'filters'>): readonly ClassDefinition[] {
  return model.filters.filter((filter) => filter.table === null).map(filterInput);
}

/** Object type and input of each range in use, in `shared/ranges.ts`. Source: decision 002. */
export function rangeTypes(range: RangeModel): readonly ClassDefinition[] {
  const { name, bound, boundInput } = range;
  const flags = ['lowerInclusive', 'upperInclusive', 'empty'];
  const edges = ['lower', 'upper'];
  return [
    {
      kind: 'object',
      name,
      description: 'A range. A bound that is null is open.',
      fields: [
        ...edges.map((edge) => ({ ...maybe(edge, bound.name), depth: bound.depth, nullableItems: true })),
        ...flags.map((flag) => one(flag, 'Boolean')),
      ],
    },
    {
      kind: 'input',
      name: `${name}Input`,
      description: 'A range: `[lower, upper)` unless it says otherwise. A bound that is left out is open.',
      fields: [
        ...edges.map((edge) => ({ ...maybe(edge, boundInput.name), depth: boundInput.depth, nullableItems: true })),
        ...flags.map((flag) => maybe(flag, 'Boolean')),
      ],
    },
  ];
}

/** Ordering by the number of related rows. */
const countOrderBy: ClassDefinition = {
  kind: 'input',
  name: 'CountOrderByInput',
  description: 'Orders by the number of related rows.',
  fields: [maybe('_count', 'OrderDirection')],
};

/** The `vector` argument. Source: decision 011. */
const vectorInput: ClassDefinition = {
  kind: 'input',
  name: 'VectorInput',
  description: 'The nearest rows to an embedding, nearest first. Replaces `orderBy`; combines with `where`.',
  fields: [
    one('column', 'String', 'A vector column of the table.'),
    { ...maybeMany('near', 'Float'), nullable: false, description: 'As many numbers as the column has dimensions.' },
    maybe('distance', 'String', '`L2` (the default, also `EUCLIDEAN`), `COSINE` or `IP` (also `INNER_PRODUCT`).'),
    maybe('limit', 'Int', 'How many rows, at most.'),
  ],
};

export function enumType({ type, description = '', values }: EnumDescriptor): EnumDefinition {
  return { kind: 'enum', name: type, description, values: values.map(({ label, name }) => name ?? label) };
}

/** Object type and input of a composite type. */
export function compositeTypes({
  type,
  description = '',
  attributes,
  outputOnly,
}: CompositeDescriptor): readonly ClassDefinition[] {
  const fieldsOf = (typeOf: typeof outputType): readonly FieldDefinition[] =>
    attributes.map((attribute) => {
      const { name, depth } = typeOf(attribute.type);
      return { ...maybe(fieldOf(attribute), name, attribute.description), depth, nullableItems: true };
    });
  const output: ClassDefinition = { kind: 'object', name: type, description, fields: fieldsOf(outputType) };
  return outputOnly === true
    ? [output]
    : [output, { kind: 'input', name: `${type}Input`, description, fields: fieldsOf(inputType) }];
}

/** Types that every schema has, where something leads to them. */
export const runtimeTypes: readonly (ClassDefinition | EnumDefinition | ScalarDefinition)[] = [
  countOrderBy,
  vectorInput,
  {
    kind: 'object',
    name: 'PageInfo',
    description: 'Where a page of a connection lies.',
    fields: [
      one('hasNextPage', 'Boolean', 'Whether there are rows after this page.'),
      one('hasPreviousPage', 'Boolean', 'Whether there are rows before this page.'),
      maybe('startCursor', 'String', 'Cursor of the first row of the page.'),
      maybe('endCursor', 'String', 'Cursor of the last row of the page.'),
    ],
  },
  {
    kind: 'enum',
    name: 'OrderDirection',
    description: 'A direction to sort in. `"asc"` and `AscNullsFirst` spellings are accepted too.',
    values: ['ASC', 'DESC', 'ASC_NULLS_FIRST', 'ASC_NULLS_LAST', 'DESC_NULLS_FIRST', 'DESC_NULLS_LAST'],
  },
  scalar('BigInt', 'A 64-bit integer, as a string of digits. Input: a string or an integer.'),
  scalar('Numeric', 'A decimal number with all its digits. Input: a number, or a string.'),
  scalar('UUID', 'A UUID, such as `123e4567-e89b-12d3-a456-426614174000`.'),
  scalar('Date', 'A calendar date in ISO 8601 form, such as `2026-07-31`.'),
  scalar('Time', 'A time of day in ISO 8601 form, to the microsecond, with the offset where the column has one.'),
  scalar(
    'DateTime',
    'A moment in ISO 8601 form, to the microsecond; in UTC with offset where the column has a time zone.',
  ),
  scalar('Interval', 'A span of time in ISO 8601 form, such as `P1DT2H`.'),
  {
    ...scalar('JSON', 'Any JSON value. Input: a literal, or a variable.'),
    specifiedBy: 'http://www.ecma-international.org/publications/files/ECMA-ST/ECMA-404.pdf',
  },
  scalar('Bytes', 'Bytes in hexadecimal form, such as `\\xdeadbeef`.'),
  scalar('Tsvector', 'The words of a text search document, in text form. Read only.'),
  scalar('Vector', 'An embedding: a list of finite numbers, as many as the column has dimensions.'),
  scalar('TextSearch', 'The search: a string, or `{query: "…", config: "english"}` with a text search configuration.'),
];

function scalar(name: string, text: string): ScalarDefinition {
  return { kind: 'scalar', name, description: text };
}
