import type { IncomingHttpHeaders } from 'node:http';
import { ServerError, codes } from '../../errors.js';
import { nearest } from '../../nearest.js';
import { quoteName } from './malformed.js';

/** Methods that read, and so are routed by `Accept-Profile`; the others by `Content-Profile`. Contract 4.1. */
const reading = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * The schema a request is for. With one schema served the header may be left out; with several it has to be there.
 * Throws ServerError 404 when it is missing or names a schema that is not served.
 * Source: contract 4.1, "Schema routing headers"; decisions 6.
 */
export function schemaOf(method: string, headers: IncomingHttpHeaders, served: readonly string[]): string {
  const name = reading.has(method) ? 'Accept-Profile' : 'Content-Profile';
  const header = headers[name.toLowerCase()];
  if (typeof header !== 'string') {
    const [only] = served;
    if (served.length === 1 && only !== undefined) return only;
    throw new ServerError(404, codes.missingProfile, `The header ${name} is missing.`, {
      hint: `Several schemas are served: name one of ${served.join(', ')}.`,
    });
  }
  const found = readings(header).find((reading) => served.includes(reading));
  if (found !== undefined) return found;
  const near = nearest(header, served);
  throw new ServerError(404, codes.missingProfile, `No schema ${quoteName(header)} is served.`, {
    hint: near === undefined ? `Served are ${served.join(', ')}.` : `Did you mean \`${near}\`?`,
  });
}

/** A header is Latin-1 on the wire: a name beyond it arrives as UTF-8 bytes or percent-encoded. */
function readings(header: string): readonly string[] {
  return [header, Buffer.from(header, 'latin1').toString('utf8'), decoded(header)];
}

function decoded(header: string): string {
  try {
    return decodeURIComponent(header);
  } catch {
    return header;
  }
}
