import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Settings } from '../settings.js';
import { send, type Answer } from './answer.js';
import { compress, preferredCoding, type Coding } from './content-coding.js';
import { entityTag, isNamed, notModified } from './entity-tag.js';

/**
 * Sends an answer in the form that its client asked for: tagged where it is a read, not at all where the client has it already, compressed
 * where it is long enough and the client can read that. A promise only when it has to wait; it rejects with zlib's error.
 */
export type Deliver = (
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  /** Headers that other answers have too, and this one has not itself. */
  common: OutgoingHttpHeaders,
) => Promise<void> | undefined;

export type DeliverySettings = Pick<
  Settings,
  'app.compression.enabled' | 'app.compression.threshold-bytes' | 'app.rest.etag'
>;

/** Source: RFC 9110, 8.4, 8.8.3, 12.5.3, 13.1.2. */
export function createDeliver(settings: DeliverySettings): Deliver {
  const threshold = settings['app.compression.enabled'] ? settings['app.compression.threshold-bytes'] : Infinity;
  const tagging = settings['app.rest.etag'];

  return (request, response, answer, common) => {
    const { method, headers } = request;
    const head = method === 'HEAD';
    const coding = codingOf(answer, headers['accept-encoding'], threshold);
    const form = tagging && answer.tagged === true ? { etag: entityTag(answer, coding) } : undefined;
    if (form !== undefined && isNamed(form.etag, headers['if-none-match'])) {
      send(response, notModified(answer), head, common, form);
      return undefined;
    }
    if (coding !== undefined) return compressAndSend(response, answer, coding, head, common, form);
    send(response, answer, head, common, form);
    return undefined;
  };
}

function codingOf({ body }: Answer, acceptEncoding: string | undefined, threshold: number): Coding | undefined {
  if (body === undefined || acceptEncoding === undefined || threshold === Infinity) return undefined;
  return Buffer.byteLength(body) < threshold ? undefined : preferredCoding(acceptEncoding);
}

/** HEAD is compressed too: its headers are those that GET would have, the length among them. */
async function compressAndSend(
  response: ServerResponse,
  { status, headers, body = '' }: Answer,
  coding: Coding,
  head: boolean,
  common: OutgoingHttpHeaders,
  form: OutgoingHttpHeaders | undefined,
): Promise<void> {
  const compressed = await compress(typeof body === 'string' ? Buffer.from(body) : body, coding);
  send(response, { status, headers, body: compressed }, head, common, { ...form, 'content-encoding': coding });
}

/** `Vary` of what may be compressed. */
export const varyByCoding = (settings: DeliverySettings): readonly string[] =>
  settings['app.compression.enabled'] ? ['Accept-Encoding'] : [];
