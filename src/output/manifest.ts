import { createHash } from 'node:crypto';
import { compareCodePoints } from './order.js';

export const manifestPath = 'manifest.json';

/** Which files are ours, and the hashes each may have on disk and still be as we wrote it. */
export type KnownFiles = ReadonlyMap<string, ReadonlySet<string>>;

/** A checkout with CRLF line ends is not an edit: every comparison is made on LF text. */
export const withLineFeeds = (text: string): string => text.replaceAll('\r\n', '\n');

/** Whether two texts differ in no more than their line ends. */
export const isSameText = (a: string, b: string): boolean => a === b || withLineFeeds(a) === withLineFeeds(b);

/** SHA-256 of a file's text, in hexadecimal, the same for CRLF and LF. */
export const hashText = (text: string): string => createHash('sha256').update(withLineFeeds(text)).digest('hex');

/** The text of manifest.json: the only generated file that names a version. One file a line, by code point. */
export function renderManifest(files: ReadonlyMap<string, string>, version: string): string {
  const lines = [...files]
    .sort(([a], [b]) => compareCodePoints(a, b))
    .map(([path, text]) => `    ${JSON.stringify(path)}: "${hashText(text)}"`);
  return `{\n  "generator": ${JSON.stringify(`tablewright ${version}`)},\n  "files": {\n${lines.join(',\n')}\n  }\n}\n`;
}

/** Whether a manifest.json is one of ours, and not for instance a web app's. */
export const isManifest = (text: string): boolean => text.includes('"generator": "tablewright ');

const fileLine = /^ *("(?:[^"\\]|\\.)*"): "([0-9a-f]{64})",?$/gm;

/**
 * Reads manifest.json line by line, so that one with merge conflict markers still tells which files are ours: a file
 * listed by both sides may have either hash.
 */
export function readManifest(text: string): KnownFiles {
  const known = new Map<string, Set<string>>();
  for (const [, quoted = '""', hash = ''] of withLineFeeds(text).matchAll(fileLine)) {
    const path = parseQuoted(quoted);
    if (path === undefined || !isInside(path)) continue;
    known.set(path, (known.get(path) ?? new Set<string>()).add(hash));
  }
  return known;
}

/**
 * Whether a relative path stays inside the folder it is relative to. A manifest is a file anyone can edit: it must not
 * make us delete something elsewhere.
 */
export function isInside(path: string): boolean {
  const parts = path.split('/');
  return !path.includes('\\') && parts.every((part) => part !== '' && part !== '.' && part !== '..');
}

function parseQuoted(quoted: string): string | undefined {
  try {
    const value: unknown = JSON.parse(quoted);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
