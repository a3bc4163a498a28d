/** A message of a client: its type, the text of its content, and all its bytes. */
export interface FrontendMessage {
  /** Empty for the first messages of a connection, which have no type. */
  readonly type: string;
  readonly body: Buffer;
  readonly bytes: Buffer;
}

/** A message of a server. Source: PostgreSQL manual, "Message Formats". */
export function backendMessage(type: string, body: Buffer | string): Buffer {
  const content = Buffer.from(body);
  const length = Buffer.alloc(4);
  length.writeInt32BE(content.length + 4);
  return Buffer.concat([Buffer.from(type), length, content]);
}

/** ErrorResponse. */
export const errorResponse = (severity: 'ERROR' | 'FATAL', code: string, reason: string): Buffer =>
  backendMessage('E', `S${severity}\0V${severity}\0C${code}\0M${reason}\0\0`);

/** Cuts the bytes of a client into messages, however the network cuts them. */
export class FrontendMessages {
  #rest = Buffer.alloc(0);

  /** @param typed whether messages have a type: not before the session has begun */
  next(chunk: Buffer, typed: boolean): readonly FrontendMessage[] {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    const head = typed ? 1 : 0;
    const found: FrontendMessage[] = [];
    while (this.#rest.length >= head + 4) {
      const end = head + this.#rest.readInt32BE(head);
      if (this.#rest.length < end) break;
      const bytes = this.#rest.subarray(0, end);
      this.#rest = this.#rest.subarray(end);
      found.push({ type: bytes.toString('latin1', 0, head), body: bytes.subarray(head + 4), bytes });
    }
    return found;
  }
}
