import type { EnumType, Privileges, Table } from '../../../catalog/catalog.js';
import { compareText } from '../../../compare-text.js';
import { columnOf, enumOf } from './columns.js';
import { jsonColumns } from './json-columns.js';
import { foreignKeysOf, keysOf, searchableColumns } from './keys.js';
import { commentOf, grouped, keyOf, nullableText, tableKey, textOf, type Row } from './row.js';
import { readDefinition, type Definition } from './view-query.js';
import { withViewSources, type ReadDefinition } from './view-sources.js';

/** The rows of each query about tables. */
export interface TableRows {
  readonly tables: readonly Row[];
  readonly views: readonly Row[];
  readonly columns: readonly Row[];
  readonly indexes: readonly Row[];
  readonly foreignKeys: readonly Row[];
  readonly checks: readonly Row[];
}

/** The tables and views, and the enums and sets of their columns. */
export function tablesOf(
  rows: TableRows,
  mayDelete: (schema: string, table: string) => boolean,
): { readonly tables: readonly Table[]; readonly enums: readonly EnumType[] } {
  const columns = grouped(rows.columns, keyOf);
  const indexes = grouped(rows.indexes, keyOf);
  const keys = new Map([...indexes].map(([key, own]) => [key, keysOf(withoutRowEnd(own, columns.get(key) ?? []))]));
  const foreignKeys = grouped(rows.foreignKeys, keyOf);
  const checks = grouped(rows.checks, keyOf);
  const views = new Map(rows.views.map((row) => [keyOfTable(row), row]));
  const definitions = new Map([...views].map(([key, row]) => [key, readDefinition(textOf(row, 'definition'))]));
  const isJson = jsonColumns(checks, definitions);
  // The search of several words needs proximity, which InnoDB alone has.
  const searched = new Map(
    rows.tables
      .filter((row) => /^innodb$/i.test(nullableText(row, 'engine') ?? ''))
      .map(keyOfTable)
      .map((key) => [key, searchableColumns(keys.get(key) ?? noKeys)]),
  );
  const kept = new Set(rows.tables.filter((row) => textOf(row, 'transactions') === 'NO').map(keyOfTable));
  /** A view that is written writes to the table below it. */
  const keepsWrites = (key: string): boolean => {
    const { base } = definitions.get(key) ?? {};
    return kept.has(key) || (base !== undefined && keepsWrites(tableKey(base.schema, base.name)));
  };
  /** The database merges an updatable view into the statement, which uses the table's index. */
  const isSearchable = (key: string, column: string): boolean => {
    const view = views.get(key);
    if (view === undefined) return searched.get(key)?.has(column) === true;
    const { base, columns: shown } = definitions.get(key) ?? {};
    const below = textOf(view, 'updatable') === 'YES' ? shown?.get(column)?.column : undefined;
    return base !== undefined && below !== undefined && isSearchable(tableKey(base.schema, base.name), below);
  };
  const tables = rows.tables.map((row): Table => {
    const [schema, name] = [textOf(row, 'schema'), textOf(row, 'name')];
    const key = keyOfTable(row);
    const view = views.get(key);
    const isView = textOf(row, 'type') === 'VIEW';
    const own = columns.get(key) ?? [];
    const checksOfTable = checks.get(key) ?? [];
    const definition = definitions.get(key);
    const writable = isView
      ? textOf(view ?? {}, 'updatable') === 'YES' && isOverOne(definition, definitions, views)
      : true;
    const place = {
      schema,
      table: name,
      isView,
      isJson: (column: string) => isJson(key, column),
      isSearchable: (column: string) => isSearchable(key, column),
      isWritable: (column: string) => (isView ? writable && definition?.columns.has(column) === true : true),
    };
    const { primaryKey, uniques, indexes: all, constraintComments } = keys.get(key) ?? noKeys;
    return {
      schema,
      name,
      kind: isView ? 'view' : 'table',
      // The comment of a view is always the word VIEW.
      comment: isView ? null : commentOf(row),
      columns: own.map((column) => columnOf(column, place)),
      primaryKey,
      uniques,
      foreignKeys: foreignKeysOf(foreignKeys.get(key) ?? []),
      checks: checksOfTable
        .map((check) => ({ name: textOf(check, 'name'), definition: `CHECK (${textOf(check, 'clause')})` }))
        .sort((a, b) => compareText(a.name, b.name)),
      exclusions: [],
      constraintComments,
      indexes: all,
      rowSecurity: { enabled: false, forced: false, policies: [] },
      view: isView ? { securityInvoker: textOf(view ?? {}, 'security') === 'INVOKER', securityBarrier: false } : null,
      // A view with an expression among its columns takes no new rows.
      insertable:
        writable && (!isView || own.every((column) => definition?.columns.has(textOf(column, 'name')) === true)),
      updatable: writable,
      deletable: writable,
      privileges: privilegesOf(own, mayDelete(schema, name)),
      ...(keepsWrites(key) && { transactional: false as const }),
    };
  });
  const enums = rows.columns.flatMap((row) => {
    const found = enumOf(row, { schema: textOf(row, 'schema'), table: textOf(row, 'table') });
    return found === undefined ? [] : [found];
  });
  const definitionOf = ({ schema, name }: Table): ReadDefinition | undefined => {
    const key = tableKey(schema, name);
    const [view, definition] = [views.get(key), definitions.get(key)];
    if (view === undefined || definition === undefined) return undefined;
    return {
      ...definition,
      isUpdatable: textOf(view, 'updatable') === 'YES',
      isHidden: textOf(view, 'definition') === '',
    };
  };
  return { tables: withViewSources(tables, definitionOf), enums };
}

const noKeys = keysOf([]);

/**
 * The parts of the indexes without the end of a system-versioned row, which MariaDB adds to each
 * key: it is the same for all rows that are not history.
 */
function withoutRowEnd(parts: readonly Row[], columns: readonly Row[]): readonly Row[] {
  const ends = columns.filter((row) => /^row end$/i.test(nullableText(row, 'expression') ?? ''));
  const names = new Set(ends.map((row) => textOf(row, 'name')));
  if (names.size === 0) return parts;
  const kept = parts.filter((part) => !names.has(nullableText(part, 'column') ?? ''));
  const rest = new Set(kept.map((part) => textOf(part, 'name')));
  return parts.filter((part) => kept.includes(part) || !rest.has(textOf(part, 'name')));
}

const keyOfTable = (row: Row): string => tableKey(textOf(row, 'schema'), textOf(row, 'name'));

/** Whether a view shows rows of one base table, directly or through such views. */
function isOverOne(
  definition: Definition | undefined,
  definitions: ReadonlyMap<string, Definition>,
  views: ReadonlyMap<string, Row>,
): boolean {
  if (definition?.base === undefined) return false;
  const key = tableKey(definition.base.schema, definition.base.name);
  return !views.has(key) || isOverOne(definitions.get(key), definitions, views);
}

/** A right to one column is a right to the table. */
function privilegesOf(columns: readonly Row[], mayDelete: boolean): Privileges {
  const granted = new Set(columns.flatMap((column) => textOf(column, 'privileges').split(',')));
  return {
    select: granted.has('select'),
    insert: granted.has('insert'),
    update: granted.has('update'),
    delete: mayDelete,
  };
}
