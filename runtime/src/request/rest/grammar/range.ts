import { ServerError, codes } from '../../../errors.js';

/** The rows of a `Range` header: counted from 0, with both ends included. */
export interface RowRange {
  readonly start: number;
  /** Absent: the range ends at the limit. */
  readonly end?: number;
}

const form = /^(?:items\s*=\s*)?(\d+)\s*-\s*(\d*)$/;

/**
 * Reads the `Range` header of a read: `0-9`, also `items=0-9` and `10-`. A range in another unit is
 * ignored. Throws ServerError 416. Source: decision 006; RFC 9110, 14.2.
 *
 * @accepts `0-9` `0-0` `10-` `items=0-9` ` 0-9 ` `bytes=0-99`
 * @rejects `` `5-2` `-5` `a-b` `0` `0-9,20-29` `0-9x` `items=-5` `1.5-3` `0--1`
 */
export function parseRange(header: string): RowRange | undefined {
  const text = header.trim();
  const unit = /^([a-z]+)\s*=/i.exec(text)?.[1];
  if (unit !== undefined && unit.toLowerCase() !== 'items') return undefined;
  const found = form.exec(text);
  if (found === null) throw unsatisfiable('The Range header has to be <start>-<end>.');
  const start = Math.min(Number(found[1]), Number.MAX_SAFE_INTEGER);
  if (found[2] === undefined || found[2] === '') return { start };
  const end = Math.min(Number(found[2]), Number.MAX_SAFE_INTEGER);
  if (end < start) throw endsBeforeStart();
  return { start, end };
}

const endsBeforeStart = (): ServerError =>
  new ServerError(416, codes.rangeNotSatisfiable, 'The Range header ends before it starts.', {
    hint: 'Rows are counted from 0 and both ends are included: the first ten are 0-9.',
    reason: {
      kind: 'emptyWindow',
      details: 'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
    },
  });

/** No row of the table is between the limit and the offset of a request. */
export const emptyWindow = (): ServerError =>
  new ServerError(416, codes.rangeNotSatisfiable, 'No row is within the limit and the offset of the request.', {
    reason: { kind: 'emptyWindow', details: 'Limit should be greater than or equal to zero.' },
  });

const unsatisfiable = (message: string): ServerError =>
  new ServerError(416, codes.rangeNotSatisfiable, message, {
    hint: 'Rows are counted from 0 and both ends are included: the first ten are 0-9.',
  });
