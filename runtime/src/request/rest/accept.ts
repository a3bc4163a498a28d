import Negotiator from 'negotiator';
import { ServerError, codes } from '../../errors.js';

/** The forms an answer to a read can have. */
export type Format = 'json' | 'object' | 'csv';

/** Media types, and the format each asks for. The first one answers a request without `Accept`. */
const formats: ReadonlyMap<string, Format> = new Map([
  ['application/json', 'json'],
  ['application/vnd.pgrst.object+json', 'object'],
  ['text/csv', 'csv'],
  ['application/vnd.pgrst.object', 'object'],
  ['application/vnd.pgrst.array+json', 'json'],
]);

/**
 * The format of the answer: the offered media type with the highest quality; between equals the one named most exactly, then the one
 * that stands first in the header. Throws ServerError 406. Source: RFC 9110, 12.5.1; decisions 6.
 *
 * @accepts `application/json` `text/csv` `*\/*` `text/*` `application/*;q=0.5` `text/html, *\/*;q=0.1` `application/vnd.pgrst.object+json` ``
 * @accepts `text/csv;charset=utf-8` `APPLICATION/JSON` `application/json;q=0, text/csv`
 * @rejects `text/html` `application/json;q=0` `image/*` `application/xml, text/plain` `nonsense`
 */
export function negotiate(header: string | undefined): Format {
  if (header === undefined || header === '' || header === '*/*' || header === 'application/json') return 'json';
  // A range's own parameters ask for a variant of the type (a charset, a profile): the type alone decides here.
  const accept = header.replaceAll(/;\s*(?!q\s*=)[^;,]*/gi, '');
  const type = new Negotiator({ headers: { accept } }).mediaType([...formats.keys()]);
  const format = type === undefined ? undefined : formats.get(type);
  if (format === undefined) throw notAcceptable();
  return format;
}

const notAcceptable = (): ServerError =>
  new ServerError(406, codes.notAcceptable, 'None of the accepted media types is served.', {
    hint: `Served are ${[...formats.keys()].slice(0, 3).join(', ')}.`,
  });
