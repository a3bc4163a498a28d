import type { TableDescriptor } from '../../../templates/runtime/descriptor.js';
import type { TypeShape } from '../../../templates/runtime/schema/type-shape.js';
import { inputType } from '../../../templates/runtime/schema/graphql-type.js';
import {
  canCreate,
  canDelete,
  canUpdate,
  createShape,
  hasConstraints,
  hasNumbers,
  updateShape,
  type NestedRelations,
  type WriteShape,
} from '../../../templates/runtime/schema/write-shape.js';
import { rowInputs } from '../../../templates/runtime/schema/describe-inputs.js';
import type { ProcedureModel, TableModel } from '../../model/model.js';
import { description } from '../source/escape.js';
import {
  many,
  maybe,
  maybeMany,
  type ArgumentsOf,
  type ClassDefinition,
  type Definition,
  type FieldDefinition,
  type QueryDefinition,
} from './definition.js';

/** Everything GraphQL knows of writing to a table. */
export interface WriteDefinitions {
  readonly mutations: readonly QueryDefinition[];
  /** Declared by the runtime at start, from the descriptor. A function: schema.graphql spells them out, and nobody else keeps them. */
  readonly types: () => readonly Definition[];
  /** What `createTypes` is told beside the descriptor. */
  readonly nested: NestedRelations;
}

/** What `<table>.table.ts` exports for mutations, by what declares it: the ends of the types' names. */
export function writeExports(
  table: TableDescriptor,
): readonly { readonly by: string; readonly types: readonly string[] }[] {
  const conflict = hasConstraints(table) ? ['OnConflictInput'] : [];
  const inc = hasNumbers(table) ? ['IncInput'] : [];
  return [
    ...(canCreate(table) ? [{ by: 'createTypes', types: ['CreateInput', ...conflict] }] : []),
    ...(canUpdate(table) ? [{ by: 'updateTypes', types: ['UpdateInput', ...inc] }] : []),
  ];
}

/** Their names. */
export function writeTypeNames(table: TableDescriptor): readonly string[] {
  return writeExports(table).flatMap(({ types }) => types.map((end) => `${table.type}${end}`));
}

/** Source: decisions 5. */
export function defineWrites(tables: ReadonlyMap<string, TableModel>, table: TableModel): WriteDefinitions {
  const { descriptor } = table;
  const nested = nestedRelations(tables, table);
  const shapes = [
    ...(canCreate(descriptor) ? [createShape(descriptor, nested)] : []),
    ...(canUpdate(descriptor) ? [updateShape(descriptor)] : []),
  ];
  return {
    mutations: mutations(table),
    types: () => shapes.flatMap((shape) => definitionsOf(shape, commentsOf(table))),
    nested,
  };
}

/** `call<Schema><Proc>`: what it answers is the JSON text of its OUT parameters. */
export function callMutation({ descriptor, comment }: ProcedureModel): QueryDefinition {
  const given = descriptor.arguments.filter((argument) => argument.mode !== 'out');
  return {
    ...maybe(descriptor.field, 'String', description(comment)),
    inline: given.map(({ name, field, type }): FieldDefinition => {
      const { name: named, depth } = inputType(type);
      // Null is an argument like any other, and a default may stand in for one that is left out.
      return { ...maybe(field ?? name, named), depth, nullableItems: true };
    }),
  };
}

/** Relations through which rows may be given inside a new row. What leads along a junction table writes rows of that too. */
function nestedRelations(tables: ReadonlyMap<string, TableModel>, table: TableModel): NestedRelations {
  const creatable = (key: string): boolean => {
    const other = tables.get(key);
    return other !== undefined && canCreate(other.descriptor);
  };
  const entries = (table.descriptor.relations ?? []).flatMap(({ name, table: key, through }) => {
    if (!creatable(key) || (through !== undefined && !creatable(through.table))) return [];
    return [[name, tables.get(key)?.descriptor.type ?? key] as const];
  });
  return Object.fromEntries(entries);
}

function mutations(table: TableModel): readonly QueryDefinition[] {
  const { descriptor, fields } = table;
  const { type } = descriptor;
  const taking = (field: FieldDefinition, decorator: ArgumentsOf['decorator']): QueryDefinition => ({
    ...field,
    arguments: { decorator, table },
    inline: [],
  });
  return [
    ...(canCreate(descriptor)
      ? [
          taking(maybe(fields.create, type), 'CreateArguments'),
          taking(many(fields.createMany, type), 'CreateManyArguments'),
        ]
      : []),
    ...(canUpdate(descriptor) ? [taking(maybeMany(fields.update, type), 'UpdateArguments')] : []),
    ...(canDelete(descriptor) ? [taking(maybeMany(fields.delete, type), 'DeleteArguments')] : []),
  ];
}

/** The comments of the columns, by field. */
const commentsOf = ({ columns }: TableModel): ReadonlyMap<string, string> =>
  new Map(columns.map(({ field, comment }) => [field, description(comment)]));

function definitionsOf({ types, enums }: WriteShape, comments: ReadonlyMap<string, string>): readonly Definition[] {
  return [
    ...types.map((type) => asDefinition(type, comments)),
    ...enums.map((each): Definition => ({ kind: 'enum', ...each })),
  ];
}

const uncommented: ReadonlyMap<string, string> = new Map();

/**
 * A type that the runtime declares, for schema.graphql. Inputs of rows have the comments of their columns, which the server takes from the
 * object type: schema/describe-inputs.ts.
 */
export function asDefinition(type: TypeShape, comments = uncommented): ClassDefinition {
  const fields = type.fields();
  if (!rowInputs.some((end) => type.name.endsWith(end))) return { ...type, fields };
  return { ...type, fields: fields.map((field) => ({ ...field, description: comments.get(field.name) ?? '' })) };
}
