import type { TableDescriptor } from '../../../templates/runtime/descriptor.js';
import type { TypeShape } from '../../../templates/runtime/schema/aggregate-shape.js';
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
import type { ProcedureModel, TableModel } from '../../model/model.js';
import { description } from '../source/escape.js';
import {
  many,
  maybe,
  maybeMany,
  one,
  type Definition,
  type FieldDefinition,
  type QueryDefinition,
} from './definition.js';

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
    types: shapes.flatMap(definitionsOf),
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

/** Rows of a junction's far side would need rows of the junction too: those relations are not among them. */
function nestedRelations(tables: ReadonlyMap<string, TableModel>, table: TableModel): NestedRelations {
  const entries = (table.descriptor.relations ?? []).flatMap(({ name, direction, table: key }) => {
    const other = tables.get(key);
    if (direction === 'through' || other === undefined || !canCreate(other.descriptor)) return [];
    return [[name, other.descriptor.type] as const];
  });
  return Object.fromEntries(entries);
}

function mutations(table: TableModel): readonly QueryDefinition[] {
  const { descriptor, fields } = table;
  const { type } = descriptor;
  const conflict = hasConstraints(descriptor) ? [maybe('onConflict', `${type}OnConflictInput`)] : [];
  const inc = hasNumbers(descriptor) ? [maybe('inc', `${type}IncInput`)] : [];
  const rows = rowArguments(table);
  const atMost = maybe('atMost', 'Int');
  const creates = [
    { ...maybe(fields.create, type), inline: [one('input', `${type}CreateInput`), ...conflict] },
    { ...many(fields.createMany, type), inline: [many('inputs', `${type}CreateInput`), ...conflict] },
  ];
  const update = {
    ...maybeMany(fields.update, type),
    inline: [...rows, one('input', `${type}UpdateInput`), ...inc, atMost],
  };
  return [
    ...(canCreate(descriptor) ? creates : []),
    ...(canUpdate(descriptor) ? [update] : []),
    ...(canDelete(descriptor) ? [{ ...maybeMany(fields.delete, type), inline: [...rows, atMost] }] : []),
  ];
}

/** Which rows: `id` is short for a key of one column. */
function rowArguments({ descriptor, columns }: TableModel): readonly FieldDefinition[] {
  const where = maybe('where', `${descriptor.type}WhereInput`);
  const [first, ...more] = descriptor.primaryKey?.columns ?? [];
  const key = more.length > 0 ? undefined : columns.find((column) => column.descriptor.name === first);
  if (key === undefined) return [where];
  const { name, depth } = inputType(key.descriptor.type);
  return [where, { ...maybe('id', name), depth, nullableItems: true }];
}

function definitionsOf({ types, enums }: WriteShape): readonly Definition[] {
  return [...types.map(asDefinition), ...enums.map((each): Definition => ({ kind: 'enum', ...each }))];
}

function asDefinition(type: TypeShape): Definition {
  return { ...type, fields: type.fields.map((field) => ({ ...field, description: '' })) };
}
