import { codes, ServerError } from '../../errors.js';
import type { Value } from '../intent.js';

/**
 * Reads the values of a cursor of the request. The same request reads it once for each key, so the
 * last answer is kept.
 */
export type CursorReader<T> = (inputs: unknown) => T;

/**
 * The text form of the order keys a cursor holds: base64url of the JSON list `[fingerprint, key,
 * …]`.
 * @throws ServerError 400 when it is not a cursor, or one of another order
 */
export function readKeys(
  value: Value,
  name: string,
  fingerprint: string,
  count: number,
): CursorReader<readonly (string | null)[]> {
  return remember(value, (cursor) => {
    const keys = decode(cursor, name, fingerprint);
    if (keys.length !== count || !keys.every(isKey)) throw notACursor(name);
    return keys;
  });
}

/**
 * The position a cursor of a table without key holds: how many rows there are up to it, itself
 * included.
 */
export function readPosition(value: Value, name: string, fingerprint: string): CursorReader<bigint> {
  return remember(value, (cursor) => {
    const [position, ...rest] = decode(cursor, name, fingerprint);
    if (typeof position !== 'string' || rest.length > 0 || !/^[1-9]\d{0,17}$/.test(position)) throw notACursor(name);
    return BigInt(position);
  });
}

function remember<T>(value: Value, parse: (cursor: string) => T): CursorReader<T> {
  let last: { readonly cursor: unknown; readonly result: T } | undefined;
  return (inputs) => {
    const cursor = value.read(inputs);
    if (last?.cursor !== cursor || last === undefined) {
      last = { cursor, result: parse(typeof cursor === 'string' ? cursor : '') };
    }
    return last.result;
  };
}

function decode(cursor: string, name: string, fingerprint: string): readonly unknown[] {
  const parsed = parse(cursor);
  if (!Array.isArray(parsed)) throw notACursor(name);
  const [found, ...keys] = parsed as readonly unknown[];
  if (typeof found !== 'string') throw notACursor(name);
  if (found !== fingerprint) {
    throw refusedCursor(
      `The cursor in "${name}" is of another list or another order.`,
      'A cursor works with the table and the orderBy it was made with. Start again without it.',
    );
  }
  return keys;
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

const isKey = (key: unknown): key is string | null => key === null || (typeof key === 'string' && !key.includes('\0'));

const notACursor = (name: string): ServerError =>
  refusedCursor(`"${name}" is not a cursor.`, 'Pass on the endCursor, startCursor or cursor of an answer, unchanged.');

const refusedCursor = (message: string, hint: string): ServerError =>
  new ServerError(400, codes.malformedParameter, message, { hint });
