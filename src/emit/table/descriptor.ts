import type {
  ColumnDescriptor,
  KeyEquality,
  QualifiedName,
  RelationDescriptor,
  TableDescriptor,
  TableModel,
  UniqueDescriptor,
} from '@tablewright/runtime/model';
import { mediaHandlersEntry } from '../media-handlers.js';
import { descriptorName } from '../context.js';
import { argumentEntries } from '../schema/procedures.js';
import { descriptionEntry } from '../description-entry.js';
import type { Doc } from '../source/doc.js';
import type { Imports } from '../source/file.js';
import { array, callWithObject, object, objects, string, tallObject, type Entry } from '../source/typescript.js';
import { typeExpression } from '../vocabulary.js';

/** The descriptor, which describes the table to the runtime, with a line for each column. */
export function descriptorDoc(table: TableModel, imports: Imports): Doc {
  const { descriptor } = table;
  const flags = (['insertable', 'updatable', 'deletable', 'deferrableKeys'] as const).filter(
    (flag) => descriptor[flag] === true,
  );
  const entries: readonly Entry[] = [
    ['field', string(descriptor.field)],
    ['type', string(descriptor.type)],
    ['schema', string(descriptor.schema)],
    ['name', string(descriptor.name)],
    ['kind', string(descriptor.kind)],
    ...descriptionEntry(descriptor),
    ['columns', objects(descriptor.columns.map((column) => columnDoc(column, imports)))],
    ...(descriptor.primaryKey === undefined ? [] : [entry('primaryKey', object(uniqueDoc(descriptor.primaryKey)))]),
    ...(descriptor.rowKey === undefined ? [] : [entry('rowKey', names(descriptor.rowKey))]),
    ...(descriptor.shownKey === undefined ? [] : [entry('shownKey', names(descriptor.shownKey))]),
    ...(descriptor.nodeId === undefined ? [] : [entry('nodeId', string(descriptor.nodeId))]),
    ...(descriptor.uniques === undefined ? [] : [entry('uniques', objects(descriptor.uniques.map(uniqueDoc)))]),
    ...(descriptor.unmergedKeys === undefined
      ? []
      : [entry('unmergedKeys', array(descriptor.unmergedKeys.map(names)))]),
    ...(['relations', 'embedded'] as const).flatMap((name) => {
      const relations = descriptor[name];
      return relations === undefined
        ? []
        : [entry(name, array(relations.map((relation) => relationDoc(relation, imports))))];
    }),
    ...computedEntry(table, imports),
    ...messagesEntry(descriptor),
    ...flags.map((flag) => entry(flag, 'true')),
    ...(['rules', 'changedAfter'] as const).flatMap((name) => {
      const events = descriptor[name];
      return events === undefined ? [] : [entry(name, names(events))];
    }),
    ...(descriptor.transactional === false ? [entry('transactional', 'false')] : []),
    ...mediaHandlersEntry(descriptor.mediaHandlers),
    ...(descriptor.inherited === true ? [entry('inherited', 'true')] : []),
  ];
  const constant = `export const ${descriptorName(table)}: ${imports.runtime('TableDescriptor')} = `;
  return [constant, tallObject(entries), ';'];
}

function columnDoc(column: ColumnDescriptor, imports: Imports): readonly Entry[] {
  const flags = (['nullable', 'hasDefault', 'filled', 'readOnly', 'insertOnly'] as const).filter(
    (flag) => column[flag] === true,
  );
  return [
    ['name', string(column.name)],
    ...(column.field === undefined ? [] : [entry('field', string(column.field))]),
    ['type', typeExpression(column.type, imports)],
    ...flags.map((flag) => entry(flag, 'true')),
    ...(column.filter === undefined ? [] : [entry('filter', string(column.filter))]),
    ...representationEntry(column),
    ...descriptionEntry(column),
  ];
}

function representationEntry({ representation = {} }: ColumnDescriptor): readonly Entry[] {
  const functions = (['toJson', 'fromJson', 'fromText'] as const).flatMap((way) => {
    const name = representation[way];
    return name === undefined ? [] : [entry(way, qualifiedDoc(name))];
  });
  return functions.length === 0 ? [] : [entry('representation', object(functions))];
}

function uniqueDoc(unique: UniqueDescriptor): readonly Entry[] {
  return [
    ['name', string(unique.name)],
    ...(unique.field === undefined ? [] : [entry('field', string(unique.field))]),
    ['columns', names(unique.columns)],
    ...(unique.nullsEqual === true ? [entry('nullsEqual', 'true')] : []),
  ];
}

/** Such as `tw.toOne('kanbanAssigneeId', 'kanbanUsers', 'issues_assignee_id_fkey', …)`. */
function relationDoc(relation: RelationDescriptor, imports: Imports): Doc {
  const { name, table, constraint, columns, references, equality, through, cardinality, function: called } = relation;
  if (called !== undefined) {
    const words = [name, table, cardinality].map(string);
    return callWithObject(imports.runtime('computedRows'), words, qualifiedEntries(called));
  }
  const parts = [...[name, table, constraint].map(string), names(columns), names(references)];
  const own: readonly Entry[] = [
    ...(relation.own === undefined ? [] : [entry('own', qualifiedDoc(relation.own))]),
    ...(relation.onlyInPostgrest === true ? [entry('onlyInPostgrest', 'true')] : []),
  ];
  const last: readonly Entry[] =
    through === undefined
      ? [...equalityEntry('equality', equality), ...own]
      : [
          ['table', string(through.table)],
          ['columns', names(through.columns)],
          ['references', names(through.references)],
          ...junctionEquality(through),
          ...(through.near === undefined ? [] : [entry('near', qualifiedDoc(through.near))]),
          ...own,
        ];
  return callWithObject(imports.runtime(relationHelper(relation)), parts, last);
}

function junctionEquality({ equality }: NonNullable<RelationDescriptor['through']>): readonly Entry[] {
  if (equality === undefined) return [];
  const sides = (['columns', 'references'] as const).flatMap((side) => equalityEntry(side, equality[side]));
  return [entry('equality', object(sides))];
}

/** Such as `equality: [null, { schema: 'extensions', name: '=' }]`. */
function equalityEntry(name: string, equality: KeyEquality | undefined): readonly Entry[] {
  if (equality === undefined) return [];
  const docs = equality.map((operator) => {
    if (operator === null) return 'null';
    const { as } = operator;
    return object([...qualifiedEntries(operator), ...(as === undefined ? [] : [entry('as', qualifiedDoc(as))])]);
  });
  return [entry(name, array(docs))];
}

const qualifiedEntries = ({ schema, name }: QualifiedName): readonly Entry[] => [
  entry('schema', string(schema)),
  entry('name', string(name)),
];

const qualifiedDoc = (name: QualifiedName): Doc => object(qualifiedEntries(name));

function relationHelper({ direction, cardinality, isListInPostgrest }: RelationDescriptor): string {
  switch (direction) {
    case 'forward':
      return 'toOne';
    case 'reverse':
      if (cardinality === 'many') return 'toMany';
      return isListInPostgrest === true ? 'toOneByIndex' : 'toOneReverse';
    case 'through':
      return 'through';
  }
}

function computedEntry(table: TableModel, imports: Imports): readonly Entry[] {
  const { computed } = table.descriptor;
  if (computed === undefined) return [];
  const docs = computed.map((each): readonly Entry[] => [
    ['name', string(each.name)],
    ['function', qualifiedDoc(each.function)],
    ...(each.columns === undefined ? [] : [entry('columns', names(each.columns))]),
    ['type', typeExpression(each.type, imports)],
    ...(each.arguments === undefined
      ? []
      : [entry('arguments', objects(each.arguments.map((argument) => argumentEntries(argument, imports))))]),
    ...(each.inputs === undefined ? [] : [entry('inputs', string(each.inputs))]),
    ...descriptionEntry(each),
  ]);
  return [['computed', objects(docs)]];
}

function messagesEntry({ constraintMessages }: TableDescriptor): readonly Entry[] {
  if (constraintMessages === undefined) return [];
  const docs = constraintMessages.map(({ constraint, domain, message }): readonly Entry[] => [
    ['constraint', string(constraint)],
    ...(domain === undefined ? [] : [entry('domain', string(domain))]),
    ['message', string(message)],
  ]);
  return [['constraintMessages', objects(docs)]];
}

function names(columns: readonly string[]): Doc {
  return array(columns.map(string));
}

function entry(name: string, value: Doc): Entry {
  return [name, value];
}
