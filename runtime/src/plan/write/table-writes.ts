import { restNameOf, type Table } from '../../descriptor/registry.js';
import type { Parameter } from '../parameter.js';
import type {
  ConflictPlan,
  DeletePlan,
  InsertGroup,
  InsertPlan,
  ReadBackPlan,
  ReplacePlan,
  ReturningPlan,
  RowsInput,
  TypedColumn,
  UpdatePlan,
} from './write-plan.js';
import { answerIn, type Inputs } from '../intent.js';
import type { IntentForm } from '../intent-form.js';
import { columnExpression, findColumn, readTable } from '../read/columns.js';
import { ownRows, styleOf, tableName, writtenTable, type PlanContext } from '../context.js';
import { planTouched } from '../read/filters.js';
import { planFormat } from '../read/format.js';
import { keyColumns, planOrder } from '../read/orders.js';
import { columnSubject, malformedParameter, quoted, refusedRow, unsupported } from '../refuse.js';
import { planSelections } from '../read/read.js';
import type { DeleteIntent, InsertIntent, OnConflict, Returning, RowsShape, UpdateIntent } from './write-intent.js';
import { groupsOf, typedColumn, updatableColumn, updatedColumn, writtenColumn } from './rows.js';
import { mergeKeys, mergesBy, rowKeyOf, sameColumns, uniqueKeys } from '../../descriptor/unique-keys.js';

/** What an insert is planned from, be it the one asked for or one nested in it. */
export interface InsertParts {
  readonly table: Table;
  readonly shape: RowsShape;
  /** Columns that are written beside those of the shape: the foreign keys of nested rows. */
  readonly filled: readonly string[];
  readonly onConflict?: OnConflict | undefined;
  readonly input: RowsInput;
  /** The values of the only row, in the order of its columns. */
  readonly cells?: readonly Parameter[];
  readonly returning: ReturningPlan;
  /** Whether an upsert has to return the number of its new rows. */
  readonly countsCreated?: boolean;
}

/**
 * Throws ServerError 400 for columns that are not there or can't be written, and for a conflict on
 * no key.
 */
export function planInsert(parts: InsertParts, context: PlanContext): InsertPlan {
  const { table, shape, filled, onConflict, input, cells, returning, countsCreated = false } = parts;
  if (table.insertable !== true) throw unsupported(`Rows can't be inserted into ${quoted(table.name)}.`);
  if (onConflict !== undefined && !canMerge(table)) throw notMerged(table);
  const updates = onConflict?.action === 'update';
  if (updates) refuseSpread(table);
  const arbiter = updates ? keyOf(table, arbiterOf(onConflict, table)) : undefined;
  const checked = planCheck(table, returning, context);
  const sets = groupsOf(shape, table, filled, context);
  const all = shape.columns.map(({ column }) => typedColumn(table, column));
  const groups = sets.map((group): InsertGroup => {
    if (onConflict === undefined) return group;
    const written = onConflict.setsDefaults === true ? all : group.columns;
    return { ...group, conflict: planConflict(onConflict, written, table, context) };
  });
  // Rows whose keys are compared with those of the table have to be a table themselves.
  const isCompared = groups.some(({ conflict }) => conflict?.absent !== undefined);
  return {
    kind: 'insert',
    table: writtenTable(table, 'insert'),
    input,
    ...(cells === undefined || isCompared ? {} : { cells }),
    groups,
    ...(arbiter === undefined || !countsCreated ? {} : { arbiter }),
    ...(checked.check === undefined || !updates || onConflict.where !== undefined || onConflict.absent !== undefined
      ? checked
      : { ...checked, check: { ...checked.check, wanted: (inputs) => countOf(input, inputs) } }),
  };
}

function countOf(input: RowsInput, inputs: Inputs): number {
  if (input.as === 'object') return 1;
  const rows = input.as === 'list' ? input.read(inputs) : (JSON.parse(input.read(inputs)) as unknown);
  return Array.isArray(rows) ? rows.length : 1;
}

/**
 * The check of written rows, where a rule of the table limits them: their keys are answered beside
 * those that the request asks for.
 */
export function planCheck(
  table: Table,
  returning: ReturningPlan,
  context: PlanContext,
): Pick<UpdatePlan, 'returning' | 'check'> {
  const where = context.rowFilter?.written(table);
  if (where === undefined) return { returning };
  const key = keyColumns(table, context);
  const [first] = key ?? [];
  if (key === undefined || first === undefined) throw refusedRow(table.name);
  const asked = returning.keys ?? [];
  const keys = [...asked, ...key.filter((name) => !asked.includes(name))];
  const rows: ReadBackPlan = {
    table: tableName(table),
    key: key.map((name) => typedColumn(table, name)),
    keys: (inputs) => String(answerIn(inputs)),
    where,
    select: [{ kind: 'value', as: 'key', expression: columnExpression(table, first) }],
    as: 'list',
    format: 'json',
    style: returning.style,
  };
  return {
    returning: { ...returning, keys },
    check: { rows, at: key.map((name) => keys.indexOf(name)), asked: asked.length },
  };
}

/** The key of a table or a view as the target of a conflict: a view has no constraint. */
export const keyTarget = (table: Table): NonNullable<OnConflict['target']> =>
  table.primaryKey === undefined
    ? { kind: 'columns', columns: rowKeyOf(table) ?? [] }
    : { kind: 'constraint', name: table.primaryKey.name };

/** PostgreSQL allows no ON CONFLICT for a table whose inserts or updates run rules. */
export const canMerge = ({ rules = [] }: Table): boolean => !rules.includes('insert') && !rules.includes('update');

/** Nor a deferrable or temporal key. */
export const canMergeByKey = (table: Table): boolean => canMerge(table) && mergesBy(table, rowKeyOf(table) ?? []);

const notMerged = ({ name }: Table) =>
  unsupported(
    `Rows of ${quoted(name)} can't be merged: its writes run rules of the database.`,
    'Insert rows that are new, and update the others.',
  );

/** No unique index spans servers, so that PostgreSQL has none for ON CONFLICT. */
function refuseSpread({ name, columns }: Table): void {
  if (!columns.some(({ insertOnly, ungranted }) => insertOnly === true && ungranted !== true)) return;
  throw unsupported(
    `Rows of ${quoted(name)} can't be merged or replaced: partitions of it are on other servers.`,
    'Insert rows that are new, and update the others.',
  );
}

/** The columns of the key that decides whether a row is there. */
function arbiterOf({ target }: OnConflict, table: Table): readonly string[] {
  if (target === undefined) throw malformedParameter('An upsert needs a key.', 'Name a unique key.');
  return targetColumns(target, table);
}

/** A name is one of the API. In the database, another key may have it by now. */
function targetColumns(target: NonNullable<OnConflict['target']>, table: Table): readonly string[] {
  if (target.kind === 'columns') return target.columns;
  const keys = uniqueKeys(table);
  const found = keys.find(({ name }) => name === target.name);
  if (found !== undefined) return found.columns;
  throw malformedParameter(
    `${quoted(table.name)} has no unique key ${quoted(target.name)}.`,
    `It has ${keys.map(({ name }) => quoted(name)).join(', ')}.`,
  );
}

function planConflict(
  conflict: OnConflict,
  written: readonly TypedColumn[],
  table: Table,
  context: PlanContext,
): ConflictPlan {
  const { target, action, where } = conflict;
  for (const name of target?.kind === 'columns' ? target.columns : []) findColumn(table, name, context);
  const given = target === undefined ? {} : { target: targetColumns(target, table) };
  if (action === 'ignore')
    return { ...(target === undefined && table.deferrableKeys === true ? byEachKey(table) : given), update: [] };
  for (const name of conflict.columns ?? []) updatableColumn(table, name, context);
  const update = conflict.columns ?? updatedByDefault(written, arbiterOf(conflict, table), conflict.keep ?? []);
  const absent = absentKeys(conflict, table);
  return { ...given, update, ...(absent.length > 0 && { absent }), ...planTouched(where, table, context) };
}

/**
 * Rows whose key exists are left alone where PostgreSQL takes no ON CONFLICT without a key: one key
 * is named, and rows with another one are not inserted.
 */
function byEachKey(table: Table): Pick<ConflictPlan, 'target' | 'absent'> {
  const [first] = mergeKeys(table);
  const target = first?.columns ?? (table.kind === 'table' ? undefined : rowKeyOf(table));
  const all = [...uniqueKeys(table).map(({ columns }) => columns), ...(table.unmergedKeys ?? [])];
  const others = all.filter((key) => target === undefined || !sameColumns(key, target));
  const absent = others.map((key) => key.map((name) => typedColumn(table, name)));
  return { ...(target === undefined ? {} : { target }), absent };
}

const absentKeys = ({ absent = [] }: OnConflict, table: Table): readonly (readonly TypedColumn[])[] =>
  uniqueKeys(table)
    .filter(({ name }) => absent.includes(name))
    .map(({ columns }) => keyOf(table, columns));

/** The columns of a key, for a search of the rows that have its values. */
function keyOf(table: Table, columns: readonly string[]): readonly TypedColumn[] {
  const key = uniqueKeys(table).find((each) => sameColumns(each.columns, columns));
  return columns.map((name) => {
    const column = typedColumn(table, name);
    return key?.nullsEqual === true ? { ...column, nullsEqual: true } : column;
  });
}

/**
 * All given columns. If only the key is given, the key itself, so that the statement returns the
 * existing row.
 */
function updatedByDefault(
  written: readonly TypedColumn[],
  key: readonly string[],
  keep: readonly string[],
): readonly string[] {
  const others = written.map(({ name }) => name).filter((name) => !key.includes(name) && !keep.includes(name));
  return others.length > 0 ? others : key;
}

/** `input` gives the object with the new values, `cells` each of them. */
export function planUpdate(
  intent: UpdateIntent,
  { input, cells }: Pick<UpdatePlan, 'input' | 'cells'>,
  returning: ReturningPlan,
  context: PlanContext,
): UpdatePlan {
  const { table, where } = intent;
  if (table.updatable !== true) throw unsupported(`Rows of ${quoted(table.name)} can't be updated.`);
  const columns = intent.columns.map(({ column }) => updatedColumn(table, column, context));
  const inc = (intent.inc ?? []).map(({ column, by }) => {
    const { type } = updatableColumn(table, column, context);
    const name = restNameOf(table, column);
    if (!countable.has(type.kind))
      throw malformedParameter(`${quoted(name)} is not a number, so it can't be increased.`);
    if (columns.some((set) => set.name === column))
      throw malformedParameter(`${quoted(name)} is both set and increased.`);
    const subject = columnSubject(name);
    return { column: { name: column, type }, by: { value: by, as: 'value' as const, type, required: name, subject } };
  });
  const isSet = (name: string): boolean =>
    [...columns, ...inc.map(({ column }) => column)].some((set) => set.name === name);
  const defaults = (intent.defaults ?? []).filter((name) => !isSet(updatableColumn(table, name, context).name));
  if (columns.length + inc.length + defaults.length === 0) throw malformedParameter('There is nothing to update.');
  return {
    kind: 'update',
    table: { ...writtenTable(table, 'update'), ...(intent.isOnly === true && ownRows(table)) },
    ...(input === undefined || columns.length === 0 ? {} : { input }),
    ...(cells === undefined ? {} : { cells }),
    columns,
    inc,
    defaults,
    ...planTouched(where, table, context),
    ...planCheck(table, returning, context),
  };
}

/**
 * `input` gives a list of the one row. The intents are those of the two writes that a replacement
 * is instead of.
 */
export function planReplace(
  update: UpdateIntent,
  insert: InsertIntent,
  input: RowsInput,
  returning: ReturningPlan,
  context: PlanContext,
): ReplacePlan {
  const { table, where } = update;
  refuseSpread(table);
  return {
    kind: 'replace',
    table: { ...tableName(table), ...(update.isOnly === true && ownRows(table)) },
    input,
    columns: insert.columns.map(({ column }) => writtenColumn(table, column, context)),
    update: update.columns.map(({ column }) => column),
    ...planTouched(where, table, context),
    key: rowKeyOf(table) ?? [],
    ...planCheck(table, returning, context),
  };
}

const countable = new Set(['int', 'bigint', 'numeric', 'float', 'money']);

export function planDelete(intent: DeleteIntent, returning: ReturningPlan, context: PlanContext): DeletePlan {
  const { table, where } = intent;
  if (table.deletable !== true) throw unsupported(`Rows of ${quoted(table.name)} can't be deleted.`);
  return {
    kind: 'delete',
    table: writtenTable(table, 'delete'),
    ...planTouched(where, table, context),
    returning,
  };
}

/** The result of the statement itself, and the keys that it returns in addition. */
export function planReturning(
  returning: Returning,
  table: Table,
  form: IntentForm,
  context: PlanContext,
  keys?: readonly string[],
): ReturningPlan {
  const { select, as, format } = returning;
  if (select?.some(({ kind }) => kind === 'aggregated') === true)
    throw unsupported('A write answers the rows that it wrote, not aggregates over them.');
  if (select !== undefined && format !== 'json' && table.rules !== undefined)
    throw unsupported(
      `Writes of ${quoted(table.name)} are answered in JSON only: they run rules of the database.`,
      'Ask for application/json, or for no rows: Prefer: return=minimal.',
    );
  return {
    ...(select === undefined ? {} : { select: planSelections(select, table, context) }),
    ...(keys === undefined ? {} : { keys: keys.map((name) => typedColumn(table, name).name) }),
    ...planAnswered(returning, table, context),
    as,
    format: planFormat(format, table, context),
    style: styleOf(form, context),
  };
}

/**
 * Whether the answer of a row depends on more than the row: on other writes of the statement, which
 * it does not see itself.
 */
export const looksBeyondRow = ({ select = [] }: Returning): boolean => select.some(({ kind }) => beyondRow.has(kind));

const beyondRow: ReadonlySet<string> = new Set(['relation', 'aggregate', 'computed', 'spread']);

/** Undefined for a table without a key: there is nothing to find its rows by. */
function planAnswered(
  { orderBy = [], stripsNulls }: Returning,
  table: Table,
  context: PlanContext,
): Pick<ReturningPlan, 'order' | 'stripsNulls'> {
  const { ordersWritten } = context.dialect.capabilities;
  if (!ordersWritten && (orderBy.length > 0 || stripsNulls === true))
    throw unsupported('This database answers written rows in their own order, with all members.');
  return {
    ...(orderBy.length === 0 ? {} : { order: orderBy.map((each) => planOrder(each, table, context)) }),
    ...(stripsNulls === true ? { stripsNulls } : {}),
  };
}

export function planReadBack(
  returning: Returning,
  table: Table,
  form: IntentForm,
  context: PlanContext,
): ReadBackPlan | undefined {
  const key = keyColumns(table, context);
  if (key === undefined || returning.select === undefined) return undefined;
  return {
    table: readTable(table, context),
    key: key.map((name) => typedColumn(table, name)),
    keys: (inputs) => String(answerIn(inputs)),
    select: planSelections(returning.select, table, context),
    ...planAnswered(returning, table, context),
    as: returning.as,
    format: planFormat(returning.format, table, context),
    style: styleOf(form, context),
  };
}
