import type { Commit, FeedListener, FeedState, RowChange } from '../../dialect/change-feed.js';

/** What a feed says, in a form that crosses to another process. */
export type FeedEvent =
  | { readonly kind: 'commits'; readonly commits: readonly Commit[] }
  | { readonly kind: 'gap'; readonly reason: string }
  | { readonly kind: 'state'; readonly state: FeedState }
  | { readonly kind: 'secured' | 'unreported'; readonly tables: readonly string[] };

/** A row before the change is a Map, which JSON does not have. */
type SentRow = Omit<RowChange, 'former'> & { readonly former?: readonly (readonly [string, string | null])[] };

/** The text of an event. A batch of events is a list of these texts. */
export function eventText(event: FeedEvent): string {
  if (event.kind !== 'commits') return JSON.stringify(event);
  return JSON.stringify({ kind: 'commits', commits: withRows(event.commits, sentRow) });
}

export const batchText = (key: string, events: readonly string[]): string =>
  `{"key":${JSON.stringify(key)},"events":[${events.join(',')}]}`;

export function parseBatch(text: string): { readonly key: string; readonly events: readonly FeedEvent[] } {
  return JSON.parse(text) as { key: string; events: FeedEvent[] };
}

/** Gives a listener an event that was parsed. */
export function notify(listener: FeedListener, event: FeedEvent): void {
  switch (event.kind) {
    case 'commits':
      listener.commits(withRows(event.commits, receivedRow));
      break;
    case 'gap':
      listener.gap(event.reason);
      break;
    case 'state':
      listener.state(event.state);
      break;
    case 'secured':
      listener.secured(new Set(event.tables));
      break;
    case 'unreported':
      listener.unreported(new Set(event.tables));
      break;
  }
}

const withRows = (commits: readonly Commit[], change: (row: RowChange) => RowChange): readonly Commit[] =>
  commits.map((commit) => ({
    ...commit,
    tables: commit.tables.map((table) =>
      table.rows === 'unknown' ? table : { ...table, rows: table.rows.map((row) => change(row)) },
    ),
  }));

const sentRow = (row: RowChange): RowChange =>
  row.former === undefined ? row : ({ ...row, former: [...row.former] } as unknown as RowChange);

function receivedRow(row: RowChange): RowChange {
  const { former } = row as unknown as SentRow;
  return former === undefined ? row : { ...row, former: new Map(former) };
}
