import type { RelationDescriptor, TableDescriptor } from '../../descriptor/descriptor.js';
import type { Model, TableModel } from '../../model/model.js';
import { aggregateShape } from '../aggregate-shape.js';
import type { Declarations } from '../declare.js';
import { argumentsOf } from '../definitions/arguments.js';
import type { ClassDefinition, Definition, FieldDefinition } from '../definitions/definition.js';
import { compositeTypes, enumType, rangeTypes, runtimeTypes, sharedFilters } from '../definitions/shared.js';
import { filterInput, objectType, ownFilters, tableContext, type TableContext } from '../definitions/table.js';
import { readShape } from '../read-shape.js';
import type { EnumShape, FieldShape, TypeShape } from '../type-shape.js';
import { canCreate, canUpdate, createShape, updateShape } from '../write-shape.js';

/**
 * Every type and enum of a model's GraphQL schema, as data, without a generated class. Their fields are made when
 * somebody asks for them. Yields often: a thousand tables have 27,000 types.
 */
export function* declareModel(model: Model): Generator<undefined, Declarations> {
  const types = new Map<string, TypeShape>();
  const enums = new Map<string, EnumShape>();
  const add = (definition: Definition): void => {
    if (definition.kind === 'enum') enums.set(definition.name, definition);
    else if (definition.kind !== 'scalar') types.set(definition.name, shapeOf(definition));
  };
  runtimeTypes.forEach(add);
  sharedFilters(model).forEach(add);
  model.ranges.flatMap(rangeTypes).forEach(add);
  model.enums.map(enumType).forEach(add);
  model.composites.flatMap(compositeTypes).forEach(add);
  const context = tableContext(model);
  for (const table of model.tables) {
    if (!table.graphql) continue;
    const declared = declareTable(context, table);
    for (const type of declared.types) types.set(type.name, type);
    for (const each of declared.enums) enums.set(each.name, each);
    yield;
  }
  return {
    type: (name) => types.get(name),
    enum: (name) => enums.get(name),
    names: () => [...types.keys(), ...enums.keys()],
  };
}

/** The types of one table: its rows, its own filters, and the types that the runtime derives from its descriptor. */
function declareTable(
  context: TableContext,
  table: TableModel,
): { readonly types: readonly TypeShape[]; readonly enums: readonly EnumShape[] } {
  const { descriptor } = table;
  const { type, name } = descriptor;
  const find = (field: string): TableDescriptor | undefined => context.tables.get(field)?.descriptor;
  const tableOf = (relation: RelationDescriptor): TableDescriptor => {
    const found = find(relation.table);
    if (found === undefined) throw new TypeError(`${relation.table} is not a table of the model.`);
    return found;
  };
  const aggregates = aggregateShape(descriptor);
  const writes = [
    ...(canCreate(descriptor) ? [createShape(descriptor, find)] : []),
    ...(canUpdate(descriptor) ? [updateShape(descriptor)] : []),
  ];
  const { description } = objectType(context, { ...table, columns: [], computed: [], relations: [] });
  return {
    types: [
      { kind: 'object', name: type, description, fields: () => objectType(context, table).fields.map(withParameters) },
      ...(context.filters.get(descriptor.field) ?? []).map((filter) => shapeOf(filterInput(filter))),
      ...readShape(descriptor, ownFilters(table), tableOf),
      ...aggregates.types,
      ...writes.flatMap((shape) => shape.types),
    ],
    enums: [
      ...(aggregates.columns.length === 0
        ? []
        : [{ name: `${type}Column`, description: `Columns of ${name}.`, values: aggregates.columns }]),
      ...writes.flatMap((shape) => shape.enums),
    ],
  };
}

const shapeOf = ({ kind, name, description, fields }: ClassDefinition): TypeShape => ({
  kind,
  name,
  description,
  fields: () => fields.map(withParameters),
});

/** A field with the arguments that follow from a table. */
export function withParameters(field: FieldDefinition): FieldShape {
  return field.arguments === undefined ? field : { ...field, parameters: () => argumentsOf(field) };
}
