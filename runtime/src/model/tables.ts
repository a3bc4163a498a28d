import type { Key, Table, UniqueKey } from '../catalog/catalog.js';
import type {
  ComputedDescriptor,
  RelationDescriptor,
  TableDescriptor,
  UniqueDescriptor,
} from '../descriptor/descriptor.js';
import { allocate } from './allocate.js';
import { buildColumn, type ColumnContext } from './columns.js';
import { described } from './description.js';
import { constraintMessages } from './constraint-messages.js';
import { nameFields, nameMembers, type FieldNames } from './fields.js';
import { fileName, folderName } from './files.js';
import { innermost } from '../schema/graphql-type.js';
import type { ColumnModel, RelationModel, TableModel, Warning } from './model.js';
import { pascal } from './names.js';
import type { ModelOptions } from '../descriptor/options.js';
import type { Patterns } from './patterns.js';
import { derivedOf } from './reserved.js';
import type { RelationDraft } from './relations.js';
import type { ComputedDraft } from './computed.js';
import { isWhole, keysOf, type ScopedTable } from './scope.js';
import { isView } from './views.js';
import type { TableNames, TypeNames } from './type-names.js';
import { typeKey, type TypeResolver } from './types.js';
import { nodeIdOf } from './node-id.js';
import {
  brokenView,
  keepsWrites,
  lostKey,
  movedField,
  notInGraphql,
  unusedRename,
  viewWithoutKey,
} from './warnings.js';

export interface TableContext extends ColumnContext {
  readonly names: TypeNames;
  /** Names of the filter inputs of enum columns, by `schema.table.column`. */
  readonly filters: ReadonlyMap<string, string>;
  /** How the names of inputs of computed fields begin, by the ids of their drafts. */
  readonly computedInputs: ReadonlyMap<string, string>;
  readonly options: ModelOptions;
  readonly exclude: Patterns;
  readonly warnings: Warning[];
}

/**
 * Names the filter input of each enum column, such as `KanbanIssuesStatusFilterInput`.
 * Source: decision 001.
 */
export function nameEnumFilters(
  tables: readonly ScopedTable[],
  names: TypeNames,
  resolve: TypeResolver,
): ReadonlyMap<string, string> {
  const claims = tables.flatMap((table) => {
    const type = names.tables.get(table.key)?.type ?? '';
    return table.columns
      .filter((column) => innermost(resolve(column.type)).kind === 'enum')
      .map((column) => ({
        id: `${table.key}.${column.name}`,
        rank: 0,
        names: (suffix: string) => [`${type}${pascal(column.name)}FilterInput${suffix}`],
      }));
  });
  const free = ownEnumNames(tables, names);
  const taken = [...names.taken, ...names.reserved].filter((name) => !free.has(name));
  const { suffixes } = allocate(claims, new Set(taken));
  return new Map(claims.map((claim) => [claim.id, claim.names(suffixes.get(claim.id) ?? '')[0] ?? '']));
}

/**
 * The names that the enum of a single column (MySQL) reserves: the filter of that column has
 * the same name.
 */
function ownEnumNames(tables: readonly ScopedTable[], names: TypeNames): ReadonlySet<string> {
  const own = tables.flatMap((table) =>
    table.columns.flatMap((column) => {
      const key = typeKey(column.type);
      return key === `${table.key}.${column.name}` ? (names.enums.get(key) ?? []) : [];
    }),
  );
  return new Set(own.flatMap(derivedOf));
}

/** A table with all of its names and types settled. */
export function buildTable(
  context: TableContext,
  table: ScopedTable,
  relationDrafts: readonly RelationDraft[],
  embedded: readonly RelationDescriptor[],
  computedDrafts: readonly ComputedDraft[],
): TableModel {
  const names = tableNames(context, table);
  const rename = context.options.rename?.[table.key];
  const fields = nameFields(table, relationDrafts, computedDrafts, rename, context.names.rules);
  warn(context, table, fields);
  const columns = table.columns.map((column) =>
    buildColumn(context, table, column, {
      field: fields.columns.get(column.name) ?? column.name,
      filter: context.filters.get(`${table.key}.${column.name}`),
    }),
  );
  const relations = relationDrafts.map((draft): RelationModel => {
    const { name, derived } = fields.relations.get(draft.id) ?? {
      name: draft.preferredName,
      derived: draft.preferredName,
    };
    return { descriptor: { name, ...draft.descriptor }, derived };
  });
  const computed = computedDrafts.map((draft) => ({
    ...draft.model,
    field: fields.computed.get(draft.id) ?? draft.databaseName,
  }));
  return {
    descriptor: {
      ...describe(table, names, columns, relations, embedded, computedDescriptors(context, computedDrafts, fields)),
      ...mediaHandlersOf(context, table),
      ...messagesOf(context, table),
      ...described(table.facts.comment),
      ...(columns.length === 0 ? {} : nodeIdOf(context.options, table, { columns, relations, computed })),
    },
    folder: folderName(table.facts.schema),
    file: fileName(table.facts.name),
    comment: table.facts.comment,
    graphql: columns.length > 0,
    fields: names.fields,
    columns,
    relations,
    computed,
    orderable: columns.some((column) => column.orderable),
  };
}

function describe(
  table: ScopedTable,
  names: TableNames,
  columns: readonly ColumnModel[],
  relations: readonly RelationModel[],
  embedded: readonly RelationDescriptor[],
  computed: TableDescriptor['computed'] & object,
): TableDescriptor {
  const { facts, primaryKey, rowKey, shownKey } = table;
  const uniques = describeUniques(table);
  return {
    field: names.fields.list,
    type: names.type,
    schema: facts.schema,
    name: facts.name,
    kind: facts.kind === 'view' || facts.kind === 'materializedView' ? facts.kind : 'table',
    columns: columns.map((column) => column.descriptor),
    ...(primaryKey === null ? {} : { primaryKey: describeUnique(primaryKey, uniques.get(primaryKey.name)) }),
    ...(primaryKey !== null || rowKey === null ? {} : { rowKey }),
    ...(isView(facts) && shownKey.length > (rowKey ?? []).length ? { shownKey } : {}),
    ...(table.uniques.length === 0
      ? {}
      : { uniques: table.uniques.map((unique) => describeUnique(unique, uniques.get(unique.name))) }),
    ...(table.unmergedKeys.length === 0 ? {} : { unmergedKeys: table.unmergedKeys }),
    ...(facts.deferrableKeys === true ? { deferrableKeys: facts.deferrableKeys } : {}),
    ...(relations.length === 0 ? {} : { relations: relations.map((relation) => relation.descriptor) }),
    ...(embedded.length === 0 ? {} : { embedded }),
    ...(computed.length === 0 ? {} : { computed }),
    ...(facts.insertable ? { insertable: true as const } : {}),
    ...(facts.updatable ? { updatable: true as const } : {}),
    ...(facts.deletable ? { deletable: true as const } : {}),
    ...writeEffects(facts),
    ...(facts.inherited === true && { inherited: true as const }),
    ...(facts.transactional === false && { transactional: false as const }),
  };
}

function writeEffects({ rules = [], afterTriggers = [] }: Table): Pick<TableDescriptor, 'rules' | 'changedAfter'> {
  const also = rules.flatMap(({ event, instead }) => (instead ? [] : [event]));
  // A deleted row is not changed any more.
  const changedAfter = writeEvents.filter((event) => afterTriggers.includes(event) || also.includes(event));
  return {
    ...(rules.length > 0 && { rules: rules.map(({ event }) => event) }),
    ...(changedAfter.length > 0 && { changedAfter }),
  };
}

const writeEvents = ['insert', 'update'] as const;

/** An aggregate gets whole rows, and would show an excluded column. */
function mediaHandlersOf({ exclude }: TableContext, table: ScopedTable): Pick<TableDescriptor, 'mediaHandlers'> {
  const { mediaHandlers = [] } = table.facts;
  const kept = isWhole(table) ? mediaHandlers.filter(({ schema, name }) => !exclude.matches(schema, name)) : [];
  return kept.length === 0 ? {} : { mediaHandlers: kept };
}

function messagesOf({ catalog }: TableContext, table: ScopedTable): Pick<TableDescriptor, 'constraintMessages'> {
  const messages = constraintMessages(catalog, table);
  return messages.length === 0 ? {} : { constraintMessages: messages };
}

/** The members of the constraint enum, by constraint name. */
function describeUniques(table: ScopedTable): ReadonlyMap<string, string> {
  const constraints = keysOf(table).map((key) => key.name);
  const members = nameMembers(table.key, constraints, undefined);
  return new Map(constraints.map((name, at) => [name, members[at] ?? name]));
}

function describeUnique(key: Key | UniqueKey, field: string | undefined): UniqueDescriptor {
  return {
    name: key.name,
    ...(field === undefined || field === key.name ? {} : { field }),
    columns: key.columns,
    ...('nullsNotDistinct' in key && key.nullsNotDistinct && { nullsEqual: true as const }),
  };
}

function computedDescriptors(
  { computedInputs }: TableContext,
  drafts: readonly ComputedDraft[],
  fields: FieldNames,
): readonly ComputedDescriptor[] {
  return drafts.map((draft) => {
    const inputs = computedInputs.get(draft.id);
    return {
      name: fields.computed.get(draft.id) ?? draft.databaseName,
      ...draft.descriptor,
      ...(inputs === undefined ? {} : { inputs }),
    };
  });
}

function tableNames(context: TableContext, table: ScopedTable): TableNames {
  const names = context.names.tables.get(table.key);
  if (names === undefined) throw new TypeError(`${table.key} has no name.`);
  return names;
}

function warn(context: TableContext, table: ScopedTable, fields: FieldNames): void {
  const { warnings, options } = context;
  const { unread } = table.facts;
  const isGiven = table.rowKey !== null || options.relations?.[table.key] !== undefined;
  if (unread === 'broken') warnings.push(brokenView(table.key));
  else if (unread !== undefined && !isGiven) warnings.push(viewWithoutKey(table.key, unread));
  if (table.columns.length === 0) warnings.push(notInGraphql(table.key));
  if (table.facts.primaryKey !== null && table.primaryKey === null) warnings.push(lostKey(table.key));
  if (table.facts.transactional === false) warnings.push(keepsWrites(table.key));
  for (const moved of fields.moved) warnings.push(movedField(table.key, moved));
  for (const name of fields.unused) warnings.push(unusedRename(`${table.key}: ${name}`));
}
