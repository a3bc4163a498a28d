import type { RowChange } from '../dialect/change-feed.js';
import type { ReportedOperation } from './source.js';

/** A change that is yet to be read. */
export interface PendingChange extends Omit<RowChange, 'operation'> {
  readonly operation: ReportedOperation;
  readonly timestamp: string;
  /** Whether its table has row level security. */
  readonly rowSecurity: boolean;
}

/** Most characters of all former rows that wait. */
const MAX_FORMER_CHARACTERS = 4_000_000;

/**
 * The changes of a group that are yet to be read: one for each row. Several changes of a row are
 * merged.
 */
export class PendingChanges {
  #changes = new Map<string, PendingChange>();
  #formerLength = 0;

  get size(): number {
    return this.#changes.size;
  }

  add(change: PendingChange): void {
    const id = keyId(change.key);
    const before = this.#changes.get(id);
    if (before === undefined) {
      this.#changes.set(id, this.#bounded(change));
      return;
    }
    // A row has its place in the order of the last changes.
    this.#changes.delete(id);
    const former = before.operation === 'INSERT' ? undefined : before.former;
    const operation = merged(before.operation, change.operation);
    this.#changes.set(id, { ...change, operation, former, changed: changedBy(before, change) });
  }

  /** Drops the former row if the former rows that wait are too long already. */
  #bounded(change: PendingChange): PendingChange {
    if (change.former === undefined) return change;
    for (const value of change.former.values()) this.#formerLength += value?.length ?? 0;
    return this.#formerLength > MAX_FORMER_CHARACTERS ? { ...change, former: undefined } : change;
  }

  /** Removes the first changes, at most so many, and returns them. */
  take(most = Infinity): readonly PendingChange[] {
    const changes = [...this.#changes.values()].slice(0, most);
    if (changes.length === this.#changes.size) this.clear();
    else for (const { key } of changes) this.#changes.delete(keyId(key));
    return changes;
  }

  clear(): void {
    this.#changes = new Map();
    this.#formerLength = 0;
  }
}

/** A row's key as one text. */
export function keyId(key: readonly string[]): string {
  const [only] = key;
  return key.length === 1 && only !== undefined ? only : JSON.stringify(key);
}

/** The columns that two updates have changed; undefined where one of them is not known. */
const changedBy = (
  { changed: first }: PendingChange,
  { changed: second }: PendingChange,
): readonly string[] | undefined =>
  first === undefined || second === undefined ? undefined : [...new Set([...first, ...second])];

/**
 * The change that two changes of a row amount to. A deletion and an insertion with the same key are
 * an update. A row of a snapshot stays one: it is read after its last change.
 */
function merged(before: ReportedOperation, after: ReportedOperation): ReportedOperation {
  if (after === 'DELETE') return 'DELETE';
  if (before === 'SNAPSHOT' || after === 'SNAPSHOT') return 'SNAPSHOT';
  if (before === 'INSERT') return 'INSERT';
  return 'UPDATE';
}
