import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import Negotiator from 'negotiator';
import { BoundedCache } from '../bounded-cache.js';

/**
 * A content coding that answers are compressed with.
 * https://www.iana.org/assignments/http-parameters/#content-coding
 */
export type Coding = 'br' | 'gzip';

/**
 * In the server's order of preference: among codings of equal quality, the first compresses JSON
 * better at the same cost.
 */
export const codings: readonly Coding[] = ['br', 'gzip'];
const available = [...codings, 'identity'];

/** Most clients are browsers, and those send one of a handful of headers. */
const negotiated = new BoundedCache<Coding | 'identity'>({ max: 100 });

/** Longer headers are parsed again each time, so that they cannot fill the memory. */
const maxKeptLength = 256;

/**
 * The coding a client likes best by its `Accept-Encoding`; undefined for none. A client that takes
 * nothing at all, not even `identity`, is answered without a coding. Source: RFC 9110, 12.5.3.
 */
export function preferredCoding(acceptEncoding: string | undefined): Coding | undefined {
  if (acceptEncoding === undefined || acceptEncoding === '') return undefined;
  const known = negotiated.get(acceptEncoding);
  const coding = known ?? negotiate(acceptEncoding);
  if (known === undefined && acceptEncoding.length <= maxKeptLength) negotiated.set(acceptEncoding, coding);
  return coding === 'identity' ? undefined : coding;
}

/**
 * The second parameter is not in the types of the package yet:
 * https://github.com/jshttp/negotiator#encodingavailableencodings-options
 */
interface EncodingNegotiator {
  encoding(available: readonly string[], options: { readonly preferred: readonly string[] }): string | undefined;
}

function negotiate(acceptEncoding: string): Coding | 'identity' {
  const negotiator: EncodingNegotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } });
  const best = negotiator.encoding(available, { preferred: codings });
  return codings.find((coding) => coding === best) ?? 'identity';
}

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify<Buffer, { level: number }, Buffer>(gzip);

/**
 * Fast levels: an answer is compressed for one reader, and the next levels cost several times as
 * much for a few per cent.
 */
const brotliQuality = 4;
const gzipLevel = 6;

/**
 * Compresses in libuv's thread pool, so that other requests are answered meanwhile. Rejects with
 * zlib's error.
 */
export function compress(body: Buffer, coding: Coding): Promise<Buffer> {
  if (coding === 'gzip') return gzipAsync(body, { level: gzipLevel });
  return brotliAsync(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  });
}
