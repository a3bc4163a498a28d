import type { QueryResult, TypeCastField } from 'mysql2/promise';
import type { CustomResult } from '../../driver.js';

/** Dates are UTC, as the session is. Everything else goes as mysql2 sends it. */
export const customValues = (values: readonly unknown[]): (string | number | boolean | Buffer | null)[] =>
  values.map((value) => {
    if (value === null || value === undefined) return null;
    if (value instanceof Date) return value.toISOString().slice(0, 23).replace('T', ' ');
    if (typeof value === 'bigint') return String(value);
    if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
    if (Buffer.isBuffer(value)) return value;
    if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    return JSON.stringify(value);
  });

const moments: ReadonlySet<string> = new Set(['DATE', 'DATETIME', 'TIMESTAMP', 'NEWDATE']);

/**
 * Reads values in the types that database.ts declares: moments are dates, whole numbers are numbers
 * if they are exact.
 */
export function readCustomValue({ type }: Pick<TypeCastField, 'type'>, next: () => unknown): unknown {
  const value = next();
  if (typeof value !== 'string') return value;
  if (moments.has(type)) return new Date(value.length === 10 ? `${value}T00:00:00Z` : `${value.replace(' ', 'T')}Z`);
  if (type !== 'LONGLONG') return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/**
 * The result of a statement without rows:
 * https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_basic_ok_packet.html
 */
interface Header {
  readonly affectedRows: number;
  readonly changedRows?: number;
  readonly insertId: number;
  readonly serverStatus: number;
}

const isHeader = (value: unknown): value is Header =>
  typeof value === 'object' && value !== null && 'affectedRows' in value && 'serverStatus' in value;

/** A procedure returns sets of rows, and its outcome last. */
const headerOf = (answer: QueryResult): Header | undefined => {
  const last: unknown = Array.isArray(answer) ? answer.at(-1) : answer;
  return isHeader(last) ? last : undefined;
};

const inTransaction = 1;

/**
 * Whether the server reports that no transaction is open (SERVER_STATUS_IN_TRANS). An answer with
 * only rows has no such report; such a statement cannot have ended a transaction.
 */
export function endsTransaction(answer: QueryResult): boolean {
  const header = headerOf(answer);
  return header !== undefined && (header.serverStatus & inTransaction) === 0;
}

export function customResult(answer: QueryResult): CustomResult {
  const header = headerOf(answer);
  if (header === undefined) return { rows: answer as CustomResult['rows'] };
  const first: unknown = Array.isArray(answer) ? answer[0] : undefined;
  if (Array.isArray(first)) return { rows: first as CustomResult['rows'] };
  const { affectedRows, changedRows = affectedRows, insertId } = header;
  return {
    rows: [],
    affected: BigInt(affectedRows),
    changed: BigInt(changedRows),
    ...(insertId === 0 ? {} : { insertId: BigInt(insertId) }),
  };
}
