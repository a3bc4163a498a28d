import type { RelationDescriptor, TableDescriptor } from '../descriptor/descriptor.js';
import { mayLack } from '../descriptor/may-lack.js';
import { mergeKeys, rowKeyOf } from '../descriptor/unique-keys.js';
import type { ApiChange, ApiSubject } from './api-change.js';
import { argumentChanges } from './argument-changes.js';
import {
  about,
  breaking,
  comparePairs,
  harmless,
  objectOf,
  paired,
  sameType,
  type Found,
  type Known,
} from './compare-lists.js';
import type { ColumnModel, TableModel } from './model.js';

/** The changes of tables, their columns, keys, relations and computed fields for clients. */
export function compareTables(
  before: readonly TableModel[],
  after: readonly TableModel[],
  known: Known,
): readonly ApiChange[] {
  return paired(before, after, ({ descriptor }) => objectOf(descriptor)).flatMap(([name, old, now]) => {
    const table: ApiSubject = { kind: 'table', object: name };
    if (now === undefined) return about(table, [breaking('TABLE_REMOVED', `${name} is no longer served.`)]);
    if (old === undefined) return about(table, [harmless('TABLE_ADDED', `${name} is served now.`)]);
    return [
      ...about(table, compareNames(name, old.descriptor, now.descriptor)),
      ...about(table, compareWrites(name, old.descriptor, now.descriptor)),
      ...about(table, compareKeys(name, old.descriptor, now.descriptor)),
      ...compareConstraints(name, old.descriptor, now.descriptor),
      ...compareColumns(name, old, now, known),
      ...compareRelations(name, old.descriptor, now.descriptor, known),
      ...compareComputed(name, old.descriptor, now.descriptor, known),
    ];
  });
}

function compareNames(name: string, old: TableDescriptor, now: TableDescriptor): readonly Found[] {
  const changes = [
    [old.type, now.type],
    [old.field, now.field],
  ].filter(([was, is]) => was !== is);
  return changes.map(([was, is]) =>
    breaking('TABLE_RENAMED', `${name} was called ${String(was)} in GraphQL and is now ${String(is)}.`),
  );
}

function compareWrites(name: string, old: TableDescriptor, now: TableDescriptor): readonly Found[] {
  return (['insertable', 'updatable', 'deletable'] as const).flatMap((ability) => {
    if (old[ability] === now[ability]) return [];
    return now[ability] === true
      ? [harmless('WRITE_ADDED', `${name} is ${ability} now.`)]
      : [breaking('WRITE_REMOVED', `${name} is no longer ${ability}.`)];
  });
}

function compareKeys(name: string, old: TableDescriptor, now: TableDescriptor): readonly Found[] {
  const [was, is] = [keyColumns(old), keyColumns(now)];
  if (was === is) return [];
  const description = `The primary key of ${name} was (${was}) and is now (${is}).`;
  return [was === '' ? harmless('PRIMARY_KEY_CHANGED', description) : breaking('PRIMARY_KEY_CHANGED', description)];
}

/** What `onConflict` may name. A key that comes or goes is reported as a key. */
function compareConstraints(table: string, old: TableDescriptor, now: TableDescriptor): readonly ApiChange[] {
  const keys = old.primaryKey !== undefined && now.primaryKey !== undefined;
  const names = (each: TableDescriptor): readonly string[] =>
    (keys ? mergeKeys(each) : (each.uniques ?? [])).map(({ name, field }) => field ?? name);
  return comparePairs(names(old), names(now), (name) => name, {
    subject: (member) => ({ kind: 'constraint', object: table, member }),
    removed: (name) => breaking('CONSTRAINT_REMOVED', `${table} no longer has the unique key ${name}.`),
    added: (name) => harmless('CONSTRAINT_ADDED', `${table} has the new unique key ${name}.`),
  });
}

function compareColumns(table: string, old: TableModel, now: TableModel, known: Known): readonly ApiChange[] {
  return comparePairs(
    old.columns,
    now.columns,
    ({ descriptor }) => descriptor.name,
    {
      subject: (member) => ({ kind: 'column', object: table, member }),
      removed: (column) => breaking('COLUMN_REMOVED', `The column ${table}.${column} is gone.`),
      added: (column, is) => columnAdded(`${table}.${column}`, now, is),
    },
    (column, was, is) => [
      ...compareColumn(`${table}.${column}`, was, is, known),
      ...compareWriting(`${table}.${column}`, [old, was], [now, is]),
    ],
  );
}

function columnAdded(name: string, table: TableModel, column: ColumnModel): Found {
  return isRequired(table, column)
    ? breaking('REQUIRED_COLUMN_ADDED', `The column ${name} is new, and every insert has to give it a value.`)
    : harmless('COLUMN_ADDED', `The column ${name} is new.`);
}

/** The changes of a column for clients that write it. */
function compareWriting(
  name: string,
  was: readonly [TableModel, ColumnModel],
  is: readonly [TableModel, ColumnModel],
): readonly Found[] {
  const closed = is[1].descriptor.readOnly === true && was[1].descriptor.readOnly !== true;
  if (closed) return [breaking('COLUMN_BECAME_READ_ONLY', `${name} can no longer be written.`)];
  const fixed = is[1].descriptor.insertOnly === true && was[1].descriptor.insertOnly !== true;
  if (fixed) return [breaking('COLUMN_BECAME_READ_ONLY', `${name} can no longer be updated.`)];
  if (!isRequired(...is) || isRequired(...was) || was[0].descriptor.insertable !== true) return [];
  return [breaking('COLUMN_BECAME_REQUIRED', `Every insert has to give ${name} a value now.`)];
}

/** Whether an insert without the column fails. */
function isRequired({ descriptor }: TableModel, { descriptor: column }: ColumnModel): boolean {
  const optional = mayLack(column) || column.readOnly === true;
  return descriptor.insertable === true && !optional;
}

function compareColumn(name: string, was: ColumnModel, is: ColumnModel, known: Known): readonly Found[] {
  const changes: Found[] = [];
  if (was.field !== is.field) {
    changes.push(breaking('COLUMN_RENAMED', `The column ${name} was the field ${was.field} and is now ${is.field}.`));
  }
  if (!sameType(was.descriptor.type, is.descriptor.type, known)) {
    const description = `The type of ${name} was ${was.databaseType} and is now ${is.databaseType}.`;
    changes.push(breaking('COLUMN_TYPE_CHANGED', description));
  }
  if (was.descriptor.type.searchable !== is.descriptor.type.searchable) {
    changes.push(
      is.descriptor.type.searchable === true
        ? harmless('COLUMN_BECAME_SEARCHABLE', `${name} takes full-text search now, in a filter input of its own.`)
        : breaking('COLUMN_BECAME_UNSEARCHABLE', `${name} no longer takes full-text search.`),
    );
  }
  if (was.nullable !== is.nullable) {
    changes.push(
      is.nullable
        ? breaking('COLUMN_BECAME_NULLABLE', `${name} can be null now.`)
        : harmless('COLUMN_BECAME_NOT_NULL', `${name} can no longer be null.`),
    );
  }
  return changes;
}

function compareRelations(
  table: string,
  old: TableDescriptor,
  now: TableDescriptor,
  [before, after]: Known,
): readonly ApiChange[] {
  return comparePairs(
    old.relations ?? [],
    now.relations ?? [],
    ({ name }) => name,
    {
      subject: (member) => ({ kind: 'relation', object: table, member }),
      removed: (name) => breaking('RELATION_REMOVED', `The relation ${table}: ${name} is gone.`),
      added: (name) => harmless('RELATION_ADDED', `The relation ${table}: ${name} is new.`),
    },
    (name, was, is) => {
      if (relationShape(was, before) === relationShape(is, after)) return [];
      const description = `The relation ${table}: ${name} led to ${target(was)} and now leads to ${target(is)}.`;
      return [breaking('RELATION_CHANGED', description)];
    },
  );
}

function compareComputed(
  table: string,
  old: TableDescriptor,
  now: TableDescriptor,
  known: Known,
): readonly ApiChange[] {
  return comparePairs(
    old.computed ?? [],
    now.computed ?? [],
    ({ name }) => name,
    {
      subject: (member) => ({ kind: 'computed', object: table, member }),
      removed: (name) => breaking('COMPUTED_FIELD_REMOVED', `The computed field ${table}: ${name} is gone.`),
      added: (name) => harmless('COMPUTED_FIELD_ADDED', `The computed field ${table}: ${name} is new.`),
    },
    (field, was, is) => {
      const name = `The computed field ${table}: ${field}`;
      const others = sameType(was.type, is.type, known)
        ? []
        : [breaking('COMPUTED_FIELD_CHANGED', `${name} has another type.`)];
      return [...others, ...argumentChanges('COMPUTED_FIELD', name, was.arguments, is.arguments, known)];
    },
  );
}

const keyColumns = (table: TableDescriptor): string => (rowKeyOf(table) ?? []).join(', ');
const target = (relation: RelationDescriptor): string => `${relation.cardinality} ${relation.table}`;
const relationShape = (
  { table, cardinality, columns, references, through, function: called }: RelationDescriptor,
  known: ReadonlyMap<string, string>,
): string => {
  const nameOf = (key: string): string => known.get(key) ?? key;
  const junction = through === undefined ? undefined : { ...through, table: nameOf(through.table) };
  return JSON.stringify([nameOf(table), cardinality, columns, references, junction, called]);
};
