import { request, type IncomingHttpHeaders } from 'node:http';

/** An answer as it was sent, without decoding. */
export interface RawReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

export interface RawRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** Sends exactly these headers, without headers that fetch would add, such as `Accept-Encoding`. */
export function sendRaw(url: string, { method = 'GET', headers = {}, body }: RawRequest = {}): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const outgoing = request(url, { method, headers: { ...headers, ...length }, agent: false }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, bytes: Buffer.concat(chunks) });
      });
      incoming.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** The names in a header such as `Vary` or `Access-Control-Expose-Headers`, in lower case. */
export const listed = (header: string | undefined): readonly string[] =>
  (header ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
