import type { RelationDescriptor, TableDescriptor } from '../descriptor/descriptor.js';
import { aggregateShape } from './aggregate-shape.js';
import { changeTypes } from './changes-shape.js';
import { argumentsOf } from './definitions/arguments.js';
import type { ClassDefinition, Definition, FieldDefinition } from './definitions/definition.js';
import { defineFunctions } from './definitions/functions.js';
import { compositeTypes, enumType, rangeTypes, runtimeTypes, sharedFilters } from './definitions/shared.js';
import type { SchemaSource } from './definitions/source.js';
import { filterInput, interfacesOf, rowFields, tableContext, type TableContext } from './definitions/table.js';
import { nodeInterface } from './node-shape.js';
import { readShape } from './read-shape.js';
import type { EnumShape, FieldShape, TypeShape } from './type-shape.js';
import { createShape, updateShape } from './write-shape.js';
import { canCreate, canUpdate } from './writable.js';
import { nestedTypes } from './nested-shape.js';

/** Types and enums of a schema, by GraphQL name. */
export interface Declarations {
  readonly type: (name: string) => TypeShape | undefined;
  readonly enum: (name: string) => EnumShape | undefined;
  /** The names of all of them. */
  readonly names: () => Iterable<string>;
}

/** The names of the types and enums of each table, by its key. */
export type TypeNames = ReadonlyMap<string, readonly string[]>;

/**
 * The names of the types of tables. This takes as long as declaring them, so another thread does it
 * for a large database.
 */
export function typeNames(source: SchemaSource): TypeNames {
  const context = tableContext(source);
  return new Map(
    shownTables(source).map((table) => {
      const { types, enums } = declareTable(context, table);
      return [table.field, [...types, ...enums].map(({ name }) => name)];
    }),
  );
}

/**
 * Declares every type and enum of a GraphQL schema. Their fields are made on first use. Yields
 * often: a thousand tables have 27,000 types.
 * @param changed the tables with subscriptions
 * @param names if given, the types of a table are declared when one of them is first used. `asked`:
 * they are not known, but begin with the name of the table's type
 */
export function* declareTypes(
  source: SchemaSource,
  changed: readonly TableDescriptor[],
  names?: TypeNames | 'asked',
): Generator<undefined, Declarations> {
  const types = new Map<string, TypeShape>();
  const enums = new Map<string, EnumShape>();
  const add = (definition: Definition): void => {
    if (definition.kind === 'enum') enums.set(definition.name, definition);
    else if (definition.kind !== 'scalar') types.set(definition.name, shapeOf(definition));
  };
  runtimeTypes.forEach(add);
  sharedFilters(source).forEach(add);
  source.ranges.flatMap(rangeTypes).forEach(add);
  source.enums.map(enumType).forEach(add);
  source.composites.flatMap(compositeTypes).forEach(add);
  for (const type of defineFunctions(source).types) types.set(type.name, type);
  for (const type of nodeInterface(source.tables)) types.set(type.name, type);
  for (const shape of changeTypes(changed)) {
    if ('values' in shape) enums.set(shape.name, shape);
    else types.set(shape.name, shape);
  }
  const context = tableContext(source);
  const declare = (table: TableDescriptor): void => {
    const declared = declareTable(context, table);
    for (const type of declared.types) types.set(type.name, type);
    for (const each of declared.enums) enums.set(each.name, each);
  };
  if (names === 'asked') return declaredWhenAsked(source, context, declare, types, enums);
  const undeclared = new Map<string, TableDescriptor>();
  for (const table of shownTables(source)) {
    const known = names?.get(table.field);
    if (known === undefined) declare(table);
    else for (const name of known) undeclared.set(name, table);
    yield;
  }
  const find = <T>(shapes: ReadonlyMap<string, T>, name: string): T | undefined => {
    const table = undeclared.get(name);
    if (table !== undefined) {
      declare(table);
      for (const each of names?.get(table.field) ?? []) undeclared.delete(each);
    }
    return shapes.get(name);
  };
  return {
    type: (name) => find(types, name),
    enum: (name) => find(enums, name),
    names: () => [...types.keys(), ...enums.keys(), ...undeclared.keys()],
  };
}

/**
 * Declares the types of a table when a name that begins with that of its rows, or is that of one of
 * its own filters, is first asked for. Keeps nothing for each of them until then.
 */
function declaredWhenAsked(
  source: SchemaSource,
  { tables, filters }: TableContext,
  declare: (table: TableDescriptor) => void,
  types: ReadonlyMap<string, TypeShape>,
  enums: ReadonlyMap<string, EnumShape>,
): Declarations {
  const waiting = new Map(shownTables(source).map((table) => [table.type, table]));
  for (const [field, own] of filters) {
    const table = tables.get(field);
    if (table !== undefined) for (const { name } of own) waiting.set(name, table);
  }
  const find = <T>(shapes: ReadonlyMap<string, T>, name: string): T | undefined => {
    for (let end = name.length; end > 0 && !shapes.has(name); end -= 1) {
      const table = waiting.get(name.slice(0, end));
      if (table === undefined) continue;
      declare(table);
      waiting.delete(name.slice(0, end));
    }
    return shapes.get(name);
  };
  return {
    type: (name) => find(types, name),
    enum: (name) => find(enums, name),
    names: () => {
      for (const table of new Set(waiting.values())) declare(table);
      waiting.clear();
      return [...types.keys(), ...enums.keys()];
    },
  };
}

/** GraphQL has no empty types. REST serves a table without columns all the same. */
export const shownTables = ({ tables }: Pick<SchemaSource, 'tables'>): readonly TableDescriptor[] =>
  tables.filter(({ columns }) => columns.length > 0);

/**
 * The types of one table: its rows, its own filters, and the types that follow from its descriptor.
 */
function declareTable(
  context: TableContext,
  table: TableDescriptor,
): { readonly types: readonly TypeShape[]; readonly enums: readonly EnumShape[] } {
  const { type, name, description = '' } = table;
  const find = (field: string): TableDescriptor | undefined => context.tables.get(field);
  const tableOf = (relation: RelationDescriptor): TableDescriptor => {
    const found = find(relation.table);
    if (found === undefined) throw new TypeError(`${relation.table} is not a known table.`);
    return found;
  };
  const aggregates = aggregateShape(table);
  const writes = [
    ...(canCreate(table) ? [createShape(table, find)] : []),
    ...(canUpdate(table) ? [updateShape(table, find)] : []),
    { types: nestedTypes(table, find).filter(({ isAbsent }) => isAbsent?.() !== true), enums: [] },
  ];
  return {
    types: [
      {
        kind: 'object',
        name: type,
        description,
        ...interfacesOf(table),
        fields: () => rowFields(context, table).map(withParameters),
      },
      ...(context.filters.get(table.field) ?? []).map((filter) => shapeOf(filterInput(filter))),
      ...readShape(table, tableOf),
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
