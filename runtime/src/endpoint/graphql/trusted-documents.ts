import { isRecord } from '../../is-record.js';
import { readFileSync } from 'node:fs';
import { misconfigured as settingMistake, type ServerError } from '../../errors.js';

/**
 * The documents of a manifest by their identifiers. Forms: `{"<hash>": "<document>"}`, as the
 * client preset of GraphQL Code Generator and Relay write it, and Apollo's `{"format":
 * "apollo-persisted-query-manifest", "operations": [{"id", "body"}]}`. Throws ServerError
 * `misconfigured`.
 */
export function readTrusted(path: string): ReadonlyMap<string, string> {
  const manifest = parse(path);
  const entries = isRecord(manifest) ? entriesOf(manifest) : undefined;
  const isWhole = entries?.every((entry): entry is [string, string] => entry.every((each) => typeof each === 'string'));
  if (entries === undefined || isWhole !== true) throw misconfigured(`${path} is not a manifest of GraphQL documents.`);
  if (entries.length === 0) throw misconfigured(`${path} has no documents.`);
  return new Map(entries as [string, string][]);
}

function entriesOf(manifest: Readonly<Record<string, unknown>>): readonly (readonly unknown[])[] | undefined {
  if (manifest['format'] === undefined) return Object.entries(manifest);
  const operations = manifest['operations'];
  if (manifest['format'] !== 'apollo-persisted-query-manifest' || !Array.isArray(operations)) return undefined;
  return operations.map((each: unknown) => (isRecord(each) ? [each['id'], each['body']] : [undefined]));
}

function parse(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw misconfigured(`${path} cannot be read.`, cause);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw misconfigured(`${path} is not JSON.`, cause);
  }
}

const misconfigured = (message: string, cause?: unknown): ServerError => settingMistake(message, hint, cause);

const hint =
  'app.graphql.documents=trusted answers the documents of app.graphql.documents-file alone: {"<sha256>": "<document>"}, or the manifest of Apollo’s generator.';
