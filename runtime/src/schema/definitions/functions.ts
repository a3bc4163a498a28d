import type { CompositeDescriptor, FunctionDescriptor, TableDescriptor } from '../../descriptor/descriptor.js';
import { aggregateField, answersList } from '../../descriptor/names.js';
import { outputType } from '../graphql-type.js';
import { resultArguments, resultShapes } from '../result-shape.js';
import type { FieldShape, TypeShape } from '../type-shape.js';
import { many, maybe, one, type FieldDefinition, type QueryDefinition } from './definition.js';
import { hasVector } from './table.js';
import type { SchemaSource } from './source.js';
import { argumentField } from './writes.js';

/** The root fields of functions. */
export interface FunctionDefinitions {
  readonly queries: readonly QueryDefinition[];
  readonly mutations: readonly QueryDefinition[];
  /** The inputs that filter and sort lists of values. */
  readonly types: readonly TypeShape[];
}

/** Composite types by their GraphQL names. */
export function compositesOf(
  composites: readonly CompositeDescriptor[],
): (type: string) => CompositeDescriptor | undefined {
  const byType = new Map(composites.map((each) => [each.type, each]));
  return (type) => byType.get(type);
}

/** Source: decision 005. */
export function defineFunctions(
  source: Pick<SchemaSource, 'functions' | 'tables' | 'composites'>,
): FunctionDefinitions {
  const { functions } = source;
  if (functions.length === 0) return { queries: [], mutations: [], types: [] };
  const composites = compositesOf(source.composites);
  const tables = new Map(source.tables.map((table) => [table.field, table]));
  const fieldsOf = (operation: FunctionDescriptor['operation']): readonly QueryDefinition[] =>
    functions
      .filter((each) => each.operation === operation)
      .flatMap((each) => functionFields(each, tables.get(each.table ?? ''), composites));
  const types = functions.flatMap((each) => resultShapes(each, composites));
  return { queries: fieldsOf('query'), mutations: fieldsOf('mutation'), types };
}

/**
 * The field of a function. A function that returns a list of rows also has a field for their
 * aggregates.
 */
export function functionFields(
  descriptor: FunctionDescriptor,
  table: TableDescriptor | undefined,
  composites: (type: string) => CompositeDescriptor | undefined,
): readonly QueryDefinition[] {
  const { field, schema, name, returnsSet } = descriptor;
  const text = descriptor.description ?? `Calls ${schema}.${name}.`;
  const inline = descriptor.arguments.map(argumentField);
  if (table === undefined) {
    const parameters = (): readonly FieldShape[] => resultArguments(descriptor, composites);
    const own = descriptor.inputs === undefined ? {} : { parameters };
    return [{ ...valueField(descriptor), description: text, inline, ...own }];
  }
  const { type } = table;
  if (!answersList(descriptor)) {
    return [{ ...(returnsSet === true ? many(field, type, text) : maybe(field, type, text)), inline }];
  }
  return [
    {
      ...many(field, type, text),
      arguments: { field: hasVector(table) ? 'vectorList' : 'list', table },
      inline,
    },
    {
      ...one(aggregateField(field), `${type}Aggregate`, `Aggregates over the rows of ${field}.`),
      arguments: { field: 'aggregate', table },
      inline,
    },
  ];
}

/** A function may return NULL. A function without a result answers a Boolean. */
function valueField({ field, returns, returnsSet }: FunctionDescriptor): FieldDefinition {
  if (returns === undefined) return maybe(field, 'Boolean');
  const { name, depth } = outputType(returns);
  return returnsSet === true
    ? { ...many(field, name), depth: depth + 1, nullableItems: true }
    : { ...maybe(field, name), depth, nullableItems: true };
}
