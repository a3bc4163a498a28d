import type { IncomingMessage } from 'node:http';
import { ServerError, codes } from '../errors.js';
import { inflate } from './inflate.js';

/**
 * Reads the whole body of a request, at most `limit` bytes, compressed or not. Throws ServerError
 * 413 as soon as the body is known to be longer, 400 if the client stops before the end of the
 * body, 400 and 415 for its content coding. Source: RFC 9110, 8.4, 15.5.14.
 */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const { 'content-encoding': coding } = request.headers;
  const sent = readBytes(request, limit);
  return coding === undefined ? sent : sent.then((body) => inflate(body, coding, limit, () => tooLarge(limit)));
}

function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > limit) return Promise.reject(tooLarge(limit));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > limit) {
        request.pause();
        reject(tooLarge(limit));
        return;
      }
      chunks.push(chunk);
    });
    request.once('end', () => {
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, length));
    });
    request.once('error', reject);
    request.once('aborted', () => {
      reject(new ServerError(400, codes.malformedBody, 'The request ended before its body did.'));
    });
  });
}

/**
 * The server closes the connection afterwards: it would read the rest of the body as the next
 * request.
 */
const tooLarge = (limit: number): ServerError =>
  new ServerError(413, codes.limitExceeded, `The request body is longer than ${String(limit)} bytes.`, {
    hint: 'Send less at once, or raise app.limits.body-bytes.',
    headers: { connection: 'close' },
  });
