import type { Driver, Identity } from '../dialect/driver.js';
import type { RawRow } from '../plan/statement.js';
import type { ServerError } from '../errors.js';
import { runStatement } from '../execute/run-statement.js';
import { changedKeys, formerRows, type ChangesInputs } from '../plan/intent.js';
import { formerText } from './former-text.js';
import { keyId, PendingChanges, type PendingChange } from './pending.js';
import type { ChangeEvent, ChangeOperation, ChangeSource } from './source.js';
import { MAX_SENT, SentKeys, type KeyMemory } from './sent-keys.js';
import { MAX_SNAPSHOT, SNAPSHOT_PAGE, tooManyRows } from './snapshot.js';

/** The receiver's callbacks. Neither may throw. */
export interface Receiver {
  /**
   * @param payload the JSON text of an event, the same for every member of a group
   * @param sent called when the connection has taken it, or is over
   */
  readonly next: (payload: string, sent?: () => void) => void;
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

/** Most rows of a group that wait to be read. */
const MAX_PENDING = 10_000;

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
  /** Whether the keys of the snapshot are still to be listed. */
  #isUnlisted: boolean;
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
      if (source.snapshot === undefined) this.resync(forgotten);
      else services.failed(this, tooManyRows());
    };
    this.#isUnlisted = source.snapshot !== undefined;
    this.#sent = remembersSent ? new SentKeys(MAX_SENT, services.memory, pushedOut) : undefined;
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
    const most = MAX_PENDING + (this.source.snapshot === undefined ? 0 : MAX_SNAPSHOT);
    if (this.#pending.size > most) this.resync('Changes arrived faster than the server could report them.');
    else this.#enqueue();
  }

  /** Reports that changes may be missing, instead of the waiting changes. */
  resync(reason: string): void {
    this.#pending.clear();
    this.#resync = reason;
    if (this.source.snapshot !== undefined) {
      this.#sent?.clear();
      this.#isUnlisted = true;
    }
    this.#enqueue();
  }

  /**
   * Reads and sends the waiting changes. Never rejects. Resolves when they are read: custom code
   * may take longer, and delays this group only.
   */
  async flush(): Promise<void> {
    const { finish, snapshot } = this.source;
    if (snapshot !== undefined && this.#isUnlisted && this.#resync === undefined) await this.#list(snapshot);
    const changes = this.#pending.take(snapshot === undefined ? undefined : SNAPSHOT_PAGE);
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
    if (finish === undefined && snapshot === undefined) {
      for (const event of events) this.#send(event.operation, this.source.write(event));
      this.#settle();
    } else void this.#sendSlowly(events, finish);
  }

  /**
   * Adds the rows of the snapshot, and after them the changes that arrived meanwhile. A failure
   * ends the subscription: a client would take a part of the rows for all.
   */
  async #list(snapshot: NonNullable<ChangeSource['snapshot']>): Promise<void> {
    this.#isUnlisted = false;
    try {
      const keys = await snapshot(this.services.driver, this.identity);
      if (this.#resync !== undefined) return;
      const meanwhile = this.#pending.take();
      const timestamp = new Date().toISOString();
      for (const key of keys) this.#pending.add({ operation: 'SNAPSHOT', key, timestamp, rowSecurity: this.isSecured });
      for (const change of meanwhile) this.#pending.add(change);
    } catch (error) {
      this.services.failed(this, this.services.explain(error, this.source));
    }
  }

  /** Waits for custom code, and until the connection has taken each row of a snapshot. */
  async #sendSlowly(events: readonly ChangeEvent[], finish: ChangeSource['finish']): Promise<void> {
    try {
      for (const event of events) {
        if (this.members.size === 0) break;
        const written = this.source.write(event);
        const payload = finish === undefined ? written : await finish(written, this.identity);
        if (event.operation === 'SNAPSHOT') await this.#sendAndWait(payload);
        else this.#send(event.operation, payload);
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
    return this.#pending.size > 0 || this.#resync !== undefined || (this.#isUnlisted && this.members.size > 0);
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
      const operation = this.#operationOf(change, key ?? keyId(change.key), found === 't' || found === 'true');
      if (operation === undefined) return [];
      const current = operation === 'DELETE' ? [] : values.slice(0, rowCount);
      return [{ operation, timestamp: change.timestamp, key, rows: current, formerRows: values.slice(rowCount) }];
    });
  }

  /**
   * The operation to report to the group. A deleted row is reported only if this reveals nothing:
   * every member could see the row, or has received a message about it before.
   * @param id the key as the database writes it: feeds and snapshots may give it in another form
   */
  #operationOf(change: PendingChange, id: string, isFound: boolean): ChangeOperation | undefined {
    const { operation, rowSecurity } = change;
    if (operation !== 'DELETE' && isFound) {
      if (this.#isUnseen(change, id)) return undefined;
      this.#sent?.add(id);
      return this.#wants(operation) ? operation : undefined;
    }
    const wasSent = this.#sent?.delete(id) === true;
    const isOpen = operation === 'DELETE' && !rowSecurity && !this.isSecured;
    return (wasSent || isOpen) && this.#wants('DELETE') ? 'DELETE' : undefined;
  }

  /**
   * Whether an update has changed nothing that the group may see. A policy may have shown the row
   * by it, unless the group has received the row before.
   */
  #isUnseen({ operation, changed = [], rowSecurity }: PendingChange, id: string): boolean {
    const { visible } = this.source;
    if (operation !== 'UPDATE' || visible === undefined || changed.length === 0) return false;
    if (changed.some((name) => visible.has(name))) return false;
    const mayShow = rowSecurity || this.source.isShownByOthers === true || (this.isSecured && !this.source.isHidden);
    return !mayShow || this.#sent?.has(id) === true;
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

  async #sendAndWait(payload: string): Promise<void> {
    const taken = [...this.members].map(
      (member) =>
        new Promise<void>((sent) => {
          member.next(payload, sent);
        }),
    );
    this.services.sent({ operation: 'SNAPSHOT', members: taken.length });
    await Promise.all(taken);
  }

  #wants(operation: ChangeOperation): boolean {
    return operation === 'SNAPSHOT' || this.source.operations?.has(operation) !== false;
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
