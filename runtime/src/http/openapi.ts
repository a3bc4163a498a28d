import { readFile } from 'node:fs/promises';

/** Reads the generated openapi.json when it is first asked for; a failure is not remembered. */
export function createOpenapiReader(file: URL): () => Promise<Buffer> {
  let bytes: Promise<Buffer> | undefined;
  return () => {
    bytes ??= readFile(file).catch((error: unknown) => {
      bytes = undefined;
      throw error;
    });
    return bytes;
  };
}
