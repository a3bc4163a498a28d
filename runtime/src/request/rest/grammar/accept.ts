import Negotiator from 'negotiator';
import { ServerError, codes } from '../../../errors.js';
import type { MediaHandler } from '../../../catalog/catalog.js';
import type { RowsForm } from '../../../plan/intent.js';
import type { RestDialect } from './intent-forms.js';

/** The forms an answer to a read can have. */
export type Format = 'json' | 'object' | 'csv' | 'geojson';

/**
 * Media types, and the format that each asks for. The first media type answers a request without
 * `Accept`.
 */
const formats: ReadonlyMap<string, Format> = new Map([
  ['application/json', 'json'],
  ['application/vnd.pgrst.object+json', 'object'],
  ['text/csv', 'csv'],
  ['application/vnd.pgrst.object', 'object'],
  ['application/vnd.pgrst.array+json', 'json'],
]);

/** The media types of PostgREST's form of REST. */
const postgrestFormats: typeof formats = new Map([
  ...formats,
  ['application/vnd.pgrst.array', 'json'],
  ['application/geo+json', 'geojson'],
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
 * @param dialect `postgrest` has GeoJSON, too, and no wildcards but `*\/*`
 */
export function negotiate(header: string | undefined, dialect: RestDialect = 'rest'): Format {
  if (header === undefined || header === '' || header === '*/*' || header === 'application/json') return 'json';
  if (dialect === 'postgrest') {
    const format = postgrestFormats.get(preferredType(header, []) ?? '');
    if (format === undefined) throw notAcceptable(header);
    return format;
  }
  // Parameters of a media range ask for a variant of the type (a charset, a profile). Only the type
  // matters here.
  const accept = header.replaceAll(/;\s*(?!q\s*=)[^;,]*/gi, '');
  const type = new Negotiator({ headers: { accept } }).mediaType([...formats.keys()]);
  const format = type === undefined ? undefined : formats.get(type);
  if (format === undefined) throw notAcceptable(header);
  return format;
}

/**
 * The media type of an answer that is raw, if the header asks for the one that a function answers:
 * the one that it prefers, before PostgREST's own forms of the result. A function of every media
 * type answers `application/octet-stream`. Source: PostgREST, "Media Type Handlers".
 */
export function rawType(header: string | undefined, media: string | undefined): string | undefined {
  if (media === undefined) return undefined;
  if (media === '*/*') return 'application/octet-stream';
  return preferredType(header, [media]) === media ? media : undefined;
}

/**
 * The aggregate that writes the answer: for the first type that the header prefers and that has a
 * form, that of the table for every type, then that of the table for this type, then that for any
 * rows. It may take the place of a form that PostgREST itself has, but not of its own types
 * (`application/vnd.pgrst.…`). Source: PostgREST, "Media Type Handlers".
 */
export function handlerOf(
  header: string | undefined,
  ofTable: readonly MediaHandler[],
  ofAny: readonly MediaHandler[],
): MediaHandler | undefined {
  for (const { type } of byPreference(header ?? '*/*')) {
    const isOwn = type === '*/*' || postgrestFormats.has(type);
    if (isOwn && type.startsWith('application/vnd.pgrst.')) return undefined;
    const has = (media: string) => (each: MediaHandler) => each.media === media;
    const found = ofTable.find(has('*/*')) ?? ofTable.find(has(type)) ?? ofAny.find(has(type));
    if (found !== undefined || isOwn) return found;
  }
  return undefined;
}

/** The type that the header prefers, of PostgREST's own and of others. */
const preferredType = (header: string | undefined, others: readonly string[]): string | undefined =>
  preferredRange(header, others)?.type;

function preferredRange(header: string | undefined, others: readonly string[]): MediaRange | undefined {
  const offered = new Set([...postgrestFormats.keys(), ...others]);
  const ranges = byPreference(header ?? '*/*').map((each) =>
    each.type === '*/*' ? { ...each, type: 'application/json' } : each,
  );
  return ranges.find(({ type }) => offered.has(type));
}

/** `application/vnd.pgrst.object+json;nulls=stripped`. Source: PostgREST, "Stripped nulls". */
export function asksToStripNulls(header: string | undefined): boolean {
  if (header === undefined || !/nulls/i.test(header)) return false;
  const range = preferredRange(header, []);
  return range?.type.startsWith('application/vnd.pgrst.') === true && range.parameters.includes('nulls=stripped');
}

/**
 * Whether a client takes the description at the root of PostgREST's form.
 * @throws ServerError 406
 */
export function checkTakesDescription(header = '*/*'): void {
  const types = ['application/openapi+json', 'application/json', '*/*'];
  if (!byPreference(header).some(({ type }) => types.includes(type))) throw notAcceptable(header);
}

const notAcceptable = (header: string): ServerError =>
  new ServerError(406, codes.notAcceptable, 'None of the accepted media types is served.', {
    hint: `Supported: ${[...formats.keys()].slice(0, 3).join(', ')}.`,
    reason: { kind: 'mediaTypes', types: byPreference(header).map(({ type }) => type) },
  });

interface MediaRange {
  readonly type: string;
  readonly parameters: readonly string[];
}

/**
 * The types of `Accept` in PostgREST's order: by quality, and then by how many parameters they have
 * and how few wildcards. A quality of 0 excludes nothing.
 */
function byPreference(header: string): readonly MediaRange[] {
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
