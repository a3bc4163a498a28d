import type { Change } from './live.js';

/** The rows that a client shows after these events, by their keys: see docs/subscriptions.md. */
export function shown(events: readonly Change[]): readonly Readonly<Record<string, unknown>>[] {
  const rows = new Map<string, Readonly<Record<string, unknown>>>();
  for (const { operation, key, data } of events) {
    if (operation === 'RESYNC') rows.clear();
    else if (operation === 'DELETE') rows.delete(JSON.stringify(key));
    else if (data !== undefined && data !== null) rows.set(JSON.stringify(key), data);
  }
  return [...rows.entries()].sort(([one], [other]) => compare(one, other)).map(([, row]) => row);
}

const compare = (one: string, other: string): number => one.localeCompare(other, 'en', { numeric: true });
