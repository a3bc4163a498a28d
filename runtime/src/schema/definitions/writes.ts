import type { ArgumentDescriptor, ProcedureDescriptor, TableDescriptor } from '../../descriptor/descriptor.js';
import { rootFields } from '../../descriptor/names.js';
import { fieldOf } from '../../descriptor/registry.js';
import { rowInputs } from '../describe-inputs.js';
import { rootText, type RootField } from '../descriptions.js';
import { inputType } from '../graphql-type.js';
import type { TypeShape } from '../type-shape.js';
import { createShape, hasConstraints, hasNumbers, updateShape, type WriteShape } from '../write-shape.js';
import { canCreate, canUpdate, canDelete } from '../writable.js';
import { nestedTypes } from '../nested-shape.js';
import {
  many,
  maybe,
  maybeMany,
  type ClassDefinition,
  type Definition,
  type FieldDefinition,
  type QueryDefinition,
} from './definition.js';

/** The GraphQL definitions of writes to a table. */
export interface WriteDefinitions {
  readonly mutations: readonly QueryDefinition[];
  /**
   * The types that the runtime derives from the descriptor at start. A function, because only
   * schema.graphql needs them.
   */
  readonly types: () => readonly Definition[];
}

/** The ends of the names of the types that `<table>.table.ts` exports for mutations. */
export const writeTypeEnds = (table: TableDescriptor): readonly string[] => [
  ...(canCreate(table) ? ['CreateInput', ...(hasConstraints(table) ? ['OnConflictInput'] : [])] : []),
  ...(canUpdate(table) ? ['UpdateInput', ...(hasNumbers(table) ? ['IncInput'] : [])] : []),
];

/** Source: decision 005. */
export function defineWrites(tables: ReadonlyMap<string, TableDescriptor>, table: TableDescriptor): WriteDefinitions {
  const find = (field: string): TableDescriptor | undefined => tables.get(field);
  const shapes = [
    ...(canCreate(table) ? [createShape(table, find)] : []),
    ...(canUpdate(table) ? [updateShape(table, find)] : []),
    { types: nestedTypes(table, find), enums: [] },
  ];
  return {
    mutations: mutations(table),
    types: () => shapes.flatMap((shape) => definitionsOf(shape, commentsOf(table))),
  };
}

/** `call<Schema><Proc>`: answers the JSON text of the procedure's OUT parameters. */
export function callMutation({ field, schema, name, description, ...called }: ProcedureDescriptor): QueryDefinition {
  const given = called.arguments.filter((argument) => argument.mode !== 'out');
  return {
    ...maybe(field, 'String', description ?? `Calls ${schema}.${name}.`),
    inline: given.map(argumentField),
  };
}

/** Every argument may be missing: null is a value, and the database may have a default. */
export function argumentField({ name, field, type }: ArgumentDescriptor): FieldDefinition {
  const { name: named, depth } = inputType(type);
  return { ...maybe(field ?? name, named), depth, nullableItems: true };
}

/** The root fields of Mutation that a table has. */
export function mutations(table: TableDescriptor): readonly QueryDefinition[] {
  const { type } = table;
  const fields = rootFields(table);
  const taking = (field: RootField, definition: FieldDefinition): QueryDefinition => ({
    ...definition,
    arguments: { field, table },
    inline: [],
    description: rootText(field, table, ''),
  });
  return [
    ...(canCreate(table)
      ? [taking('create', maybe(fields.create, type)), taking('createMany', many(fields.createMany, type))]
      : []),
    ...(canUpdate(table) ? [taking('update', maybeMany(fields.update, type))] : []),
    ...(canDelete(table) ? [taking('delete', maybeMany(fields.delete, type))] : []),
  ];
}

/** The comments of the columns, by field. */
const commentsOf = ({ columns }: TableDescriptor): ReadonlyMap<string, string> =>
  new Map(columns.map((column) => [fieldOf(column), column.description ?? '']));

function definitionsOf({ types, enums }: WriteShape, comments: ReadonlyMap<string, string>): readonly Definition[] {
  return [
    ...types.filter((type) => type.isAbsent?.() !== true).map((type) => asDefinition(type, comments)),
    ...enums.map((each): Definition => ({ kind: 'enum', ...each })),
  ];
}

const uncommented: ReadonlyMap<string, string> = new Map();

/**
 * A type that the runtime declares, for schema.graphql. Inputs of rows have the comments of their
 * columns; the server takes the comments from the object type: schema/describe-inputs.ts.
 */
export function asDefinition(type: TypeShape, comments = uncommented): ClassDefinition {
  const fields = type.fields();
  if (!rowInputs.some((end) => type.name.endsWith(end))) return { ...type, fields };
  return {
    ...type,
    fields: fields.map((field) => ({ ...field, description: field.description ?? comments.get(field.name) ?? '' })),
  };
}
