import type { TableDescriptor } from '../../../templates/runtime/descriptor.js';
import type { FieldShape, TypeShape } from '../../../templates/runtime/schema/aggregate-shape.js';
import { inputType } from '../../../templates/runtime/schema/graphql-type.js';
import {
  canCreate,
  canDelete,
  canUpdate,
  createShape,
  deleteShape,
  updateShape,
  type NestedRelations,
  type WriteShape,
} from '../../../templates/runtime/schema/write-shape.js';
import type { ProcedureModel, TableModel } from '../../model/model.js';
import { description } from '../source/escape.js';
import { many, maybe, maybeMany, type Definition, type QueryDefinition } from './definition.js';

/** Everything GraphQL knows of writing to a table. */
export interface WriteDefinitions {
  readonly mutations: readonly QueryDefinition[];
  /** Declared by the runtime at start, from the descriptor: schema.graphql spells them out. */
  readonly types: readonly Definition[];
  /** What `createTypes` is told beside the descriptor. */
  readonly nested: NestedRelations;
}

/** What `<table>.graphql.ts` exports for mutations, by what declares it: the ends of the types' names. */
export function writeExports(
  table: TableDescriptor,
): readonly { readonly by: string; readonly types: readonly string[] }[] {
  return [
    ...(canCreate(table) ? [{ by: 'createTypes', types: ['CreateInput', 'CreateArgs', 'CreateManyArgs'] }] : []),
    ...(canUpdate(table) ? [{ by: 'updateTypes', types: ['UpdateInput', 'UpdateArgs'] }] : []),
    ...(canDelete(table) ? [{ by: 'deleteTypes', types: ['DeleteArgs'] }] : []),
  ];
}

/** The GraphQL types among them, and the classes of arguments. */
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
    ...(canDelete(descriptor) ? [deleteShape(descriptor)] : []),
  ];
  return {
    mutations: mutations(table),
    types: shapes.flatMap(definitionsOf),
    nested,
  };
}

/** `call<Schema><Proc>`: what it answers is the JSON text of its OUT parameters. */
export function callMutation({ descriptor, comment }: ProcedureModel): QueryDefinition {
  const given = descriptor.arguments.filter((argument) => argument.mode !== 'out');
  return {
    ...maybe(descriptor.field, 'String', description(comment)),
    inline: given.map(({ name, field, type }): FieldShape & { readonly description: string } => {
      const { name: named, depth } = inputType(type);
      // Null is an argument like any other, and a default may stand in for one that is left out.
      return { ...maybe(field ?? name, named), depth, nullableItems: true };
    }),
  };
}

/** Rows of a junction's far side would need rows of the junction too: those relations are not among them. */
function nestedRelations(tables: ReadonlyMap<string, TableModel>, table: TableModel): NestedRelations {
  const entries = (table.descriptor.relations ?? []).flatMap(({ name, direction, table: key }) => {
    const other = tables.get(key);
    if (direction === 'through' || other === undefined || !canCreate(other.descriptor)) return [];
    return [[name, other.descriptor.type] as const];
  });
  return Object.fromEntries(entries);
}

function mutations({ descriptor, fields }: TableModel): readonly QueryDefinition[] {
  const { type } = descriptor;
  const of = (kind: string) => ({ arguments: `${type}${kind}Args`, inline: [] });
  return [
    ...(canCreate(descriptor)
      ? [
          { ...maybe(fields.create, type), ...of('Create') },
          { ...many(fields.createMany, type), ...of('CreateMany') },
        ]
      : []),
    ...(canUpdate(descriptor) ? [{ ...maybeMany(fields.update, type), ...of('Update') }] : []),
    ...(canDelete(descriptor) ? [{ ...maybeMany(fields.delete, type), ...of('Delete') }] : []),
  ];
}

function definitionsOf({ types, enums }: WriteShape): readonly Definition[] {
  return [...types.map(asDefinition), ...enums.map((each): Definition => ({ kind: 'enum', ...each }))];
}

function asDefinition(type: TypeShape): Definition {
  return { ...type, fields: type.fields.map((field) => ({ ...field, description: '' })) };
}
