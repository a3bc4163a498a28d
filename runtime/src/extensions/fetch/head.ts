/** The head of an answer as Node.js writes it. */
export interface Head {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  /** Bytes of the body, where the answer says so. */
  readonly length: number | undefined;
  /** Bytes of the head. */
  readonly size: number;
}

/** Headers about a connection, which a `Response` does not have. Source: RFC 9110, 7.6.1. */
const ofConnection: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding']);

/**
 * Reads the head of an answer, once all of it is there; interim answers (1xx) are passed over.
 * Source: RFC 9112, 2.1, 4, 5.
 */
export function readHead(bytes: Buffer, from = 0): Head | undefined {
  const end = bytes.indexOf('\r\n\r\n', from);
  if (end === -1) return undefined;
  const [first = '', ...lines] = bytes.toString('latin1', from, end).split('\r\n');
  const status = Number(first.slice(9, 12));
  const size = end + 4;
  if (status < 200) return readHead(bytes, size);
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    if (!ofConnection.has(name)) headers.append(name, line.slice(colon + 1).trim());
  }
  const length = headers.get('content-length');
  return { status, statusText: first.slice(13), headers, length: length === null ? undefined : Number(length), size };
}
