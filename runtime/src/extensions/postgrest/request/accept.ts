import type { MediaHandler } from '../../../catalog/catalog.js';
import {
  byPreference,
  formats,
  notAcceptable,
  type Format,
  type MediaRange,
} from '../../../request/rest/grammar/accept.js';

const postgrestFormats: typeof formats = new Map([
  ...formats,
  ['application/vnd.pgrst.array', 'json'],
  ['application/geo+json', 'geojson'],
]);

/** The format of the preferred type. The only wildcard is `*\/*`. Throws ServerError 406. */
export function postgrestFormat(header: string | undefined): Format {
  if (header === undefined || header === '' || header === '*/*' || header === 'application/json') return 'json';
  const format = postgrestFormats.get(preferredType(header, []) ?? '');
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
