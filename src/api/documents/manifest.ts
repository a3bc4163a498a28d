import type { DocumentNode } from 'graphql';
import { z } from 'zod';
import { lineAt, parseText, unreadable } from './parse.js';

const apollo = z.object({ operations: z.array(z.object({ body: z.string() })) });
const byHash = z.record(z.string(), z.string());

/**
 * The operations of a manifest of persisted operations: Apollo's (`operations` with a `body` each),
 * or an object from hash to text, as Relay and GraphQL Code Generator write it. Every operation has
 * the line of its text in the manifest.
 */
export function documentsOfManifest(file: string, text: string): readonly DocumentNode[] {
  const bodies = bodiesOf(file, text);
  let from = 0;
  return bodies.map((body) => {
    const at = text.indexOf(JSON.stringify(body), from);
    if (at !== -1) from = at + 1;
    // In JSON, the text is one line, even if the document has several.
    return parseText(body.replace(/\r?\n/g, ' '), file, lineAt(text, Math.max(at, 0)));
  });
}

function bodiesOf(file: string, text: string): readonly string[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw unreadable(`${file} is not JSON.`, cause);
  }
  const operations = apollo.safeParse(json);
  if (operations.success) return operations.data.operations.map(({ body }) => body);
  const hashes = byHash.safeParse(json);
  if (hashes.success) return Object.values(hashes.data);
  throw unreadable(`${file} is not a manifest of persisted operations, in Apollo's form or from hash to text.`);
}
