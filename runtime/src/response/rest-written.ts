import { restPath } from '../descriptor/naming.js';
import type { OutgoingHttpHeaders } from 'node:http';
import { restNameOf, type Table } from '../descriptor/registry.js';
import type { RawRow } from '../plan/statement.js';

/** The applied preferences of a write, as its answer lists them. */
export interface WritePreferences {
  readonly count: string;
  readonly handling?: string;
  readonly return?: string;
  readonly isReturnImplied?: true;
  readonly resolution?: string;
  readonly missing?: string;
  readonly tx?: string;
  readonly maxAffected?: number | undefined;
}

/** Every preference that was given and honoured. Source: RFC 7240, 3; decision 006. */
export function appliedToWrite(preferences: WritePreferences): OutgoingHttpHeaders {
  const applied = appliedPreferences(preferences.count === 'none' ? preferences : { ...preferences, count: 'exact' });
  return applied.length === 0 ? {} : { 'preference-applied': applied.join(', ') };
}

export function appliedPreferences(preferences: WritePreferences): readonly string[] {
  const { count, handling, resolution, missing, tx, maxAffected } = preferences;
  const applied: string[] = [];
  if (preferences.return !== undefined && preferences.isReturnImplied !== true)
    applied.push(`return=${preferences.return}`);
  if (resolution !== undefined) applied.push(`resolution=${resolution}`);
  if (missing !== undefined) applied.push(`missing=${missing}`);
  if (tx !== undefined) applied.push(`tx=${tx}`);
  if (count !== 'none') applied.push(`count=${count}`);
  if (handling !== undefined) applied.push(`handling=${handling}`);
  if (maxAffected !== undefined) applied.push(`max-affected=${String(maxAffected)}`);
  return applied;
}

/**
 * Longer ones are not sent: clients and proxies refuse answers whose headers have more than some 8
 * or 16 kB. Node.js: https://nodejs.org/api/cli.html#--max-http-header-sizesize
 */
const maxLocationLength = 4096;

/** An address in a header, unless it is too long for one. */
export const addressed = (header: 'location' | 'content-location', address: string): OutgoingHttpHeaders =>
  address.length > maxLocationLength ? {} : { [header]: address };

/**
 * Where the written rows are: one row by its path (a composite key by its filters), several as the
 * collection with their keys. Nothing for a table without a key, or where there are too many to
 * name. Source: decision 006.
 */
export function locationOf(table: Table, keys: readonly RawRow[] | undefined): OutgoingHttpHeaders {
  const columns = (table.primaryKey?.columns ?? []).map((name) => restNameOf(table, name));
  const [first, ...more] = keys ?? [];
  if (first === undefined || columns.length === 0) return {};
  const path = `${restPath}/${encodeURIComponent(table.name)}`;
  const location = more.length === 0 ? oneRow(path, columns, first) : severalRows(path, columns, keys ?? []);
  return addressed('location', location);
}

const oneRow = (path: string, columns: readonly string[], key: RawRow): string =>
  columns.length === 1
    ? `${path}/${encodeURIComponent(key[0] ?? '')}`
    : `${path}?${columns.map((name, at) => `${encode(name)}=eq.${encode(key[at] ?? '')}`).join('&')}`;

function severalRows(path: string, columns: readonly string[], keys: readonly RawRow[]): string {
  const [column] = columns;
  if (columns.length === 1 && column !== undefined) {
    return `${path}?${encode(column)}=in.(${keys.map((key) => encode(element(key[0] ?? ''))).join(',')})`;
  }
  const rows = keys.map(
    (key) =>
      `and(${columns.map((name, at) => `${encode(element(name))}.eq.${encode(element(key[at] ?? ''))}`).join(',')})`,
  );
  return `${path}?or=(${rows.join(',')})`;
}

/** Quoted where a list would read something else. */
const element = (text: string): string => (/[,()"\\.:]|^$/.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : text);

/** A raw `(` or `)` is allowed in our URLs; clients copy them already encoded. */
const encode = encodeURIComponent;
