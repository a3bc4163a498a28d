import Negotiator from 'negotiator';
import { ServerError, codes } from '../../../errors.js';
import type { RowsForm } from '../../../plan/intent.js';

/** The forms an answer to a read can have. */
export type Format = 'json' | 'object' | 'csv' | 'geojson';

/**
 * Media types, and the format that each asks for. The first media type answers a request without
 * `Accept`.
 */
export const formats: ReadonlyMap<string, Format> = new Map([
  ['application/json', 'json'],
  ['application/vnd.pgrst.object+json', 'object'],
  ['text/csv', 'csv'],
  ['application/vnd.pgrst.object', 'object'],
  ['application/vnd.pgrst.array+json', 'json'],
]);

/**
 * The format of the answer: the offered media type with the highest quality. Among equals, the type
 * that the header names most exactly, then the first type in the header. Throws ServerError 406.
 * Source: RFC 9110, 12.5.1; decision 006.
 *
 * @accepts `application/json` `text/csv` `*\/*` `text/*` `application/*;q=0.5`
 * @accepts `text/html, *\/*;q=0.1` `application/vnd.pgrst.object+json` ``
 * @accepts `text/csv;charset=utf-8` `APPLICATION/JSON` `application/json;q=0, text/csv`
 * @rejects `text/html` `application/json;q=0` `image/*` `application/xml, text/plain` `nonsense`
 * @rejects `application/geo+json`
 */
export function negotiate(header: string | undefined): Format {
  if (header === undefined || header === '' || header === '*/*' || header === 'application/json') return 'json';
  // Parameters of a media range ask for a variant of the type (a charset, a profile). Only the type
  // matters here.
  const accept = header.replaceAll(/;\s*(?!q\s*=)[^;,]*/gi, '');
  const type = new Negotiator({ headers: { accept } }).mediaType([...formats.keys()]);
  const format = type === undefined ? undefined : formats.get(type);
  if (format === undefined) throw notAcceptable(header);
  return format;
}

export const notAcceptable = (header: string): ServerError =>
  new ServerError(406, codes.notAcceptable, 'None of the accepted media types is served.', {
    hint: `Supported: ${[...formats.keys()].slice(0, 3).join(', ')}.`,
    reason: { kind: 'mediaTypes', types: byPreference(header).map(({ type }) => type) },
  });

export interface MediaRange {
  readonly type: string;
  readonly parameters: readonly string[];
}

/**
 * The types of `Accept` in PostgREST's order: by quality, and then by how many parameters they have
 * and how few wildcards. A quality of 0 excludes nothing.
 */
export function byPreference(header: string): readonly MediaRange[] {
  const ranges = header
    .toLowerCase()
    .replaceAll(/\s/g, '')
    .split(',')
    .map((range) => {
      const [type = '', ...parameters] = range.split(';');
      const quality = Number(parameters.find((each) => each.startsWith('q='))?.slice(2) ?? 1);
      const exactness = parameters.length - (range.match(/\*/g)?.length ?? 0);
      return { type, parameters, quality: Number.isNaN(quality) ? 1 : quality, exactness };
    });
  return ranges.sort((a, b) => b.quality - a.quality || b.exactness - a.exactness);
}

/**
 * The form of the statement's result. The answer with a single object takes the object out of a
 * list.
 */
export const formOf = (format: Format): RowsForm => (format === 'object' ? 'json' : format);

/** What tells forms apart in the shape of a request. */
export const shapeOfForm = (form: RowsForm): string =>
  typeof form === 'string' ? form : JSON.stringify([form.schema, form.name]);
