import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DataVersion } from '../dialect/driver.js';
import { covers, type Position } from '../dialect/position.js';
import type { Replication } from '../dialect/replication.js';
import { codes, ServerError } from '../errors.js';

/** The header of answers to writes, and of reads that have to see these writes. */
const header = 'x-data-version';

/**
 * Begins a request that replicas may answer.
 * @throws ServerError 400 for a header that is no version
 */
export type BeginVersion = (request: IncomingMessage, response: ServerResponse) => DataVersion;

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
