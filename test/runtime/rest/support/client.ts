import { request, type IncomingHttpHeaders } from 'node:http';

/** A complete answer. */
export interface Reply {
  readonly status: number;
  readonly phrase?: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Client {
  /** Sends the path unchanged: nothing encodes it. */
  send(method: string, path: string, headers?: Readonly<Record<string, string>>, body?: string): Promise<Reply>;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  /** The `data` of a list, whose status must be 200 or 206. */
  rows(path: string, headers?: Readonly<Record<string, string>>): Promise<Row[]>;
  /** The `id`s of a list, in order. */
  ids(path: string, headers?: Readonly<Record<string, string>>): Promise<unknown[]>;
}

export type Row = Record<string, unknown>;

export interface Envelope {
  readonly data: Row[];
  readonly pagination: { readonly limit: number; readonly offset: number; readonly total: number | null };
}

export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly details: string | null;
  readonly hint: string | null;
}

export const envelopeOf = (reply: Reply): Envelope => JSON.parse(reply.text) as Envelope;
export const errorOf = (reply: Reply): ErrorBody => JSON.parse(reply.text) as ErrorBody;

export function createClient(base: string): Client {
  const { hostname, port } = new URL(base);
  const send: Client['send'] = (method, path, headers = {}, body) =>
    new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
      const options = { hostname, port, method, path, headers: { ...headers, ...length }, agent: false };
      const outgoing = request(options, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({
            status: incoming.statusCode ?? 0,
            phrase: incoming.statusMessage,
            headers: incoming.headers,
            text,
          });
        });
        incoming.on('error', reject);
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  const get: Client['get'] = (path, headers) => send('GET', path, headers);
  const rows: Client['rows'] = async (path, headers) => {
    const reply = await get(path, headers);
    if (reply.status !== 200 && reply.status !== 206) throw new Error(`${path} → ${reply.status} ${reply.text}`);
    return envelopeOf(reply).data;
  };
  return { send, get, rows, ids: async (path, headers) => (await rows(path, headers)).map((row) => row['id']) };
}

/** An encoded query string: of `{ 'title': 'like.*a' }`, or of pairs when a name occurs twice. */
export const query = (
  parameters: Readonly<Record<string, string>> | readonly (readonly [string, string])[],
): string => {
  const pairs = Array.isArray(parameters) ? (parameters as [string, string][]) : Object.entries(parameters);
  return new URLSearchParams(pairs).toString();
};
