import { ServerError, codes } from '../../../errors.js';
import { limits } from './limits.js';
import { limitExceeded, malformedParameter } from './malformed.js';
import { ownGrammar, type RestGrammar } from './rest-grammar.js';

/** A decoded parameter of the query string. */
export interface Parameter {
  readonly name: string;
  readonly value: string;
}

/**
 * The parameters of a raw query string, in their order, with repetitions. `+` is a space and `%XX`
 * a byte of UTF-8, as forms and URLSearchParams write them. Throws ServerError 400 for a malformed
 * encoding, NUL, or too many parameters. Source: decision 006; WHATWG URL,
 * application/x-www-form-urlencoded.
 *
 * @accepts `` `a=b` `a=b&a=c` `a=b=c` `a=%D9%85` `a=b+c` `a=` `&&a=b&`
 * @rejects `a=%` `a=%4` `a=%zz` `a=%ff` `%ff=a` `a=%00` `a` `=a`
 */
export function parseParameters(query: string, grammar: RestGrammar = ownGrammar): Parameter[] {
  if (query === '') return [];
  const parameters: Parameter[] = [];
  for (const part of query.split('&', limits.parameters + 2)) {
    if (part === '' || (grammar.unreadable === 'ignored' && !part.includes('='))) continue;
    if (parameters.length === limits.parameters) {
      throw limitExceeded(`The URL has more than ${String(limits.parameters)} parameters.`);
    }
    parameters.push(parseParameter(part));
  }
  return parameters;
}

function parseParameter(part: string): Parameter {
  const equals = part.indexOf('=');
  if (equals === -1) {
    throw malformedParameter(decodeOr(part), 'it has no value.', 'Write name=value, as in id=eq.1 or limit=10.');
  }
  if (equals === 0) throw new ServerError(400, codes.malformedParameter, 'A parameter of the URL has no name.');
  const name = decode(part.slice(0, equals), part);
  return { name, value: decode(part.slice(equals + 1), name) };
}

/**
 * @param spot the place that an error names: the parameter, or the raw text if its name is
 * malformed
 */
function decode(raw: string, spot: string): string {
  if (!raw.includes('%')) return raw.includes('+') ? raw.replaceAll('+', ' ') : raw;
  try {
    const text = decodeURIComponent(raw.includes('+') ? raw.replaceAll('+', ' ') : raw);
    if (!text.includes('\0')) return text;
  } catch {
    throw malformedParameter(
      spot,
      'its percent-encoding is malformed.',
      'Write % itself as %25, and other bytes as UTF-8.',
    );
  }
  throw malformedParameter(spot, 'it has the character NUL (%00), which no text of the database can hold.');
}

function decodeOr(raw: string): string {
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
}
