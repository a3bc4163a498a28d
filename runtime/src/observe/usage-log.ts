import { createHash } from 'node:crypto';
import { createWriteStream, type WriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Observer } from './observation.js';

/** Takes one line for each kind of request. */
export interface UsageLog {
  readonly add: (entry: UsageEntry) => void;
  readonly close: () => Promise<void>;
}

/** A kind of request: names, and no values. `tablewright diff --api --documents` reads it. */
export type UsageEntry =
  | { readonly graphql: string }
  | {
      readonly rest: {
        readonly method: string;
        /** `schema.name` */
        readonly table: string;
        /** Columns, computed fields and relations, by table. */
        readonly uses: Readonly<Record<string, readonly string[]>>;
      };
    };

/**
 * Clients decide how many kinds of requests there are: the number of lines and the length of each
 * are limited.
 */
const maxLines = 10_000;
const maxLineLength = 65_536;

/**
 * Opens a log that appends to a file. A line that the file already contains is not added again,
 * even after a restart. If the file cannot be written, the server warns once and continues.
 */
export async function openUsageLog(path: string, observe: Observer): Promise<UsageLog> {
  const known = new Set<string>();
  const text = await readFile(path, 'utf8').catch(() => '');
  for (const line of text.split('\n')) if (line !== '') known.add(hashOf(line));
  let stream: WriteStream | undefined;
  let failed = false;
  const open = (): WriteStream => {
    const opened = createWriteStream(path, { flags: 'a', mode: 0o600 });
    opened.on('error', (error) => {
      if (!failed) observe({ kind: 'warning', message: `The usage log cannot be written: ${error.message}.`, hint });
      failed = true;
    });
    // The last line may be half a line: the server was ended while it wrote.
    if (text !== '' && !text.endsWith('\n')) opened.write('\n');
    return opened;
  };
  return {
    add: (entry) => {
      if (failed || known.size >= maxLines) return;
      const line = JSON.stringify(entry);
      if (line.length > maxLineLength) return;
      const hash = hashOf(line);
      if (known.has(hash)) return;
      known.add(hash);
      stream ??= open();
      stream.write(`${line}\n`);
    },
    close: () =>
      new Promise((resolve) => {
        if (stream === undefined || stream.destroyed) resolve();
        else {
          stream.once('close', resolve);
          stream.end();
        }
      }),
  };
}

const hint = 'Set app.usage.log to a file in a folder that the server may write, or leave it out.';

const hashOf = (line: string): string => createHash('sha256').update(line).digest('base64');
