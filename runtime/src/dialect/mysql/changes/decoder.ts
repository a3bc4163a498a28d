import { isDeepStrictEqual } from 'node:util';
import type {
  AnyBinlogEvent,
  DeleteRowsEvent,
  RowData,
  TableMapEvent,
  UpdateRowsEvent,
  WriteRowsEvent,
} from '@vlasky/zongji';
import { labelsOf } from '../catalog/type-reference.js';
import { tableKey, type RowChange, type TableChanges, type WatchedTable } from '../../change-feed.js';
import type { KeyTypes } from './facts.js';
import { keyText } from './key-text.js';

/** The position in the log where a transaction ends. */
export interface LogPosition {
  readonly file: string;
  readonly offset: number;
}

/** A decoded transaction. It may not be visible yet: see barrier.ts. */
export interface DecodedCommit {
  readonly end: LogPosition;
  readonly timestamp: string;
  readonly tables: readonly TableChanges[];
  /** The number of listed rows in all tables. */
  readonly size: number;
}

/** If a transaction changes more rows of a table, they are not listed. */
const MAX_ROWS = 10_000;

/** The events that the decoder needs; `rotate` names the file of the events after it. */
export const decodedEvents = [
  'rotate',
  'tablemap',
  'writerows',
  'updaterows',
  'deleterows',
  'xid',
  'query',
  'xaprepare',
];

/**
 * Statements that end a transaction. A rollback does not undo writes to tables of engines without
 * transactions.
 */
const ending = /^(commit|rollback)$/i;

/** Statements that belong to a transaction, or change no row. */
const harmless =
  /^(begin|savepoint|rollback to|xa (start|end|rollback)|analyze|flush|grant|revoke|create (or replace )?user)\b/i;

/**
 * Decodes events of the binary log. It keeps only the key of each row.
 * Source: https://mariadb.com/docs/server/reference/clientserver-protocol/replication-protocol
 */
export class BinlogDecoder {
  readonly #watched: ReadonlyMap<string, WatchedTable>;
  #rows = new Map<string, RowChange[] | 'unknown'>();

  constructor(
    watched: readonly WatchedTable[],
    private readonly types: KeyTypes,
  ) {
    this.#watched = new Map(watched.map((table) => [tableKey(table), table]));
  }

  /**
   * Returns the transaction if the event ends it and a watched table was changed.
   * @param file the log file of the event
   */
  decode(event: AnyBinlogEvent, file: string): DecodedCommit | undefined {
    switch (event.getTypeName()) {
      case 'TableMap':
        completeLabels(event as TableMapEvent);
        return undefined;
      case 'WriteRows':
      case 'UpdateRows':
      case 'DeleteRows':
        this.#collect(event as RowsEvent);
        return undefined;
      case 'Xid':
        return this.#commit(event, file);
      case 'XaPrepare':
        // XA PREPARE is no commit yet, and the event of the commit names no rows.
        this.#rows.clear();
        return undefined;
      case 'Query':
        return this.#query((event as Extract<AnyBinlogEvent, { query: string }>).query, event, file);
      default:
        return undefined;
    }
  }

  /**
   * The log has a statement if it changes tables as a whole. Its text is not searched for the
   * table.
   */
  #query(text: string, event: AnyBinlogEvent, file: string): DecodedCommit | undefined {
    const statement = text.replace(/^(\s|\/\*.*?\*\/|--.*\n)+/s, '').trim();
    if (ending.test(statement)) return this.#commit(event, file);
    if (harmless.test(statement)) return undefined;
    const schema = 'schema' in event ? event.schema : '';
    for (const [key, table] of this.#watched)
      if (table.schema === schema || statement.includes(table.schema)) this.#rows.set(key, 'unknown');
    return this.#commit(event, file);
  }

  #collect(event: RowsEvent): void {
    const map = event.tableMap[event.tableId];
    if (map === undefined) return;
    const key = tableKey({ schema: map.parentSchema, name: map.tableName });
    const [table, types] = [this.#watched.get(key), this.types.get(key)];
    if (table === undefined || types === undefined) return;
    const keyOf = (row: RowData): readonly string[] | undefined => {
      const values = table.key.flatMap((name) => keyText(row[name], types.get(name) ?? '') ?? []);
      return values.length === table.key.length ? values : undefined;
    };
    const names = map.columnSchemas.map(({ COLUMN_NAME: name }) => name);
    const images = imagesOf(event, names);
    const changes = event.rows.map((row: Row) => changesOf(event.getTypeName(), row, keyOf, images));
    this.#add(key, changes);
  }

  #add(key: string, changes: readonly (readonly RowChange[] | undefined)[]): void {
    const before = this.#rows.get(key) ?? [];
    if (before === 'unknown') return;
    const isKnown = changes.every((each) => each !== undefined);
    const after = isKnown ? [...before, ...changes.flat()] : 'unknown';
    this.#rows.set(key, after === 'unknown' || after.length > MAX_ROWS ? 'unknown' : after);
  }

  #commit(event: AnyBinlogEvent, file: string): DecodedCommit | undefined {
    if (this.#rows.size === 0) return undefined;
    const rows = this.#rows;
    this.#rows = new Map();
    let size = 0;
    const tables = [...rows].flatMap(([key, changes]) => {
      const table = this.#watched.get(key);
      if (table === undefined) return [];
      if (changes !== 'unknown') size += changes.length;
      // There are no policies here: views filter rows, and subscriptions to views do not exist.
      return [{ schema: table.schema, name: table.name, rowSecurity: false, rows: changes }];
    });
    const end = { file, offset: event.nextPosition };
    return { end, timestamp: new Date(event.timestamp).toISOString(), tables, size };
  }
}

/**
 * If the log has no labels, the reader library takes them from the column type, and splits a label
 * with a comma or a quote. Here the type is parsed correctly.
 */
function completeLabels({ tableMap, tableId }: TableMapEvent): void {
  for (const column of tableMap[tableId]?.columnSchemas ?? []) {
    const labels = column.ENUM_VALUES ?? labelsOf(column.COLUMN_TYPE);
    if (labels !== undefined) column.ENUM_VALUES = [...labels];
  }
}

type RowsEvent = WriteRowsEvent | UpdateRowsEvent | DeleteRowsEvent;

/** A row of an event: an update has two rows. */
type Row = RowsEvent['rows'][number];

/** The columns in the log of the rows before and after an update: a short image lacks some. */
interface Images {
  readonly before: ReadonlySet<string>;
  readonly after: ReadonlySet<string>;
}

/** The reader library reads a column that the log lacks as null. Undefined for other events. */
function imagesOf(event: RowsEvent, names: readonly string[]): Images | undefined {
  const { columns_present_bitmap: first, columns_present_bitmap2: second } = event as {
    readonly columns_present_bitmap?: unknown;
    readonly columns_present_bitmap2?: unknown;
  };
  if (!Buffer.isBuffer(first) || !Buffer.isBuffer(second)) return undefined;
  const present = (bits: Buffer): ReadonlySet<string> =>
    new Set(names.filter((_, at) => (((bits[at >> 3] ?? 0) >> (at & 7)) & 1) === 1));
  return { before: present(first), after: present(second) };
}

const changedColumns = (before: RowData, after: RowData, images: Images): readonly string[] =>
  [...images.after].filter((name) => !images.before.has(name) || !isDeepStrictEqual(before[name], after[name]));

/** The change of a row of an event; undefined if its key is not in the log. */
function changesOf(
  type: string,
  row: Row,
  keyOf: (row: RowData) => readonly string[] | undefined,
  images: Images | undefined,
): readonly RowChange[] | undefined {
  if (type !== 'UpdateRows') {
    const key = keyOf(row as RowData);
    return key === undefined ? undefined : [{ operation: type === 'WriteRows' ? 'INSERT' : 'DELETE', key }];
  }
  const { before, after } = row as { readonly before: RowData; readonly after: RowData };
  const old = keyOf(before);
  if (old === undefined) return undefined;
  // A short row image leaves out columns that have not changed.
  const key = keyOf(Object.fromEntries(Object.entries(before).map(([name, value]) => [name, after[name] ?? value])));
  if (key === undefined) return undefined;
  if (key.every((value, at) => value === old[at]))
    return [{ operation: 'UPDATE', key, ...(images && { changed: changedColumns(before, after, images) }) }];
  return [
    { operation: 'DELETE', key: old },
    { operation: 'INSERT', key },
  ];
}
