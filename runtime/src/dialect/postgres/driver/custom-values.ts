import pg from 'pg';
import type { BoundStatement, RawRow } from '../../../plan/statement.js';
import type { CustomResult } from '../../driver.js';
import type { BatchEnd, EncodedStatement } from './batch.js';
import type { FieldDescription } from './wire.js';

/** The part of node-postgres that turns values into parameters. Its types do not describe it. */
const { utils } = pg as unknown as {
  readonly utils: { readonly prepareValue: (value: unknown) => string | Buffer | null };
};

/** Values as node-postgres sends them: dates, buffers, arrays, objects as JSON. */
export const encodedStatement = (text: string, values: readonly unknown[]): EncodedStatement => ({
  text,
  values: values.map((value) => utils.prepareValue(value)),
});

/** Sessions write intervals in ISO 8601, which node-postgres does not parse. */
class Interval {
  constructor(private readonly text: string) {}

  toISOString(): string {
    return this.text;
  }

  toString(): string {
    return this.text;
  }

  toJSON(): string {
    return this.text;
  }

  /** node-postgres calls it for a parameter. */
  toPostgres(): string {
    return this.text;
  }
}

type Parse = (text: string) => unknown;

const intervalType = 1186;
const intervalsType = 1187;
const textsType = 1009;
/** The oids of user-defined types begin here. */
const firstOwnType = 16_384;

/** Accepts any type: @types/pg lists only some of them. */
const parserOf = pg.types.getTypeParser as (type: number, format: 'text') => Parse;

const list = (item: Parse): Parse => {
  const texts = parserOf(textsType, 'text') as (text: string) => readonly unknown[];
  const each = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(each) : typeof value === 'string' ? item(value) : value;
  return (text) => texts(text).map(each);
};

/**
 * Reads rows as node-postgres does. Lists of enums and of other user-defined types become lists,
 * too.
 */
export class CustomRows {
  /** By type: whether it is a list, for those types of the database's own that were met. */
  readonly #lists = new Map<number, boolean>();

  /** @param run queries the catalogue in the transaction of the answer */
  async read(
    { rows, fields = [], tag = '' }: Pick<BatchEnd, 'rows' | 'fields' | 'tag'>,
    run: (statements: readonly BoundStatement[]) => Promise<readonly RawRow[]>,
  ): Promise<CustomResult> {
    const unknown = fields
      .map(({ dataTypeID }) => dataTypeID)
      .filter((id) => id >= firstOwnType && !this.#lists.has(id));
    if (unknown.length > 0) await this.#meet(unknown, run);
    const parsers = fields.map((field) => this.#parserOf(field));
    return { rows: rows.map((row) => rowOf(row, fields, parsers)), ...affectedOf(tag) };
  }

  async #meet(
    types: readonly number[],
    run: (statements: readonly BoundStatement[]) => Promise<readonly RawRow[]>,
  ): Promise<void> {
    const found = await run([{ text: listTypes, values: [`{${types.join()}}`] }]);
    const lists = new Set(found.map(([id]) => Number(id)));
    for (const id of types) this.#lists.set(id, lists.has(id));
  }

  #parserOf({ dataTypeID: id }: FieldDescription): Parse {
    if (id === intervalType) return (text) => new Interval(text);
    if (id === intervalsType) return list((text) => new Interval(text));
    if (this.#lists.get(id) === true) return list((text) => text);
    return parserOf(id, 'text');
  }
}

const listTypes = `select oid from pg_catalog.pg_type where oid = any($1::pg_catalog.oid[]) and typcategory = 'A'`;

function rowOf(
  row: RawRow,
  fields: readonly FieldDescription[],
  parsers: readonly Parse[],
): Readonly<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const [at, { name }] of fields.entries()) {
    const text = row[at] ?? null;
    found[name] = text === null ? null : parsers[at]?.(text);
  }
  return found;
}

/**
 * `INSERT 0 2`, `UPDATE 2`, `DELETE 2`, `MERGE 2`:
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
function affectedOf(tag: string): Pick<CustomResult, 'affected'> {
  const [, count] = /^(?:INSERT 0|UPDATE|DELETE|MERGE) (\d+)$/.exec(tag) ?? [];
  return count === undefined ? {} : { affected: BigInt(count) };
}
