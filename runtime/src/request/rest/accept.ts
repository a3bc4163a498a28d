import { ServerError, codes } from '../../errors.js';

/** The forms an answer to a read can have. */
export type Format = 'json' | 'object' | 'csv';

/** Media types, and the format each asks for. The first one is what a request without a wish gets. */
const formats: readonly (readonly [type: string, format: Format])[] = [
  ['application/json', 'json'],
  ['application/vnd.pgrst.object+json', 'object'],
  ['text/csv', 'csv'],
  ['application/vnd.pgrst.object', 'object'],
  ['application/vnd.pgrst.array+json', 'json'],
];

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
  const ranges = header.split(',').map(parseMediaRange);
  let best: { readonly format: Format; readonly rank: readonly number[] } | undefined;
  for (const [position, [type, format]] of formats.entries()) {
    const match = mostSpecific(ranges, type);
    if (match === undefined || match.quality === 0) continue;
    const rank = [match.quality, match.specificity, -match.at, -position];
    if (best === undefined || compareRanks(rank, best.rank) > 0) best = { format, rank };
  }
  if (best === undefined) throw notAcceptable();
  return best.format;
}

interface MediaRange {
  readonly type: string;
  readonly quality: number;
  readonly at: number;
}

function parseMediaRange(text: string, at: number): MediaRange {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  const value = quality === undefined ? 1 : Number(quality);
  return { type, quality: value >= 0 && value <= 1 ? value : 0, at };
}

function mostSpecific(ranges: readonly MediaRange[], type: string): (MediaRange & { specificity: number }) | undefined {
  const patterns = ['*/*', `${type.slice(0, type.indexOf('/'))}/*`, type];
  return ranges
    .map((range) => ({ ...range, specificity: patterns.indexOf(range.type) }))
    .filter((range) => range.specificity >= 0)
    .sort((one, other) => other.specificity - one.specificity)[0];
}

function compareRanks(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at === -1 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}

const notAcceptable = (): ServerError =>
  new ServerError(406, codes.notAcceptable, 'None of the accepted media types is served.', {
    hint: `Served are ${formats
      .slice(0, 3)
      .map(([type]) => type)
      .join(', ')}.`,
  });
