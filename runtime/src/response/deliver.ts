import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Settings } from '../settings/settings.js';
import { send, type Answer } from './answer.js';
import type { PendingBytes } from './pending-bytes.js';
import { compress, preferredCoding, type Coding } from './content-coding.js';
import { entityTag, isNamed, notModified } from './entity-tag.js';
import { answerTooLong } from '../dialect/answer-too-long.js';

/**
 * Sends an answer in the form that its client asked for: tagged where it is a read, not at all
 * where the client has it already, compressed where it is long enough and the client can read that.
 * A promise only when it has to wait; it rejects with zlib's error. Throws ServerError 413 and 503
 * where a read has found too much: nothing is sent then.
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
  'app.compression.enabled' | 'app.compression.threshold-bytes' | 'app.rest.etag' | 'app.limits.response-bytes'
>;

/**
 * Longer texts are made bytes at once: tagged, compressed, counted and sent as text, each would
 * make bytes of its own of it.
 */
const LONG = 65_536;

/** Largest number of bytes of UTF-8 for one character of a JavaScript string. */
const BYTES_PER_CHARACTER = 3;

/** Source: RFC 9110, 8.4, 8.8.3, 12.5.3, 13.1.2. */
export function createDeliver(settings: DeliverySettings, pendingBytes: PendingBytes): Deliver {
  const threshold = settings['app.compression.enabled'] ? settings['app.compression.threshold-bytes'] : Infinity;
  const tagging = settings['app.rest.etag'];

  const mostBytes = settings['app.limits.response-bytes'];
  const isShort = Math.min(LONG, mostBytes / BYTES_PER_CHARACTER);
  /** The answer as bytes, if its length is within the limit. */
  const bounded = (answer: Answer, text: string | Buffer, head: boolean): Answer => {
    const body = typeof text === 'string' ? Buffer.from(text) : text;
    if (answer.tagged === true || answer.refusable === true) {
      if (body.length > mostBytes) throw answerTooLong(mostBytes);
      if (!head) pendingBytes.check(body.length);
    }
    return { ...answer, body };
  };

  return (request, response, given, common) => {
    const { method, headers } = request;
    const head = method === 'HEAD';
    const { body, compressed } = given;
    const isLong = body !== undefined && compressed === undefined && body.length > isShort;
    const answer = isLong ? bounded(given, body, head) : given;
    const coding = codingOf(answer, headers['accept-encoding'], threshold);
    const form = tagging && answer.tagged === true ? { etag: entityTag(answer, coding) } : undefined;
    if (form !== undefined && isNamed(form.etag, headers['if-none-match'])) {
      send(response, notModified(answer), head, common, form);
      return undefined;
    }
    if (coding !== undefined) return compressAndSend(response, answer, coding, head, common, form, pendingBytes);
    send(response, answer, head, common, form);
    pendingBytes.add(response);
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
  { body = '', compressed: kept, ...answer }: Answer,
  coding: Coding,
  head: boolean,
  common: OutgoingHttpHeaders,
  form: OutgoingHttpHeaders | undefined,
  pendingBytes: PendingBytes,
): Promise<void> {
  const compressed = await (kept?.(coding) ?? compress(typeof body === 'string' ? Buffer.from(body) : body, coding));
  send(response, { ...answer, body: compressed }, head, common, { ...form, 'content-encoding': coding });
  pendingBytes.add(response);
}

/** `Vary` of answers that may be compressed. */
export const varyByCoding = (settings: DeliverySettings): readonly string[] =>
  settings['app.compression.enabled'] ? ['Accept-Encoding'] : [];
