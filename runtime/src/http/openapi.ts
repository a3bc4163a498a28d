import { readFile } from 'node:fs/promises';

/** Reads the generated openapi.json when it is first asked for; a failure is not remembered. */
export function createOpenapiReader(file: URL): () => Promise<string> {
  let text: Promise<string> | undefined;
  return () => {
    text ??= readFile(file, 'utf8').catch((error: unknown) => {
      text = undefined;
      throw error;
    });
    return text;
  };
}
