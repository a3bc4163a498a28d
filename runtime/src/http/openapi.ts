import { readFile } from 'node:fs/promises';

/**
 * Reads the generated openapi.json at the first request. After a failure, the next request reads it
 * again.
 */
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
