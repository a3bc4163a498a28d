import type {
  ArgumentDescriptor,
  ColumnType,
  FunctionDescriptor,
  ProcedureDescriptor,
  RelationDescriptor,
  TableDescriptor,
} from '../descriptor/descriptor.js';
import { rowKeyOf, uniqueKeys } from '../descriptor/unique-keys.js';
import { compareArguments } from './argument-changes.js';
import type { ColumnModel, FunctionModel, Model, ProcedureModel, TableModel } from './model.js';

/**
 * A model without its database, which no change for clients depends on: descriptors of a running
 * server do not name it.
 */
export type DescribedModel = Omit<Model, 'dialect'>;

export type ApiChangeType =
  | 'TABLE_ADDED'
  | 'TABLE_REMOVED'
  | 'TABLE_RENAMED'
  | 'WRITE_ADDED'
  | 'WRITE_REMOVED'
  | 'PRIMARY_KEY_CHANGED'
  | 'CONSTRAINT_ADDED'
  | 'CONSTRAINT_REMOVED'
  | 'COLUMN_ADDED'
  | 'REQUIRED_COLUMN_ADDED'
  | 'COLUMN_REMOVED'
  | 'COLUMN_RENAMED'
  | 'COLUMN_TYPE_CHANGED'
  | 'COLUMN_BECAME_NULLABLE'
  | 'COLUMN_BECAME_NOT_NULL'
  | 'COLUMN_BECAME_REQUIRED'
  | 'COLUMN_BECAME_READ_ONLY'
  | 'RELATION_ADDED'
  | 'RELATION_REMOVED'
  | 'RELATION_CHANGED'
  | 'COMPUTED_FIELD_ADDED'
  | 'COMPUTED_FIELD_REMOVED'
  | 'COMPUTED_FIELD_CHANGED'
  | 'TYPE_RENAMED'
  | 'COMPUTED_FIELD_ARGUMENT_ADDED'
  | 'COMPUTED_FIELD_ARGUMENT_REQUIRED'
  | 'ENUM_VALUE_ADDED'
  | 'ENUM_VALUE_REMOVED'
  | 'ATTRIBUTE_ADDED'
  | 'ATTRIBUTE_REMOVED'
  | 'ATTRIBUTE_TYPE_CHANGED'
  | 'PROCEDURE_ADDED'
  | 'PROCEDURE_REMOVED'
  | 'PROCEDURE_CHANGED'
  | 'PROCEDURE_ARGUMENT_ADDED'
  | 'PROCEDURE_ARGUMENT_REQUIRED'
  | 'FUNCTION_ADDED'
  | 'FUNCTION_REMOVED'
  | 'FUNCTION_CHANGED'
  | 'FUNCTION_ARGUMENT_ADDED'
  | 'FUNCTION_ARGUMENT_REQUIRED';

/** The effect of a change of the model on clients of the API. */
export interface ApiChange {
  readonly type: ApiChangeType;
  /** Whether a request that worked may stop working, or answer what its client does not expect. */
  readonly breaking: boolean;
  readonly description: string;
  /** The object of the database that has changed. */
  readonly subject: ApiSubject;
}

/** An object of the database as clients see it. */
export interface ApiSubject {
  readonly kind: 'table' | 'column' | 'relation' | 'computed' | 'constraint' | 'enum' | 'composite' | 'procedure';
  /** `schema.name`; of a procedure, its GraphQL field. */
  readonly object: string;
  /**
   * The column, relation, computed field, unique key, enum value or attribute; absent for the
   * object as a whole.
   */
  readonly member?: string;
}

/** A change whose subject its caller knows. */
type Found = Omit<ApiChange, 'subject'>;

const about = (subject: ApiSubject, changes: readonly Found[]): readonly ApiChange[] =>
  changes.map((change) => ({ ...change, subject }));

/**
 * The changes for clients from one model to the next, in the order of the tables; empty when
 * nothing has.
 */
export function compareModels(before: DescribedModel, after: DescribedModel): readonly ApiChange[] {
  const known: Known = [objectNames(before), objectNames(after)];
  return [
    ...compareTables(before.tables, after.tables, known),
    ...compareEnums(before, after),
    ...compareComposites(before, after, known),
    ...compareProcedures(before, after, known),
  ];
}

/**
 * Objects of the database as `schema.name`, by the names of their GraphQL types and the keys of
 * their tables, before and after.
 */
type Known = readonly [before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>];

const objectNames = ({ tables, enums, composites }: DescribedModel): ReadonlyMap<string, string> =>
  new Map([
    ...tables.map(({ descriptor }) => [descriptor.field, objectOf(descriptor)] as const),
    ...[...enums, ...composites].map(({ descriptor }) => [descriptor.type, objectOf(descriptor)] as const),
  ]);

const objectOf = ({ schema, name }: { readonly schema: string; readonly name: string }): string => `${schema}.${name}`;

function compareTables(
  before: readonly TableModel[],
  after: readonly TableModel[],
  known: Known,
): readonly ApiChange[] {
  return paired(before, after, ({ descriptor }) => `${descriptor.schema}.${descriptor.name}`).flatMap(
    ([name, old, now]) => {
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
    },
  );
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
    (keys ? uniqueKeys(each) : (each.uniques ?? [])).map(({ name, field }) => field ?? name);
  return paired(names(old), names(now), (name) => name).flatMap(([name, was, is]) => {
    const key: ApiSubject = { kind: 'constraint', object: table, member: name };
    if (is === undefined) {
      return about(key, [breaking('CONSTRAINT_REMOVED', `${table} no longer has the unique key ${name}.`)]);
    }
    if (was !== undefined) return [];
    return about(key, [harmless('CONSTRAINT_ADDED', `${table} has the new unique key ${name}.`)]);
  });
}

function compareColumns(table: string, old: TableModel, now: TableModel, known: Known): readonly ApiChange[] {
  return paired(old.columns, now.columns, ({ descriptor }) => descriptor.name).flatMap(([column, was, is]) => {
    const name = `${table}.${column}`;
    const subject: ApiSubject = { kind: 'column', object: table, member: column };
    if (is === undefined) return about(subject, [breaking('COLUMN_REMOVED', `The column ${name} is gone.`)]);
    if (was === undefined) return about(subject, [columnAdded(name, now, is)]);
    return about(subject, [...compareColumn(name, was, is, known), ...compareWriting(name, [old, was], [now, is])]);
  });
}

function columnAdded(name: string, table: TableModel, column: ColumnModel): Found {
  return isRequired(table, column)
    ? breaking('REQUIRED_COLUMN_ADDED', `The column ${name} is new, and every insert has to give it a value.`)
    : harmless('COLUMN_ADDED', `The column ${name} is new.`);
}

/** What becomes of a column for those who write it. */
function compareWriting(
  name: string,
  was: readonly [TableModel, ColumnModel],
  is: readonly [TableModel, ColumnModel],
): readonly Found[] {
  const closed = is[1].descriptor.readOnly === true && was[1].descriptor.readOnly !== true;
  if (closed) return [breaking('COLUMN_BECAME_READ_ONLY', `${name} can no longer be written.`)];
  if (!isRequired(...is) || isRequired(...was) || was[0].descriptor.insertable !== true) return [];
  return [breaking('COLUMN_BECAME_REQUIRED', `Every insert has to give ${name} a value now.`)];
}

/** Whether an insert without the column fails. */
function isRequired({ descriptor }: TableModel, { descriptor: column }: ColumnModel): boolean {
  const optional = column.nullable === true || column.hasDefault === true || column.readOnly === true;
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
  return paired(old.relations ?? [], now.relations ?? [], (each) => each.name).flatMap(([relation, was, is]) => {
    const name = `${table}: ${relation}`;
    const subject: ApiSubject = { kind: 'relation', object: table, member: relation };
    if (is === undefined) return about(subject, [breaking('RELATION_REMOVED', `The relation ${name} is gone.`)]);
    if (was === undefined) return about(subject, [harmless('RELATION_ADDED', `The relation ${name} is new.`)]);
    if (relationShape(was, before) === relationShape(is, after)) return [];
    const description = `The relation ${name} led to ${target(was)} and now leads to ${target(is)}.`;
    return about(subject, [breaking('RELATION_CHANGED', description)]);
  });
}

function compareComputed(
  table: string,
  old: TableDescriptor,
  now: TableDescriptor,
  known: Known,
): readonly ApiChange[] {
  return paired(old.computed ?? [], now.computed ?? [], (each) => each.name).flatMap(([field, was, is]) => {
    const name = `${table}: ${field}`;
    const subject: ApiSubject = { kind: 'computed', object: table, member: field };
    if (is === undefined) {
      return about(subject, [breaking('COMPUTED_FIELD_REMOVED', `The computed field ${name} is gone.`)]);
    }
    if (was === undefined)
      return about(subject, [harmless('COMPUTED_FIELD_ADDED', `The computed field ${name} is new.`)]);
    const others = sameType(was.type, is.type, known)
      ? []
      : [breaking('COMPUTED_FIELD_CHANGED', `The computed field ${name} has another type.`)];
    const given = argumentChanges('COMPUTED_FIELD', `The computed field ${name}`, was.arguments, is.arguments, known);
    return about(subject, [...others, ...given]);
  });
}

function compareEnums(before: DescribedModel, after: DescribedModel): readonly ApiChange[] {
  return paired(before.enums, after.enums, ({ descriptor }) => `${descriptor.schema}.${descriptor.name}`).flatMap(
    ([name, old, now]) => {
      // A column that starts or stops using an enum has changed its type, which is reported there.
      if (old === undefined || now === undefined) return [];
      const values = paired(old.values, now.values, (value) => value).flatMap(
        ([value, was, is]): readonly ApiChange[] => {
          const subject: ApiSubject = { kind: 'enum', object: name, member: value };
          if (is === undefined) {
            return about(subject, [breaking('ENUM_VALUE_REMOVED', `${name} no longer has the value ${value}.`)]);
          }
          if (was !== undefined) return [];
          return about(subject, [harmless('ENUM_VALUE_ADDED', `${name} has the new value ${value}.`)]);
        },
      );
      return [...about({ kind: 'enum', object: name }, compareTypeNames(name, old, now)), ...values];
    },
  );
}

interface Typed {
  readonly descriptor: { readonly type: string };
}

function compareTypeNames(name: string, { descriptor: old }: Typed, { descriptor: now }: Typed): readonly Found[] {
  if (old.type === now.type) return [];
  return [breaking('TYPE_RENAMED', `${name} was called ${old.type} in GraphQL and is now ${now.type}.`)];
}

function compareComposites(before: DescribedModel, after: DescribedModel, known: Known): readonly ApiChange[] {
  return paired(
    before.composites,
    after.composites,
    ({ descriptor }) => `${descriptor.schema}.${descriptor.name}`,
  ).flatMap(([type, old, now]) => {
    if (old === undefined || now === undefined) return [];
    const attributes = paired(old.descriptor.attributes, now.descriptor.attributes, (each) => each.field ?? each.name);
    const members = attributes.flatMap(([attribute, was, is]): readonly ApiChange[] => {
      const name = `${type}.${attribute}`;
      const subject: ApiSubject = { kind: 'composite', object: type, member: attribute };
      if (is === undefined) return about(subject, [breaking('ATTRIBUTE_REMOVED', `The attribute ${name} is gone.`)]);
      if (was === undefined) return about(subject, [harmless('ATTRIBUTE_ADDED', `The attribute ${name} is new.`)]);
      if (sameType(was.type, is.type, known)) return [];
      return about(subject, [breaking('ATTRIBUTE_TYPE_CHANGED', `${name} has another type.`)]);
    });
    return [...about({ kind: 'composite', object: type }, compareTypeNames(type, old, now)), ...members];
  });
}

function compareProcedures(before: DescribedModel, after: DescribedModel, known: Known): readonly ApiChange[] {
  return [
    ...compareRoutines('PROCEDURE', before.procedures, after.procedures, known),
    ...compareRoutines('FUNCTION', before.functions, after.functions, known),
  ];
}

function compareRoutines(
  kind: 'PROCEDURE' | 'FUNCTION',
  before: readonly (ProcedureModel | FunctionModel)[],
  after: readonly (ProcedureModel | FunctionModel)[],
  known: Known,
): readonly ApiChange[] {
  return paired(before, after, ({ descriptor }) => descriptor.field).flatMap(([field, old, now]) => {
    const subject: ApiSubject = { kind: 'procedure', object: field };
    if (now === undefined) return about(subject, [breaking(`${kind}_REMOVED`, `${field} is no longer there.`)]);
    if (old === undefined) return about(subject, [harmless(`${kind}_ADDED`, `${field} is new.`)]);
    const others =
      answerShape(old.descriptor, known[0]) === answerShape(now.descriptor, known[1])
        ? []
        : [breaking(`${kind}_CHANGED`, `The answer of ${field} has changed.`)];
    const given = argumentChanges(kind, field, old.descriptor.arguments, now.descriptor.arguments, known);
    return about(subject, [...others, ...given]);
  });
}

/** What becomes of the arguments of a routine or a computed field. */
function argumentChanges(
  kind: 'PROCEDURE' | 'FUNCTION' | 'COMPUTED_FIELD',
  name: string,
  before: readonly ArgumentDescriptor[] | undefined,
  after: readonly ArgumentDescriptor[] | undefined,
  known: Known,
): readonly Found[] {
  const { added, required, changed } = compareArguments(before ?? [], after ?? [], (was, is) =>
    sameType(was.type, is.type, known),
  );
  return [
    ...(changed ? [breaking(`${kind}_CHANGED`, `The arguments of ${lowerFirst(name)} have changed.`)] : []),
    ...required.map((each) => breaking(`${kind}_ARGUMENT_REQUIRED`, `${name} has to be given ${each} now.`)),
    ...added.map((each) => harmless(`${kind}_ARGUMENT_ADDED`, `${name} may be given ${each}, which has a default.`)),
  ];
}

const lowerFirst = (text: string): string => (text.startsWith('The ') ? `the ${text.slice(4)}` : text);

const breaking = (type: ApiChangeType, description: string): Found => ({ type, breaking: true, description });
const harmless = (type: ApiChangeType, description: string): Found => ({ type, breaking: false, description });

/** Items of two lists by key: those of the first in its order, then the new ones of the second. */
function paired<T>(
  before: readonly T[],
  after: readonly T[],
  key: (item: T) => string,
): readonly (readonly [string, T | undefined, T | undefined])[] {
  const old = new Map(before.map((item) => [key(item), item]));
  const now = new Map(after.map((item) => [key(item), item]));
  return [...new Set([...old.keys(), ...now.keys()])].map((name) => [name, old.get(name), now.get(name)]);
}

const sameType = (a: ColumnType, b: ColumnType, [before, after]: Known): boolean =>
  typeShape(a, before) === typeShape(b, after);

/** The type as a client sees it: varchar for text is no change, int8 for int4 is one. */
function typeShape(type: ColumnType, known: ReadonlyMap<string, string>): string {
  const element = type.element === undefined ? '' : `(${typeShape(type.element, known)})`;
  const named = [type.enum, type.composite].map((name = '') => known.get(name) ?? name);
  return [type.kind, ...named, String(type.dimension ?? ''), element].join(' ');
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

function answerShape(procedure: ProcedureDescriptor | FunctionDescriptor, known: ReadonlyMap<string, string>): string {
  return JSON.stringify([
    procedure.returns === undefined ? null : typeShape(procedure.returns, known),
    procedure.returnsSet,
    ...('operation' in procedure ? [procedure.operation, known.get(procedure.table ?? ''), procedure.name] : []),
  ]);
}
