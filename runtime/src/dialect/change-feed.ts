/** What happened to a row. */
export type RowOperation = 'INSERT' | 'UPDATE' | 'DELETE';

/** A committed change of one row. */
export interface RowChange {
  readonly operation: RowOperation;
  /**
   * The values of the primary key in the database's text form, in the order of the key's columns.
   */
  readonly key: readonly string[];
  /**
   * The row before the change, where the feed knows it and `wantsFormer` asks for it. It may be
   * shown only where no policy hides rows.
   */
  readonly former?: FormerRow | undefined;
  /** The columns that an UPDATE has changed, or more; undefined where the feed does not know. */
  readonly changed?: readonly string[] | undefined;
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
   * `unknown` if the rows cannot be listed: there are too many, TRUNCATE removed all of them, or a
   * key is not known.
   */
  readonly rows: readonly RowChange[] | 'unknown';
}

/**
 * A committed transaction that every new snapshot sees. It has keys of rows; other values are only
 * in a `FormerRow`.
 */
export interface Commit {
  /** The time of the commit, as ISO 8601. */
  readonly timestamp: string;
  readonly tables: readonly TableChanges[];
}

/** A table whose changes the feed reports. */
export interface WatchedTable {
  readonly schema: string;
  readonly name: string;
  /** The columns of its primary key. */
  readonly key: readonly string[];
}

export type FeedState =
  | { readonly state: 'connecting' }
  | { readonly state: 'live' }
  /** `hint` names the necessary action if waiting does not help. */
  | { readonly state: 'interrupted'; readonly reason: string; readonly hint?: string };

/** The receiver of a feed. */
export interface FeedListener {
  /** Receives commits that are visible: a read that begins now sees them. */
  readonly commits: (commits: readonly Commit[]) => void;
  /** Changes before this moment may not have been reported. Called also when the feed begins. */
  readonly gap: (reason: string) => void;
  readonly state: (state: FeedState) => void;
  /**
   * The watched tables that have row level security, as `tableKey` writes them. Reported before a
   * gap.
   */
  readonly secured: (tables: ReadonlySet<string>) => void;
  /** Whether a subscriber selects former rows of the table. */
  readonly wantsFormer: (table: Pick<WatchedTable, 'schema' | 'name'>) => boolean;
  /** The watched tables whose changes the database does not report. */
  readonly unreported: (tables: ReadonlySet<string>) => void;
}

/** Every committed change of the watched tables, by any client. */
export interface ChangeFeed {
  /** Starts the feed. It runs until it is closed and connects again after a lost connection. */
  start(listener: FeedListener): void;
  /**
   * Asks the database again which tables it reports, and notifies the listener. Never rejects. Has
   * no effect while the feed is interrupted, because the next session asks anyway.
   */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** A text that is unique for a table, even if its names contain separators. */
export const tableKey = ({ schema, name }: Pick<WatchedTable, 'schema' | 'name'>): string =>
  JSON.stringify([schema, name]);
