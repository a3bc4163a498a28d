/** A text, or its bytes in UTF-8, as a whole or in parts that follow each other. */
export type Text = string | Buffer | readonly (string | Buffer)[];

/** Texts one after the other: bytes, where one of them is bytes. */
export function joined(...texts: readonly Text[]): string | Buffer {
  const parts = texts.flat();
  let text = '';
  for (const part of parts) {
    if (typeof part !== 'string') return Buffer.concat(parts.map(bytesOf));
    text += part;
  }
  return text;
}

const bytesOf = (part: string | Buffer): Buffer => (typeof part === 'string' ? Buffer.from(part) : part);
