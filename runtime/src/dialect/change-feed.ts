/** What happened to a row. */
export type RowOperation = 'INSERT' | 'UPDATE' | 'DELETE';

/** A committed change of one row. */
export interface RowChange {
  readonly operation: RowOperation;
  /** The values of the primary key in the database's text form, in the order of its columns. */
  readonly key: readonly string[];
  /**
   * The row before the change, where the feed knows it and `wantsFormer` asks for it. It may be
   * shown only where no policy hides rows.
   */
  readonly former?: FormerRow | undefined;
}

/** By the column's name in the database, each value in the database's text form. */
export type FormerRow = ReadonlyMap<string, string | null>;

/** The changes of one transaction in one table. */
export interface TableChanges {
  readonly schema: string;
  readonly name: string;
  /** Whether the table has row level security now. */
  readonly rowSecurity: boolean;
  /**
   * `unknown`: too many rows to list them, all rows at once (TRUNCATE), or rows whose key is not
   * known.
   */
  readonly rows: readonly RowChange[] | 'unknown';
}

/**
 * The changes of a transaction that every new snapshot sees. It has keys, and other values only in
 * a `FormerRow`.
 */
export interface Commit {
  /** When it was committed, as ISO 8601. */
  readonly timestamp: string;
  readonly tables: readonly TableChanges[];
}

/** A table whose changes are of interest. */
export interface WatchedTable {
  readonly schema: string;
  readonly name: string;
  /** The columns of its primary key. */
  readonly key: readonly string[];
}

export type FeedState =
  | { readonly state: 'connecting' }
  | { readonly state: 'live' }
  /** `hint` names the necessary action, if waiting does not help. */
  | { readonly state: 'interrupted'; readonly reason: string; readonly hint?: string };

/** The receiver of a feed. */
export interface FeedListener {
  /** Committed and visible: a read that begins now sees it. */
  readonly commits: (commits: readonly Commit[]) => void;
  /** Changes before this moment may not have been reported. Also called when the feed begins. */
  readonly gap: (reason: string) => void;
  readonly state: (state: FeedState) => void;
  /**
   * The tables of those watched that have row level security, as `tableKey` writes them. Reported
   * before a gap.
   */
  readonly secured: (tables: ReadonlySet<string>) => void;
  /** Whether a subscriber selects former rows of the table. */
  readonly wantsFormer: (table: Pick<WatchedTable, 'schema' | 'name'>) => boolean;
  /** The tables of those watched whose changes the database does not report. */
  readonly unreported: (tables: ReadonlySet<string>) => void;
}

/** Every committed change of the watched tables, by any client. */
export interface ChangeFeed {
  /** Begins, and goes on until it is closed: a lost connection is made again. */
  start(listener: FeedListener): void;
  close(): Promise<void>;
}

/** A text that is unique for a table, even if its names contain separators. */
export const tableKey = ({ schema, name }: Pick<WatchedTable, 'schema' | 'name'>): string =>
  JSON.stringify([schema, name]);
