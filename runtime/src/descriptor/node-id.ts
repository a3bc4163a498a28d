import type { ColumnDescriptor, TableDescriptor } from './descriptor.js';
import { isKeyText } from './key-text.js';
import { fieldOf, type Registry, type Table } from './registry.js';
import { rowKeyOf } from './unique-keys.js';

/**
 * Global identifiers of rows: base64url of the JSON list `[type, key, …]`, whose keys are the texts
 * of the row's key as the database writes them. Dialects write them in SQL.
 * Source: https://relay.dev/docs/guides/graphql-server-specification/#object-identification
 */

/** The fields of Query that find rows by their global identifiers. */
export const nodeFields = { one: 'node', many: 'nodes' } as const;

/** The interface of rows that have a global identifier. */
export const nodeType = 'Node';

/** A row that an identifier names: of a table that is served, by the texts of its key. */
export interface NodeKey {
  readonly table: Table;
  readonly keys: readonly string[];
}

/** Whether rows of a table have a global identifier. */
export const isNode = ({ nodeId }: Pick<TableDescriptor, 'nodeId'>): boolean => nodeId !== undefined;

/** Whether rows of any table have one. */
export const hasNodes = ({ tables }: Pick<Registry, 'tables'>): boolean => tables.some(isNode);

/** The columns of the key that a global identifier has. */
export const nodeColumns = (table: Table): readonly ColumnDescriptor[] =>
  (rowKeyOf(table) ?? []).flatMap((name) => table.byName.get(name) ?? []);

/** The identifier of a row. */
export const writeNodeId = ({ type }: Pick<TableDescriptor, 'type'>, keys: readonly string[]): string =>
  Buffer.from(JSON.stringify([type, ...keys])).toString('base64url');

/**
 * The row that an identifier names; undefined for a text that is not an identifier, for a type that
 * is not served, and for a key that no row can have.
 */
export function readNodeId(registry: Registry, id: unknown): NodeKey | undefined {
  const [type, ...keys] = decode(id);
  const table = typeof type === 'string' ? registry.tableByType.get(type) : undefined;
  if (table === undefined || !isNode(table)) return undefined;
  const columns = nodeColumns(table);
  const isKey = (key: unknown, at: number): key is string => {
    const column = columns[at];
    return (
      typeof key === 'string' &&
      column !== undefined &&
      !key.includes('\0') &&
      isKeyText(column.type, key, registry.enums)
    );
  };
  return keys.length === columns.length && keys.every(isKey) ? { table, keys } : undefined;
}

/** One text of the key in an identifier that `readNodeId` takes. */
export const keyInNodeId = (id: unknown, at: number): unknown => decode(id)[at + 1];

function decode(id: unknown): readonly unknown[] {
  if (typeof id !== 'string') return [];
  try {
    const parsed: unknown = JSON.parse(Buffer.from(id, 'base64url').toString('utf8'));
    return Array.isArray(parsed) ? (parsed as readonly unknown[]) : [];
  } catch {
    return [];
  }
}

/** Kinds of keys whose values a resolver has as the database writes them. */
const plainKinds: readonly string[] = ['int', 'bigint', 'uuid', 'text', 'boolean'];

/**
 * The identifier of a row from the user's code, made of the columns of its key; undefined if a
 * column of the key is missing.
 */
export function nodeIdOfRow(table: Table, row: object): string | undefined {
  const keys = nodeColumns(table).map((column) => {
    const value: unknown = Reflect.get(row, fieldOf(column));
    const isPlain = ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
    return isPlain && plainKinds.includes(column.type.kind) ? String(value) : undefined;
  });
  const known = keys.filter((key) => key !== undefined);
  return known.length > 0 && known.length === keys.length ? writeNodeId(table, known) : undefined;
}
