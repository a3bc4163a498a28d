import { codes, ServerError } from '../../../errors.js';

/** Statements with fewer bytes of values are sent without asking how many the server takes. */
const SMALL = 65_536;

/** Bytes for the lengths and types of the values, and for the head of the message. */
const OVERHEAD = 4_096;

/** The server's limit of one message, of this session. */
export const packetLimitText = 'select @@max_allowed_packet';

type Value = string | number | bigint | boolean | Date | Buffer | null;

/** Bytes of the values in a message; 0 for so few that the limit does not matter. */
export function largeSize(values: readonly unknown[]): number {
  let most = 0;
  for (const value of values as readonly Value[])
    if (typeof value === 'string') most += value.length * BYTES_PER_CHARACTER;
    else if (Buffer.isBuffer(value)) most += value.length;
  if (most < SMALL) return 0;
  let size = 0;
  for (const value of values as readonly Value[])
    if (typeof value === 'string') size += Buffer.byteLength(value);
    else if (Buffer.isBuffer(value)) size += value.length;
  return size < SMALL ? 0 : size + OVERHEAD;
}

/** Largest number of bytes of UTF-8 for one character of a JavaScript string. */
const BYTES_PER_CHARACTER = 3;

/**
 * The server would end the connection, and whether it says why depends on who is faster. So the
 * statement is not sent.
 * Source: https://mariadb.com/kb/en/server-system-variables/#max_allowed_packet
 */
export const packetTooLarge = (limit: number): ServerError =>
  new ServerError(413, codes.limitExceeded, `The database takes at most ${String(limit)} bytes at once.`, {
    details: 'Nothing was written.',
    hint: 'Send less at once, or raise max_allowed_packet of the database.',
  });
