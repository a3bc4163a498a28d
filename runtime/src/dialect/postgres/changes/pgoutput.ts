import { tableKey, type FormerRow, type RowChange, type RowOperation, type WatchedTable } from '../../change-feed.js';

/** A decoded transaction. It may not be visible yet: see barrier.ts. */
export interface DecodedCommit {
  /** The lower 32 bits of the transaction's number, which the protocol sends. */
  readonly xid: number;
  readonly timestamp: string;
  readonly tables: readonly DecodedTable[];
  /** The number of listed rows in all tables; a long former row counts as several. */
  readonly size: number;
}

export interface DecodedTable {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  readonly rows: readonly RowChange[] | 'unknown';
}

/** If a transaction changes more rows of a table, they are not listed. */
const MAX_ROWS = 10_000;

/** Characters of former rows kept for one transaction. Rows beyond that have no former row. */
const MAX_FORMER_CHARACTERS = 4_000_000;

/** Characters of a former row that count as one more row. */
const CHARACTERS_OF_ROW = 100;

/** 2000-01-01, from which PostgreSQL counts microseconds. */
const EPOCH_MS = 946_684_800_000n;

interface Relation {
  readonly oid: number;
  readonly table: WatchedTable;
  readonly columns: readonly string[];
  /** The positions of the key's columns; undefined if a column is missing. */
  readonly key: readonly number[] | undefined;
}

interface Collected {
  readonly relation: Relation;
  readonly wantsFormer: boolean;
  rows: RowChange[] | 'unknown';
}

/**
 * Decodes messages of the output plugin pgoutput, version 1 of its protocol. It keeps the key of
 * each row, and the former row if the database sends it and a subscriber selects it.
 * Source: https://www.postgresql.org/docs/current/protocol-logicalrep-message-formats.html
 */
export class PgoutputDecoder {
  /** Relations by oid; undefined for a table without subscribers. */
  readonly #relations = new Map<number, Relation | undefined>();
  #xid = 0;
  #timestamp = '';
  #size = 0;
  #formerLength = 0;
  #collected = new Map<number, Collected>();

  /** @param watched by `tableKey` */
  constructor(
    private readonly watched: ReadonlyMap<string, WatchedTable>,
    private readonly wantsFormer: (table: WatchedTable) => boolean = () => false,
  ) {}

  /** Returns the transaction if the message ends it and a watched table was changed. */
  decode(message: Buffer, at: number): DecodedCommit | undefined {
    const reader = new Reader(message, at);
    switch (String.fromCharCode(reader.byte())) {
      case 'B':
        this.#begin(reader);
        return undefined;
      case 'R':
        this.#relation(reader);
        return undefined;
      case 'I':
        this.#insert(reader);
        return undefined;
      case 'U':
        this.#update(reader);
        return undefined;
      case 'D':
        this.#delete(reader);
        return undefined;
      case 'T':
        this.#truncate(reader);
        return undefined;
      case 'C':
        return this.#commit();
      default:
        // Types, origins and logical messages.
        return undefined;
    }
  }

  #begin(reader: Reader): void {
    reader.skip(8);
    this.#timestamp = timestampOf(reader.int64());
    this.#xid = reader.uint32();
    this.#size = 0;
    this.#formerLength = 0;
    this.#collected = new Map();
  }

  #commit(): DecodedCommit | undefined {
    if (this.#collected.size === 0) return undefined;
    const tables = Array.from(this.#collected, ([oid, { relation, rows }]) => {
      const { schema, name } = relation.table;
      return { oid, schema, name, rows };
    });
    const size = this.#size + Math.ceil(this.#formerLength / CHARACTERS_OF_ROW);
    const commit = { xid: this.#xid, timestamp: this.#timestamp, tables, size };
    this.#collected = new Map();
    return commit;
  }

  #relation(reader: Reader): void {
    const oid = reader.uint32();
    const [schema, name] = [reader.text(), reader.text()];
    reader.skip(1);
    const columns: string[] = [];
    for (let left = reader.int16(); left > 0; left -= 1) {
      reader.skip(1);
      columns.push(reader.text());
      reader.skip(8);
    }
    const table = this.watched.get(tableKey({ schema, name }));
    const places = table?.key.map((column) => columns.indexOf(column)) ?? [];
    const key = places.includes(-1) ? undefined : places;
    this.#relations.set(oid, table === undefined ? undefined : { oid, table, columns, key });
  }

  #insert(reader: Reader): void {
    const collected = this.#collect(reader.uint32());
    if (collected === undefined) return;
    reader.skip(1);
    this.#add(collected, 'INSERT', keyOf(reader, collected.relation));
  }

  /**
   * The old row of an update or a delete: the whole row if the table has REPLICA IDENTITY FULL,
   * otherwise its key.
   */
  #old(
    reader: Reader,
    kind: string,
    { relation, wantsFormer }: Collected,
    values?: Map<string, string | null>,
  ): OldRow {
    const isWanted = kind === 'O' && wantsFormer && this.#formerLength < MAX_FORMER_CHARACTERS;
    if (!isWanted) return { key: keyOf(reader, relation, values) };
    const former = values ?? new Map<string, string | null>();
    const key = keyOf(reader, relation, former);
    for (const value of former.values()) this.#formerLength += value?.length ?? 0;
    return { key, former };
  }

  /**
   * An update that changes the key is a delete of the old key and an insert of the new one. The
   * database sends the old key if it changed, or with the whole old row.
   */
  #update(reader: Reader): void {
    const collected = this.#collect(reader.uint32());
    if (collected === undefined) return;
    const kind = String.fromCharCode(reader.byte());
    const before = kind === 'O' ? new Map<string, string | null>() : undefined;
    const old = kind === 'N' ? undefined : this.#old(reader, kind, collected, before);
    if (old !== undefined) reader.skip(1);
    const after = before && new Map<string, string | null>();
    const key = keyOf(reader, collected.relation, after);
    if (old === undefined || isSame(old.key, key)) {
      this.#add(collected, 'UPDATE', key, old?.former, before && after && changedColumns(before, after));
      return;
    }
    this.#add(collected, 'DELETE', old.key, old.former);
    this.#add(collected, 'INSERT', key);
  }

  #delete(reader: Reader): void {
    const collected = this.#collect(reader.uint32());
    if (collected === undefined) return;
    const { key, former } = this.#old(reader, String.fromCharCode(reader.byte()), collected);
    this.#add(collected, 'DELETE', key, former);
  }

  #truncate(reader: Reader): void {
    const count = reader.uint32();
    reader.skip(1);
    for (let left = count; left > 0; left -= 1) {
      const collected = this.#collect(reader.uint32());
      if (collected !== undefined) this.#forget(collected);
    }
  }

  #collect(oid: number): Collected | undefined {
    const known = this.#collected.get(oid);
    if (known !== undefined) return known;
    const relation = this.#relations.get(oid);
    if (relation === undefined) return undefined;
    const collected: Collected = { relation, wantsFormer: this.wantsFormer(relation.table), rows: [] };
    this.#collected.set(oid, collected);
    return collected;
  }

  #add(collected: Collected, operation: RowOperation, key: Key, former?: FormerRow, changed?: readonly string[]): void {
    if (collected.rows === 'unknown') return;
    if (key === 'unknown' || collected.rows.length >= MAX_ROWS) {
      this.#forget(collected);
      return;
    }
    this.#size += 1;
    collected.rows.push({
      operation,
      key,
      ...(former === undefined ? {} : { former }),
      ...(changed === undefined ? {} : { changed }),
    });
  }

  #forget(collected: Collected): void {
    if (collected.rows !== 'unknown') this.#size -= collected.rows.length;
    collected.rows = 'unknown';
  }
}

type Key = readonly string[] | 'unknown';

interface OldRow {
  readonly key: Key;
  readonly former?: FormerRow;
}

/**
 * Reads a row to its end. Its key is unknown if a column of the key is null or was not sent.
 * @param all receives the values of all columns that were sent
 */
function keyOf(reader: Reader, { key, columns }: Relation, all?: Map<string, string | null>): Key {
  const values = new Array<string | undefined>(key?.length ?? 0);
  const count = reader.int16();
  for (let column = 0; column < count; column += 1) {
    const kind = String.fromCharCode(reader.byte());
    if (kind === 'n') all?.set(columns[column] ?? '', null);
    if (kind !== 't' && kind !== 'b') continue;
    const length = reader.uint32();
    const place = key?.indexOf(column) ?? -1;
    if (place === -1 && all === undefined) {
      reader.skip(length);
      continue;
    }
    const text = reader.textOf(length);
    all?.set(columns[column] ?? '', text);
    if (place !== -1) values[place] = text;
  }
  const given = values.filter((value) => value !== undefined);
  return given.length === key?.length ? given : 'unknown';
}

/** The log leaves out a long value that has not changed. */
const changedColumns = (before: FormerRow, after: FormerRow): readonly string[] =>
  [...after].flatMap(([name, value]) => (before.get(name) === value ? [] : [name]));

const isSame = (one: Key, other: Key): boolean =>
  one !== 'unknown' && other !== 'unknown' && one.every((value, at) => value === other[at]);

const timestampOf = (microseconds: bigint): string => new Date(Number(microseconds / 1000n + EPOCH_MS)).toISOString();

class Reader {
  constructor(
    private readonly buffer: Buffer,
    private at: number,
  ) {}

  byte(): number {
    return this.buffer.readUInt8(this.at++);
  }

  int16(): number {
    this.at += 2;
    return this.buffer.readInt16BE(this.at - 2);
  }

  uint32(): number {
    this.at += 4;
    return this.buffer.readUInt32BE(this.at - 4);
  }

  int64(): bigint {
    this.at += 8;
    return this.buffer.readBigInt64BE(this.at - 8);
  }

  /** A text that a zero byte ends. */
  text(): string {
    const end = this.buffer.indexOf(0, this.at);
    const text = this.buffer.toString('utf8', this.at, end);
    this.at = end + 1;
    return text;
  }

  textOf(length: number): string {
    this.at += length;
    return this.buffer.toString('utf8', this.at - length, this.at);
  }

  skip(bytes: number): void {
    this.at += bytes;
  }
}
