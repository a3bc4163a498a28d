import { readFile } from 'node:fs/promises';

/**
 * Reads the generated openapi.json at the first request. After a failure, the next request reads it
 * again.
 * @param make its bytes for a project without the file; undefined where they cannot be made
 */
export function createOpenapiReader(file: URL, make: () => Promise<Buffer | undefined>): () => Promise<Buffer> {
  let bytes: Promise<Buffer> | undefined;
  const read = async (): Promise<Buffer> => {
    try {
      return await readFile(file);
    } catch (error) {
      const made = await make();
      if (made !== undefined) return made;
      throw error;
    }
  };
  return () => {
    bytes ??= read().catch((error: unknown) => {
      bytes = undefined;
      throw error;
    });
    return bytes;
  };
}
