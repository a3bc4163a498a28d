import { covers, type Position } from '../../dialect/position.js';
import type { Replication } from '../../dialect/replication.js';
import { codes, ServerError } from '../../errors.js';
import type { BeginVersion } from '../../execute/services.js';

/** The header of answers to writes, and of reads that have to see these writes. */
const header = 'x-data-version';

/**
 * The header of a request names the data that its sender has seen. The header of its answer names
 * the data that it wrote.
 */
export const createVersions =
  ({ format, parse }: Pick<Replication, 'format' | 'parse'>): BeginVersion =>
  ({ headers }, response) => {
    const given = headers[header];
    const seen = typeof given === 'string' && given !== '' ? parse(given) : undefined;
    if (given !== undefined && given !== '' && seen === undefined) throw malformed();
    let written: Position | undefined;
    return {
      seen,
      isWriting: false,
      wrote: (position) => {
        if ((written !== undefined && covers(written, position)) || response.headersSent) return;
        written = position;
        response.setHeader(header, format(position));
      },
    };
  };

const malformed = (): ServerError =>
  new ServerError(400, codes.malformedParameter, 'The header X-Data-Version is malformed.', {
    hint: 'Send the value that a write was answered with, or leave the header out.',
  });
