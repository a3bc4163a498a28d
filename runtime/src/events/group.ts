import type { Driver, Identity } from '../dialect/driver.js';
import type { RawRow } from '../plan/statement.js';
import type { ServerError } from '../errors.js';
import { runStatement } from '../execute/run-statement.js';
import { changedKeys, formerRows, type ChangesInputs } from '../plan/intent.js';
import { formerText } from './former-text.js';
import { keyId, PendingChanges, type PendingChange } from './pending.js';
import type { ChangeEvent, ChangeOperation, ChangeSource } from './source.js';
import { SentKeys, type KeyMemory } from './sent-keys.js';

/** The receiver's callbacks. Neither may throw. */
export interface Receiver {
  /** @param payload the JSON text of an event, the same for every member of a group */
  readonly next: (payload: string) => void;
  /** The subscription is over: it cannot be answered. */
  readonly fail: (error: ServerError) => void;
}

/** The part of a hub that a group uses. */
export interface GroupServices {
  readonly driver: Pick<Driver, 'run'>;
  readonly explain: (error: unknown, source: ChangeSource) => ServerError;
  /** The group has to be read when capacity is free. */
  readonly enqueue: (group: Group) => void;
  /** Ends the subscriptions of a group whose rows could not be read. */
  readonly failed: (group: Group, error: ServerError) => void;
  /** The memory for the keys that all groups remember. */
  readonly memory: KeyMemory;
  readonly sent: (event: { readonly operation: ChangeOperation; readonly members: number }) => void;
}

/** Most rows of a group that wait to be read, and most sent rows that it remembers. */
const MOST_PENDING = 10_000;
const MOST_SENT = 10_000;

/**
 * Subscriptions with the same messages: equal documents of one identity, or of any identity if the
 * identity does not matter. Changed rows are read once for all of them. While a read runs, changes
 * are collected; the next read has each changed row once.
 */
export class Group {
  readonly members = new Set<Receiver>();
  readonly #pending = new PendingChanges();
  readonly #sent: SentKeys | undefined;
  /** The reason why changes may be missing, until it is sent. */
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
    const remembersSent = this.#wants('DELETE') && (isSecured || source.isFiltered);
    const pushedOut = (): void => {
      this.resync(forgotten);
    };
    this.#sent = remembersSent ? new SentKeys(MOST_SENT, services.memory, pushedOut) : undefined;
  }

  /** Reports that changes may be missing, before the subscriptions are ended. Never rejects. */
  async sendGap(reason: string): Promise<void> {
    const text = this.source.write(resyncEvent(reason));
    try {
      this.#send('RESYNC', (await this.source.finish?.(text, this.identity)) ?? text);
    } catch {
      // Custom code has failed; the error that ends the subscription says more.
    }
  }

  /** The last member has left. */
  end(): void {
    this.#sent?.end();
  }

  /** Runs the statement once without a key, so that a mistake in it is reported at once. */
  check(): void {
    this.#enqueue();
  }

  add(change: PendingChange): void {
    if (this.#resync !== undefined) return;
    // Every change may take a row away from what the group sees.
    if (!this.#wants(change.operation) && this.#sent === undefined) return;
    this.#pending.add(change);
    if (this.#pending.size > MOST_PENDING) this.resync('Changes arrived faster than the server could report them.');
    else this.#enqueue();
  }

  /** Reports that changes may be missing, instead of the waiting changes. */
  resync(reason: string): void {
    this.#pending.clear();
    this.#resync = reason;
    this.#enqueue();
  }

  /**
   * Reads and sends the waiting changes. Never rejects. Resolves when they are read: custom code
   * may take longer, and delays this group only.
   */
  async flush(): Promise<void> {
    const changes = this.#pending.take();
    const resync = this.#resync;
    this.#resync = undefined;
    const events: ChangeEvent[] = [];
    try {
      if (!this.#isChecked || changes.length > 0) events.push(...this.#eventsOf(changes, await this.#read(changes)));
      this.#isChecked = true;
    } catch (error) {
      const missed = this.#fail(error);
      if (missed !== undefined) events.push(missed);
    }
    if (resync !== undefined) events.push(resyncEvent(resync));
    const { finish } = this.source;
    if (finish === undefined) {
      for (const event of events) this.#send(event.operation, this.source.write(event));
      this.#settle();
    } else void this.#sendFinished(events, finish);
  }

  async #sendFinished(events: readonly ChangeEvent[], finish: NonNullable<ChangeSource['finish']>): Promise<void> {
    try {
      for (const event of events) {
        if (this.members.size === 0) break;
        this.#send(event.operation, await finish(this.source.write(event), this.identity));
      }
    } catch (error) {
      this.services.failed(this, this.services.explain(error, this.source));
    }
    this.#settle();
  }

  #settle(): void {
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
    const inputs: ChangesInputs = {
      ...source.inputs,
      [changedKeys]: keys,
      [formerRows]: changes.map((change) => this.#formerOf(change)),
    };
    return runStatement(this.services.driver, source.statement, inputs, identity, undefined, source.rowFilter);
  }

  /**
   * Policies cannot decide about a row that no longer exists, so a former row is shown only for a
   * table without policies.
   */
  #formerOf({ former, rowSecurity }: PendingChange): string | null {
    if (this.source.formerCount === 0 || former === undefined || rowSecurity || this.isSecured) return null;
    return formerText(former, this.source.table);
  }

  #eventsOf(changes: readonly PendingChange[], rows: readonly RawRow[]): readonly ChangeEvent[] {
    const { rowCount } = this.source;
    const byPlace = new Map(rows.map((row) => [Number(row[0]), row]));
    return changes.flatMap((change, at): readonly ChangeEvent[] => {
      const [, found, key = null, ...values] = byPlace.get(at + 1) ?? [];
      const operation = this.#operationOf(change, found === 't' || found === 'true');
      if (operation === undefined) return [];
      const current = operation === 'DELETE' ? [] : values.slice(0, rowCount);
      return [{ operation, timestamp: change.timestamp, key, rows: current, formerRows: values.slice(rowCount) }];
    });
  }

  /**
   * The operation to report to the group. A deleted row is reported only if this reveals nothing:
   * every member could see the row, or has received a message about it before.
   */
  #operationOf({ operation, key, rowSecurity }: PendingChange, isFound: boolean): ChangeOperation | undefined {
    const id = keyId(key);
    if (operation !== 'DELETE' && isFound) {
      this.#sent?.add(id);
      return this.#wants(operation) ? operation : undefined;
    }
    const wasSent = this.#sent?.delete(id) === true;
    const isOpen = operation === 'DELETE' && !rowSecurity && !this.isSecured;
    return (wasSent || isOpen) && this.#wants('DELETE') ? 'DELETE' : undefined;
  }

  /**
   * A transient failure is sent as a gap, so that clients read again. A permanent one ends the
   * subscriptions of the group.
   */
  #fail(error: unknown): ChangeEvent | undefined {
    const explained = this.services.explain(error, this.source);
    if (explained.status === 503 || explained.status === 504)
      return resyncEvent(`Changed rows could not be read: ${explained.message}`);
    this.services.failed(this, explained);
    return undefined;
  }

  #send(operation: ChangeOperation, payload: string): void {
    for (const member of this.members) member.next(payload);
    this.services.sent({ operation, members: this.members.size });
  }

  #wants(operation: ChangeOperation): boolean {
    return this.source.operations?.has(operation) !== false;
  }
}

const forgotten = 'More rows were reported than the server can remember: deletions of earlier rows are not reported.';

const resyncEvent = (error: string): ChangeEvent => ({
  operation: 'RESYNC',
  timestamp: new Date().toISOString(),
  key: null,
  rows: [],
  formerRows: [],
  error,
});
