import type { ColumnDescriptor, RelationDescriptor, UniqueDescriptor } from '../../../templates/runtime/descriptor.js';
import type { TableModel } from '../../model/model.js';
import { descriptorName } from '../context.js';
import type { Doc } from '../source/doc.js';
import type { Imports } from '../source/file.js';
import { array, docComment, object, objects, string, tallObject, type Entry } from '../source/typescript.js';
import { typeExpression } from '../vocabulary.js';

const runtime = '../runtime';

/** The descriptor: what the runtime knows of the table, a column a line. */
export function descriptorDoc(table: TableModel, imports: Imports): Doc {
  imports.type('TableDescriptor', `${runtime}/descriptor.js`);
  const { descriptor } = table;
  const flags = (['insertable', 'updatable', 'deletable'] as const).filter((flag) => descriptor[flag] === true);
  const entries: readonly Entry[] = [
    ['field', string(descriptor.field)],
    ['type', string(descriptor.type)],
    ['schema', string(descriptor.schema)],
    ['name', string(descriptor.name)],
    ['kind', string(descriptor.kind)],
    ['columns', objects(descriptor.columns.map((column) => columnDoc(column, imports)))],
    ...(descriptor.primaryKey === undefined ? [] : [entry('primaryKey', object(uniqueDoc(descriptor.primaryKey)))]),
    ...(descriptor.uniques === undefined ? [] : [entry('uniques', objects(descriptor.uniques.map(uniqueDoc)))]),
    ...(descriptor.relations === undefined ? [] : [entry('relations', objects(descriptor.relations.map(relationDoc)))]),
    ...computedEntry(table, imports),
    ...flags.map((flag) => entry(flag, 'true')),
  ];
  const constant = `export const ${descriptorName(table)}: TableDescriptor = `;
  return [docComment(table.comment ?? ''), constant, tallObject(entries), ';'];
}

function columnDoc(column: ColumnDescriptor, imports: Imports): readonly Entry[] {
  const flags = (['nullable', 'hasDefault', 'readOnly'] as const).filter((flag) => column[flag] === true);
  return [
    ['name', string(column.name)],
    ...(column.field === undefined ? [] : [entry('field', string(column.field))]),
    ['type', typeExpression(column.type, imports, `${runtime}/types.js`)],
    ...flags.map((flag) => entry(flag, 'true')),
  ];
}

function uniqueDoc(unique: UniqueDescriptor): readonly Entry[] {
  return [
    ['name', string(unique.name)],
    ...(unique.field === undefined ? [] : [entry('field', string(unique.field))]),
    ['columns', names(unique.columns)],
  ];
}

function relationDoc(relation: RelationDescriptor): readonly Entry[] {
  const { through } = relation;
  return [
    ['name', string(relation.name)],
    ['cardinality', string(relation.cardinality)],
    ['direction', string(relation.direction)],
    ['table', string(relation.table)],
    ['constraint', string(relation.constraint)],
    ['columns', names(relation.columns)],
    ['references', names(relation.references)],
    ...(through === undefined
      ? []
      : [
          entry(
            'through',
            object([
              ['table', string(through.table)],
              ['columns', names(through.columns)],
              ['references', names(through.references)],
            ]),
          ),
        ]),
  ];
}

function computedEntry(table: TableModel, imports: Imports): readonly Entry[] {
  const { computed } = table.descriptor;
  if (computed === undefined) return [];
  const docs = computed.map((each): readonly Entry[] => [
    ['name', string(each.name)],
    ['function', object([entry('schema', string(each.function.schema)), entry('name', string(each.function.name))])],
    ['type', typeExpression(each.type, imports, `${runtime}/types.js`)],
  ]);
  return [['computed', objects(docs)]];
}

function names(columns: readonly string[]): Doc {
  return array(columns.map(string));
}

function entry(name: string, value: Doc): Entry {
  return [name, value];
}
