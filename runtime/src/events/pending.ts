import type { RowChange, RowOperation } from '../dialect/change-feed.js';

/** A change that is yet to be read. */
export interface PendingChange extends RowChange {
  readonly timestamp: string;
  /** Whether its table has row level security. */
  readonly rowSecurity: boolean;
}

/** The changes of a group that are yet to be read: one for each row, with what several of them come to. */
export class PendingChanges {
  #changes = new Map<string, PendingChange>();

  get size(): number {
    return this.#changes.size;
  }

  add(change: PendingChange): void {
    const id = keyId(change.key);
    const before = this.#changes.get(id);
    if (before === undefined) {
      this.#changes.set(id, change);
      return;
    }
    // In the order of the last change.
    this.#changes.delete(id);
    this.#changes.set(id, { ...change, operation: merged(before.operation, change.operation) });
  }

  /** All of them; none are left. */
  take(): readonly PendingChange[] {
    const changes = [...this.#changes.values()];
    this.#changes = new Map();
    return changes;
  }

  clear(): void {
    this.#changes.clear();
  }
}

/** A row's key as one text. */
export function keyId(key: readonly string[]): string {
  const [only] = key;
  return key.length === 1 && only !== undefined ? only : JSON.stringify(key);
}

/** What two changes of a row come to. A row that was deleted and is there again is another row with the same key. */
function merged(before: RowOperation, after: RowOperation): RowOperation {
  if (after === 'DELETE') return 'DELETE';
  if (before === 'INSERT') return 'INSERT';
  return 'UPDATE';
}
