import { ServerError, codes } from '../../../errors.js';
import { limitExceeded } from './malformed.js';

/**
 * The parts of a request target. `segments` are the decoded segments of the path; `query` is raw.
 */
export interface Target {
  readonly segments: readonly string[];
  readonly query: string;
}

const reserved = /[{}[\]^]/;

/**
 * Splits the raw target of a request, before decoding. Throws ServerError 400 for raw `{ } [ ] ^`,
 * for a target longer than `maximum`, and for a malformed encoding of the path. Source: decision
 * 006.
 *
 * @accepts `/` `/api/v1/issues` `/api/v1/issues?a=eq.1` `/api/v1/issues/7` `/api/v1/a%2Fb` `/?`
 * @rejects `/api/v1/issues?a=cs.{b}` `/api/v1/a[0]` `/?a=^` `/%` `/%ff` `/%00`
 * @param allowsReserved whether the raw characters are allowed
 */
export function parseTarget(raw: string, maximum: number, allowsReserved = false): Target {
  const found = allowsReserved ? null : reserved.exec(raw);
  if (found !== null) {
    throw new ServerError(
      400,
      codes.malformedParameter,
      `The URL has a raw \`${found[0]}\` at character ${String(found.index + 1)}.`,
      {
        hint: `Write it percent-encoded, as %${found[0].charCodeAt(0).toString(16).toUpperCase()}.`,
      },
    );
  }
  if (raw.length > maximum) {
    throw limitExceeded(`The URL is ${String(raw.length)} bytes long, more than the ${String(maximum)} that are read.`);
  }
  const mark = raw.indexOf('?');
  const path = mark === -1 ? raw : raw.slice(0, mark);
  return { segments: path.split('/').slice(1).map(decodeSegment), query: mark === -1 ? '' : raw.slice(mark + 1) };
}

function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    const text = decodeURIComponent(segment);
    if (!text.includes('\0')) return text;
  } catch {
    throw new ServerError(400, codes.malformedParameter, 'The percent-encoding of the path is malformed.', {
      hint: 'Write % itself as %25, and other bytes as UTF-8.',
    });
  }
  throw new ServerError(
    400,
    codes.malformedParameter,
    'The path has the character NUL (%00), which no name or key holds.',
  );
}
