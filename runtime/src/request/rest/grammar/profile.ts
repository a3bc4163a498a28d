import type { IncomingHttpHeaders } from 'node:http';
import { ServerError, codes } from '../../../errors.js';
import { nearest } from '../../../nearest.js';
import { quoteName } from './malformed.js';

/** Methods that read use `Accept-Profile`, the others `Content-Profile`. Source: decision 006. */
const reading = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * The schema of a request. The header is optional if the server serves one schema, which `public`
 * names then, too, and required if it serves several. Throws ServerError 404 if the header is
 * missing or names a schema that is not served. Source: decision 006.
 */
export function schemaOf(method: string, headers: IncomingHttpHeaders, served: readonly string[]): string {
  const name = reading.has(method) ? 'Accept-Profile' : 'Content-Profile';
  const header = headers[name.toLowerCase()];
  const only = served.length === 1 ? served[0] : undefined;
  // supabase-js names `public` where its user has named no schema.
  if (header === 'public' && only !== undefined) return only;
  if (typeof header !== 'string') {
    if (only !== undefined) return only;
    throw new ServerError(404, codes.missingProfile, `The header ${name} is missing.`, {
      hint: `Several schemas are served: name one of ${served.join(', ')}.`,
    });
  }
  const found = readings(header).find((reading) => served.includes(reading));
  if (found !== undefined) return found;
  const near = nearest(header, served);
  throw new ServerError(404, codes.missingProfile, `No schema ${quoteName(header)} is served.`, {
    hint: near === undefined ? `Supported: ${served.join(', ')}.` : `Did you mean \`${near}\`?`,
    reason: { kind: 'unknownSchema', name: header, served },
  });
}

/**
 * Possible meanings of a header. Headers are Latin-1; a client sends a name with other characters
 * as bytes of UTF-8, or percent-encoded.
 */
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
