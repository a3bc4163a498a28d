/** Texts one after the other: bytes, where one of them is bytes. */
export function joined(...parts: readonly (string | Buffer)[]): string | Buffer {
  let text = '';
  for (const part of parts) {
    if (typeof part !== 'string') return Buffer.concat(parts.map(bytesOf));
    text += part;
  }
  return text;
}

const bytesOf = (part: string | Buffer): Buffer => (typeof part === 'string' ? Buffer.from(part) : part);
