import type { Driver, Identity } from '../dialect/driver.js';
import type { RawRow } from '../dialect/statement.js';
import type { ServerError } from '../errors.js';
import { runStatement } from '../execute/run-statement.js';
import { changedKeys } from '../plan/intent.js';
import { keyId, PendingChanges, type PendingChange } from './pending.js';
import type { ChangeEvent, ChangeOperation, ChangeSource } from './source.js';
import { ToldKeys } from './told-keys.js';

/** Who is told. Neither may throw. */
export interface Receiver {
  /** @param payload the JSON text of an event, the same for every member of a group */
  readonly next: (payload: string) => void;
  /** The subscription is over: it cannot be answered. */
  readonly fail: (error: ServerError) => void;
}

/** What a group needs of its hub. */
export interface GroupServices {
  readonly driver: Pick<Driver, 'run'>;
  readonly explain: (error: unknown, source: ChangeSource) => ServerError;
  /** The group is to be read when there is room. */
  readonly enqueue: (group: Group) => void;
  /** Members that a read has failed for are no members any longer. */
  readonly failed: (group: Group, error: ServerError) => void;
  readonly told: (event: { readonly operation: ChangeOperation; readonly members: number }) => void;
}

/** Rows that wait to be read, and rows that a group was told of. */
const MOST_PENDING = 10_000;
const MOST_TOLD = 10_000;

/**
 * Subscriptions that are told the same: equal documents of one identity, or of anybody where who asks does not matter. Changed rows are read
 * once for all of them. While a read is under way changes are collected, and each row is read once for all of those.
 */
export class Group {
  readonly members = new Set<Receiver>();
  readonly #pending = new PendingChanges();
  readonly #told: ToldKeys | undefined;
  /** Why changes may be missing, where that is yet to be told. */
  #resync: string | undefined;
  #isQueued = false;
  #isChecked = false;

  constructor(
    readonly key: string,
    readonly source: ChangeSource,
    readonly identity: Identity,
    private readonly services: GroupServices,
    /** Whether row level security decides which rows of the table the group sees. */
    readonly isSecured: boolean,
  ) {
    const needsTold = this.#wants('DELETE') && (isSecured || source.isFiltered);
    this.#told = needsTold ? new ToldKeys(MOST_TOLD) : undefined;
  }

  /** The statement is run once without a key, so that a mistake in it is told at once. */
  check(): void {
    this.#enqueue();
  }

  add(change: PendingChange): void {
    if (this.#resync !== undefined) return;
    // Every change may take a row away from what the group sees.
    if (!this.#wants(change.operation) && this.#told === undefined) return;
    this.#pending.add(change);
    if (this.#pending.size > MOST_PENDING) this.resync('More changes came than could be kept.');
    else this.#enqueue();
  }

  /** Tells that changes may be missing, instead of those that wait. */
  resync(reason: string): void {
    this.#pending.clear();
    this.#resync = reason;
    this.#enqueue();
  }

  /** Reads what waits, and tells it. Never rejects. */
  async flush(): Promise<void> {
    const changes = this.#pending.take();
    const resync = this.#resync;
    this.#resync = undefined;
    try {
      if (!this.#isChecked || changes.length > 0) this.#tell(changes, await this.#read(changes));
      this.#isChecked = true;
    } catch (error) {
      this.#fail(error);
    }
    if (resync !== undefined) this.#tellResync(resync);
    this.#isQueued = false;
    if (this.#hasWork) this.#enqueue();
  }

  get #hasWork(): boolean {
    return this.#pending.size > 0 || this.#resync !== undefined;
  }

  #enqueue(): void {
    if (this.#isQueued) return;
    this.#isQueued = true;
    this.services.enqueue(this);
  }

  #read(changes: readonly PendingChange[]): Promise<readonly RawRow[]> {
    const { source, identity } = this;
    const columns = source.table.primaryKey?.columns ?? [];
    const keys = columns.map((_, at) => changes.map(({ key }) => key[at] ?? ''));
    return runStatement(this.services.driver, source.statement, { ...source.inputs, [changedKeys]: keys }, identity);
  }

  #tell(changes: readonly PendingChange[], rows: readonly RawRow[]): void {
    const byPlace = new Map(rows.map((row) => [Number(row[0]), row]));
    changes.forEach((change, at) => {
      const [, found, key = null, ...values] = byPlace.get(at + 1) ?? [];
      const operation = this.#operationOf(change, found === 't' || found === 'true');
      if (operation === undefined) return;
      const isGone = operation === 'DELETE';
      this.#send({ operation, timestamp: change.timestamp, key, rows: isGone ? [] : values });
    });
  }

  /**
   * What the group is told of a change. A row that is gone is told only where that tells nothing: every member might have seen it, or was told of
   * it before.
   */
  #operationOf({ operation, key, rowSecurity }: PendingChange, isFound: boolean): ChangeOperation | undefined {
    const id = keyId(key);
    if (operation !== 'DELETE' && isFound) {
      this.#told?.add(id);
      return this.#wants(operation) ? operation : undefined;
    }
    const wasTold = this.#told?.delete(id) === true;
    const isOpen = operation === 'DELETE' && !rowSecurity && !this.isSecured;
    return (wasTold || isOpen) && this.#wants('DELETE') ? 'DELETE' : undefined;
  }

  /** What passes may be over soon: then the members read again. What does not ends their subscriptions. */
  #fail(error: unknown): void {
    const explained = this.services.explain(error, this.source);
    if (explained.status === 503 || explained.status === 504) {
      this.#tellResync(`Changed rows could not be read: ${explained.message}`);
    } else this.services.failed(this, explained);
  }

  #tellResync(reason: string): void {
    this.#send({ operation: 'RESYNC', timestamp: new Date().toISOString(), key: null, rows: [], error: reason });
  }

  #send(event: ChangeEvent): void {
    const payload = this.source.write(event);
    for (const member of this.members) member.next(payload);
    this.services.told({ operation: event.operation, members: this.members.size });
  }

  #wants(operation: ChangeOperation): boolean {
    return this.source.operations?.has(operation) !== false;
  }
}
