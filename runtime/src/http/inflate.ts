import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate as inflateZlib } from 'node:zlib';
import { codes, ServerError } from '../errors.js';

/**
 * The content codings that a body may have. https://www.iana.org/assignments/http-parameters/
 */
const decoders = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflateZlib),
  br: promisify(brotliDecompress),
} as const;

const isKnown = (coding: string): coding is keyof typeof decoders => Object.hasOwn(decoders, coding);

/**
 * The body without the codings of `Content-Encoding`, which were applied in their order. At most
 * `limit` bytes are held for each of them. Source: RFC 9110, 8.4, 15.5.16.
 * @param tooLarge the error for a longer body
 * @throws ServerError 415 for an unknown coding, 400 for a body that does not have it
 */
export async function inflate(
  body: Buffer,
  contentEncoding: string,
  limit: number,
  tooLarge: () => ServerError,
): Promise<Buffer> {
  let inflated = body;
  for (const coding of codingsOf(contentEncoding).toReversed()) {
    if (!isKnown(coding)) throw unknownCoding();
    inflated = await decoders[coding](inflated, { maxOutputLength: limit }).catch((error: unknown) => {
      throw isTooLarge(error) ? tooLarge() : malformed(coding, error);
    });
  }
  return inflated;
}

/** A few are enough for any client; each costs a pass over the body. */
const MAX_CODINGS = 3;

function codingsOf(contentEncoding: string): readonly string[] {
  const codings = contentEncoding
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter((each) => each !== '' && each !== 'identity');
  if (codings.length > MAX_CODINGS) throw unknownCoding();
  return codings;
}

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';

const unknownCoding = (): ServerError =>
  new ServerError(415, codes.malformedBody, 'The body has a content coding that this server does not read.', {
    hint: 'Send it with Content-Encoding: gzip, deflate or br, or without.',
    headers: { 'accept-encoding': 'gzip, deflate, br' },
  });

const malformed = (coding: string, cause: unknown): ServerError =>
  new ServerError(400, codes.malformedBody, `The body is not what its Content-Encoding says: ${coding}.`, {
    hint: 'Compress the body, or leave the header out.',
    cause,
  });
