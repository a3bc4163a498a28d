import type { RelationDescriptor, TableDescriptor } from '../descriptor/descriptor.js';
import { isNamed, namingColumns, nestingOf, type Nesting } from '../descriptor/nesting.js';
import { described, input, optional, optionalList, required, type FieldShape, type TypeShape } from './type-shape.js';
import { canCreate, canUpdate, columnField } from './writable.js';

/** The table of this field; undefined: GraphQL has none. */
type FindTable = (field: string) => TableDescriptor | undefined;

/** Descriptions of the changes to related rows, in the order in which a write makes them. */
export const nestedTexts = {
  disconnect: 'Disconnects the related row, and does not delete it.',
  disconnectMany: 'Related rows to disconnect, and not to delete.',
  delete: 'Deletes the related row.',
  deleteMany: 'Related rows to delete.',
  update: 'New values of the related row.',
  updateMany: 'Related rows to update.',
  upsert: 'Updates the related row; if there is none, inserts a new row.',
  upsertMany: 'Related rows to update; if no row has the key, a new row is inserted.',
  connect: 'An existing row to connect.',
  connectMany: 'Existing rows to connect.',
  connectOrCreate: 'An existing row to connect; if no row has the key, a new row is inserted.',
  newRow: 'A new row.',
  newRows: 'New rows.',
  key: 'The row with this key.',
} as const;

/** The relations in `<T>UpdateInput`. */
export const nestedFields = (table: TableDescriptor, find: FindTable): readonly FieldShape[] =>
  (table.relations ?? []).flatMap((relation) =>
    stepFields(table, relation, find).length === 0 ? [] : [optional(relation.name, relationType(table, relation))],
  );

/**
 * The types that identify rows of a table and describe their changes inside other rows, and a type
 * of changes for each relation of the table.
 */
export const nestedTypes = (table: TableDescriptor, find: FindTable): readonly TypeShape[] =>
  isNamed(table) ? [...namingTypes(table), ...(canUpdate(table) ? relationTypes(table, find) : [])] : [];

const relationTypes = (table: TableDescriptor, find: FindTable): readonly TypeShape[] =>
  (table.relations ?? []).map((relation) => {
    const fields = () => stepFields(table, relation, find);
    const text = `Changes of the rows of ${relation.name}, in the order of these fields.`;
    return { ...input(relationType(table, relation), text, fields), isAbsent: () => fields().length === 0 };
  });

/** The underscore avoids conflicts: names that are made of a table's name have none. */
const relationType = ({ type }: TableDescriptor, { name }: RelationDescriptor): string => `${type}_${name}Input`;

function stepFields(table: TableDescriptor, relation: RelationDescriptor, find: FindTable): readonly FieldShape[] {
  const nesting = nestingOf(table, relation, find);
  return nesting === undefined ? [] : fieldsOf(nesting);
}

function fieldsOf({ other, many, ...nesting }: Nesting): readonly FieldShape[] {
  const { type } = other;
  const can = { ...nesting, create: nesting.create && canCreate(other), update: nesting.update && canUpdate(other) };
  const key = `${type}KeyInput`;
  const field = many ? optionalList : optional;
  const flag = (name: string): FieldShape => (many ? optionalList(name, key) : optional(name, 'Boolean'));
  const end = many ? 'Many' : '';
  return [
    ...(can.disconnect ? [described(flag('disconnect'), nestedTexts[`disconnect${end}`])] : []),
    ...(can.delete ? [described(flag('delete'), nestedTexts[`delete${end}`])] : []),
    ...(can.update
      ? [
          described(
            field('update', many ? `${type}NestedUpdateInput` : `${type}UpdateInput`),
            nestedTexts[`update${end}`],
          ),
        ]
      : []),
    ...(can.update && can.create
      ? [described(field('upsert', `${type}NestedUpsert${end}Input`), nestedTexts[`upsert${end}`])]
      : []),
    ...(can.connect ? [described(field('connect', key), nestedTexts[`connect${end}`])] : []),
    ...(can.connect && can.create
      ? [described(field('connectOrCreate', `${type}ConnectOrCreateInput`), nestedTexts.connectOrCreate)]
      : []),
    ...(can.create
      ? [described(field('create', `${type}CreateInput`), many ? nestedTexts.newRows : nestedTexts.newRow)]
      : []),
  ];
}

/** The types that identify and write rows of a table inside other rows. */
function namingTypes(table: TableDescriptor): readonly TypeShape[] {
  const { type, name } = table;
  const where = described(required('where', `${type}KeyInput`), nestedTexts.key);
  const create = described(required('create', `${type}CreateInput`), nestedTexts.newRow);
  const update = described(required('update', `${type}UpdateInput`), nestedTexts.update);
  const data = described(required('data', `${type}UpdateInput`), nestedTexts.update);
  const upsert = `A row of ${name} inside another row; it may exist already.`;
  return [
    input(`${type}KeyInput`, `A row of ${name}, named by the columns of one of its unique keys.`, () =>
      namingColumns(table).map(columnField),
    ),
    ...(canCreate(table)
      ? [input(`${type}ConnectOrCreateInput`, `A row of ${name} that may exist already.`, () => [where, create])]
      : []),
    ...(canUpdate(table)
      ? [input(`${type}NestedUpdateInput`, `New values of a row of ${name}, inside another row.`, () => [where, data])]
      : []),
    ...(canCreate(table) && canUpdate(table)
      ? [
          input(`${type}NestedUpsertInput`, upsert, () => [create, update]),
          input(`${type}NestedUpsertManyInput`, upsert, () => [where, create, update]),
        ]
      : []),
  ];
}
