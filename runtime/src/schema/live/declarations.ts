import type { RelationDescriptor, TableDescriptor } from '../../descriptor/descriptor.js';
import type { Model, TableModel } from '../../model/model.js';
import { aggregateShape } from '../aggregate-shape.js';
import type { Declarations } from '../declare.js';
import { argumentsOf } from '../definitions/arguments.js';
import type { ClassDefinition, Definition, FieldDefinition } from '../definitions/definition.js';
import { defineFunctions } from '../definitions/functions.js';
import { compositeTypes, enumType, rangeTypes, runtimeTypes, sharedFilters } from '../definitions/shared.js';
import {
  filterInput,
  interfacesOf,
  objectType,
  ownFilters,
  tableContext,
  type TableContext,
} from '../definitions/table.js';
import { nodeInterface } from '../node-shape.js';
import { readShape } from '../read-shape.js';
import type { EnumShape, FieldShape, TypeShape } from '../type-shape.js';
import { createShape, updateShape } from '../write-shape.js';
import { canCreate, canUpdate } from '../writable.js';
import { nestedTypes } from '../nested-shape.js';

/** The names of the types and enums of each table, by its key. */
export type TypeNames = ReadonlyMap<string, readonly string[]>;

/**
 * The names of a model's types. This takes as long as declaring them, so another thread does it for
 * a large model.
 */
export function typeNames(model: Model): TypeNames {
  const context = tableContext(model);
  return new Map(
    shownTables(model).map((table) => {
      const { types, enums } = declareTable(context, table);
      return [table.descriptor.field, [...types, ...enums].map(({ name }) => name)];
    }),
  );
}

/**
 * Declares every type and enum of a model's GraphQL schema, without generated classes. Their fields
 * are made on first use. Yields often: a thousand tables have 27,000 types.
 * @param names if given, the types of a table are declared when one of them is first used
 */
export function* declareModel(model: Model, names?: TypeNames): Generator<undefined, Declarations> {
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
  for (const type of defineFunctions(model).types) types.set(type.name, type);
  for (const type of nodeInterface(model.tables.map(({ descriptor }) => descriptor))) types.set(type.name, type);
  const context = tableContext(model);
  const declare = (table: TableModel): void => {
    const declared = declareTable(context, table);
    for (const type of declared.types) types.set(type.name, type);
    for (const each of declared.enums) enums.set(each.name, each);
  };
  const undeclared = new Map<string, TableModel>();
  for (const table of shownTables(model)) {
    const known = names?.get(table.descriptor.field);
    if (known === undefined) declare(table);
    else for (const name of known) undeclared.set(name, table);
    yield;
  }
  const find = <T>(shapes: ReadonlyMap<string, T>, name: string): T | undefined => {
    const table = undeclared.get(name);
    if (table !== undefined) {
      declare(table);
      for (const each of names?.get(table.descriptor.field) ?? []) undeclared.delete(each);
    }
    return shapes.get(name);
  };
  return {
    type: (name) => find(types, name),
    enum: (name) => find(enums, name),
    names: () => [...types.keys(), ...enums.keys(), ...undeclared.keys()],
  };
}

const shownTables = ({ tables }: Model): readonly TableModel[] => tables.filter(({ graphql }) => graphql);

/**
 * The types of one table: its rows, its own filters, and the types that follow from its descriptor.
 */
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
    ...(canUpdate(descriptor) ? [updateShape(descriptor, find)] : []),
    { types: nestedTypes(descriptor, find).filter(({ isAbsent }) => isAbsent?.() !== true), enums: [] },
  ];
  const { description } = objectType(context, { ...table, columns: [], computed: [], relations: [] });
  return {
    types: [
      {
        kind: 'object',
        name: type,
        description,
        ...interfacesOf(descriptor),
        fields: () => objectType(context, table).fields.map(withParameters),
      },
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
