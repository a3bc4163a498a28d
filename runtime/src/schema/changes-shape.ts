import type { TableDescriptor } from '../descriptor/descriptor.js';
import { rootFields } from '../descriptor/names.js';
import { argumentTexts } from './descriptions.js';
import {
  described,
  object,
  optional,
  optionalList,
  required,
  type EnumShape,
  type FieldShape,
  type TypeShape,
} from './type-shape.js';

/** The kind of a change, or the notice that changes may be missing. */
export const changeOperation: EnumShape = {
  name: 'ChangeOperation',
  description:
    'The operation: a row was inserted, updated or deleted. SNAPSHOT: the row was there when the subscription began. RESYNC: changes may be missing, so read all shown rows again.',
  values: ['INSERT', 'UPDATE', 'DELETE', 'RESYNC', 'SNAPSHOT'],
};

/**
 * Whether a table has a subscription field: it needs a primary key by which its rows can be found.
 * A key with an array column cannot be compared with a list of keys.
 */
export function hasChanges({ kind, primaryKey, columns }: TableDescriptor): boolean {
  if (kind !== 'table' || primaryKey === undefined) return false;
  return primaryKey.columns.every((name) =>
    columns.some((column) => column.name === name && column.type.kind !== 'array'),
  );
}

/** The type of `<f>Changes`: `KanbanIssuesChange`. */
export const changeType = ({ type, name }: TableDescriptor): TypeShape =>
  object(`${type}Change`, `A committed change of a row of ${name}.`, () => [
    required('operation', changeOperation.name),
    described(required('schema', 'String'), "The table's schema in the database."),
    described(required('table', 'String'), "The table's name in the database."),
    described(required('timestamp', 'DateTime'), 'When the change was committed.'),
    described(optional('data', type), 'The row as it is now, as you may see it. Null for DELETE and RESYNC.'),
    described(
      optional('old', type),
      'The row as it was before an UPDATE or a DELETE, if the database reports it: see the documentation.',
    ),
    described(optional('key', 'JSON'), 'The primary key: an object by field. Null for RESYNC.'),
    described(optional('error', 'String'), 'Why changes may be missing, for RESYNC.'),
  ]);

/** Arguments of `<f>Changes`. */
export const changesArguments = ({ type }: TableDescriptor): readonly FieldShape[] => [
  described(optional('where', `${type}WhereInput`), argumentTexts.where),
  described(
    optionalList('operations', changeOperation.name),
    'Operations to report; absent: all. RESYNC and SNAPSHOT are always reported.',
  ),
  described(
    optional('snapshot', 'Boolean'),
    'Begin with the rows as they are, each as SNAPSHOT, also after each RESYNC. Then a row that is deleted, no longer matches or is hidden is always reported as DELETE.',
  ),
];

/** The Subscription field of a table's changes. */
export const changesField = (table: TableDescriptor): FieldShape => ({
  ...described(
    required(rootFields(table).changes, `${table.type}Change`),
    `Committed changes of rows of ${table.schema}.${table.name}.`,
  ),
  parameters: () => changesArguments(table),
});

/**
 * The type Subscription and the types of its fields. They belong to one schema with a change feed,
 * because other schemas of the process may have none.
 */
export const changeTypes = (changed: readonly TableDescriptor[]): readonly (TypeShape | EnumShape)[] =>
  changed.length === 0 ? [] : [subscriptionType(changed), changeOperation, ...changed.map(changeType)];

export const subscriptionType = (changed: readonly TableDescriptor[]): TypeShape =>
  object('Subscription', '', () => changed.map(changesField));
