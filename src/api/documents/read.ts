import { readFile } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import type { DocumentNode } from 'graphql';
import { glob } from 'tinyglobby';
import { TablewrightError } from '../../errors.js';
import { documentsOfManifest } from './manifest.js';
import { parseText } from './parse.js';
import type { Recorded, RestUse } from './recorded.js';
import { readUsageLog } from './usage-log.js';

/** A file that a pattern has found. `path` is relative to the folder, with slashes. */
export interface FoundFile {
  readonly path: string;
  readonly absolute: string;
  readonly text: string;
}

/**
 * Reads the files of the patterns, in order of their paths.
 * @throws TablewrightError USAGE when a pattern finds nothing: a mistyped one would say that
 * nothing breaks
 */
export async function findFiles(folder: string, patterns: readonly string[]): Promise<readonly FoundFile[]> {
  const found = new Set<string>();
  for (const pattern of patterns) {
    const paths = await glob(pattern.split(sep).join('/'), {
      cwd: folder,
      absolute: true,
      ignore: ['**/node_modules/**', '**/src/generated/**'],
      expandDirectories: false,
    });
    if (paths.length === 0) {
      throw new TablewrightError(
        'USAGE',
        `No file is called ${pattern}.`,
        'Patterns are relative to the current folder: quote them, so that the shell leaves them as they are.',
      );
    }
    for (const path of paths) found.add(resolve(path));
  }
  return Promise.all(
    [...found].sort().map(async (absolute) => ({
      absolute,
      path: relative(folder, absolute).split(sep).join('/'),
      text: await readFile(absolute, 'utf8'),
    })),
  );
}

/**
 * Reads requests from files, by the ends of their names: GraphQL documents, scripts with GraphQL in
 * templates, manifests of persisted operations, usage logs of the server.
 */
export async function readRecorded(files: readonly FoundFile[]): Promise<Recorded> {
  const documents: DocumentNode[] = [];
  const rest: RestUse[] = [];
  for (const { path, text } of files) {
    if (/\.(graphqls?|gql)$/.test(path)) {
      if (hasDefinitions(text)) documents.push(parseText(text, path));
    } else if (path.endsWith('.json')) documents.push(...documentsOfManifest(path, text));
    else if (isScript(path)) {
      // TypeScript takes a moment to load.
      const { documentsOfScript } = await import('./script.js');
      documents.push(...documentsOfScript(path, text));
    } else {
      const log = readUsageLog(path, text);
      documents.push(...log.documents);
      rest.push(...log.rest);
    }
  }
  return { documents, rest };
}

export const isScript = (path: string): boolean => /\.[cm]?[jt]sx?$/.test(path);

const hasDefinitions = (text: string): boolean => text.replace(/#.*/g, '').trim() !== '';
