import type { DocumentNode } from 'graphql';
import { z } from 'zod';
import { parseText, unreadable } from './parse.js';
import type { RestUse } from './recorded.js';
import { parseJson } from '../../json.js';

const names = z.record(z.string(), z.array(z.string()));
const line = z.union([
  z.object({ graphql: z.string() }),
  z.object({ rest: z.object({ method: z.string(), table: z.string(), uses: names }) }),
]);

/**
 * The lines of a usage log: the server writes one line of JSON for each kind of request
 * (`app.usage.log`).
 */
export function readUsageLog(
  file: string,
  text: string,
): { readonly documents: readonly DocumentNode[]; readonly rest: readonly RestUse[] } {
  const documents: DocumentNode[] = [];
  const rest: RestUse[] = [];
  text.split('\n').forEach((each, at) => {
    if (each.trim() === '') return;
    const entry = line.safeParse(parseJson(each));
    // A server that is ended while it writes leaves half a line.
    if (!entry.success && /^\{"(graphql|rest)/.test(each)) return;
    if (!entry.success) throw unreadable(`${file}:${String(at + 1)} is not a line of a usage log.`, entry.error);
    if ('graphql' in entry.data) {
      documents.push(parseText(entry.data.graphql.replace(/\r?\n/g, ' '), file, at + 1));
      return;
    }
    const { method, table, uses } = entry.data.rest;
    const used = Object.entries(uses).flatMap(([owner, members]) => members.map((name) => ({ table: owner, name })));
    rest.push({ file, line: at + 1, method, table, uses: used });
  });
  return { documents, rest };
}
