import { tableKey, type ChangeFeed, type Commit, type FeedState, type TableChanges } from '../dialect/change-feed.js';
import type { Dialect } from '../dialect/dialect.js';
import type { Driver, Identity } from '../dialect/driver.js';
import type { Registry, Table } from '../descriptor/registry.js';
import type { ServerError } from '../errors.js';
import type { Observer } from '../observe/observation.js';
import { explainFailure } from '../response/explain-failure.js';
import { toServerError } from '../response/server-error.js';
import type { Settings } from '../settings/settings.js';
import { Group, type GroupServices, type Receiver } from './group.js';
import { ReadQueue } from './read-queue.js';
import type { ChangeSource } from './source.js';
import { KeyMemory } from './sent-keys.js';
import { nameOf, notReported, unreportedWarning, type FeedHealth } from './unreported.js';

export interface HubServices {
  readonly registry: Registry;
  readonly settings: Settings;
  readonly dialect: Pick<Dialect, 'failure'>;
  readonly driver: Pick<Driver, 'run'>;
  readonly observe: Observer;
  /** Of several hubs. Default: of this one alone. */
  readonly memory?: KeyMemory;
}

/**
 * Most reads for one transaction: its changed rows times the groups. More would delay all other
 * groups.
 */
const MAX_WORK = 500_000;

/** A subscription: its receiver, its document and its identity. */
interface Subscription {
  source: ChangeSource;
  readonly identity: Identity;
  readonly receiver: Receiver;
  readonly reopen: Reopen;
  group: Group;
}

/**
 * Opens a subscription again over the current API; undefined if that is impossible: the receiver
 * has been given the reason.
 */
export type Reopen = () => ChangeSource | undefined;

export const rememberedKeys = (settings: Settings): KeyMemory =>
  new KeyMemory(settings['app.changes.remembered-bytes']);

/** The subscriptions of a server: at one database, or at those of its tenants. */
export type Changes = Pick<ChangeHub, 'start' | 'subscribe' | 'size' | 'health' | 'check' | 'close'> & {
  /** Opens all subscriptions again, over another API of the same tables. */
  readonly follow: (feed?: undefined) => Promise<void>;
};

/**
 * Reports committed changes to subscribers: groups equal subscriptions, reads changed rows as the
 * subscriber, and reports gaps.
 */
export class ChangeHub {
  readonly #groups = new Map<string, Group>();
  /** By `tableKey`. */
  readonly #byTable = new Map<string, Set<Group>>();
  readonly #subscriptions = new Map<Receiver, Subscription>();
  readonly #reads = new ReadQueue();
  readonly #groupServices: GroupServices;
  #state: FeedState = { state: 'connecting' };
  /** Tables with row level security. Undefined until the feed has reported them. */
  #secured: Set<string> | undefined;
  /** Tables whose changes the database does not report. Undefined until the feed has said so. */
  #unreported: ReadonlySet<string> | undefined;
  /** The feed that was started, until it is closed. */
  #running: ChangeFeed | undefined;
  #isClosed = false;
  /** Subscriptions with a snapshot so far. */
  #snapshots = 0;
  /** Ends when the last replacement of the feed has ended. Never rejects. */
  #replacing: Promise<void> = Promise.resolve();

  constructor(
    private readonly services: HubServices,
    private feed: ChangeFeed,
  ) {
    const { driver, observe, settings, memory = rememberedKeys(settings) } = services;
    this.#groupServices = {
      memory,
      driver,
      explain: (error, { statement }) => explainFailure(error, { does: 'read', slots: statement.slots }, services),
      enqueue: (group) => {
        this.#reads.add(group);
      },
      failed: (group, error) => {
        if (!error.clientsMistake) observe({ kind: 'failure', error });
        this.#failAll(group, error);
      },
      sent: ({ operation, members }) => {
        observe({ kind: 'event', operation, subscribers: members });
      },
    };
  }

  start(): void {
    const { feed } = this;
    this.#running = feed;
    // A replaced feed may still call its listener while it is being closed.
    const whileCurrent =
      <T>(listen: (value: T) => void) =>
      (value: T): void => {
        if (this.feed === feed) listen(value);
      };
    feed.start({
      commits: whileCurrent((commits) => {
        this.#receive(commits);
      }),
      gap: whileCurrent((reason) => {
        this.resync(reason);
      }),
      state: whileCurrent((state) => {
        this.#observeState(state);
      }),
      secured: whileCurrent((tables) => {
        this.#secure(tables);
      }),
      wantsFormer: (table) => this.#wantsFormer(table),
      unreported: whileCurrent((tables) => {
        this.#refuse(tables);
      }),
    });
  }

  /**
   * Continues over another API: every subscription is opened again, and receives that changes may
   * be missing. A subscription that cannot be opened again ends alone, with its reason. Resolves
   * when the feed is replaced; replacements run one after another. Never rejects.
   * @param feed of the tables of that API; it replaces the current feed
   */
  async follow(feed: ChangeFeed | undefined): Promise<void> {
    const subscriptions = [...this.#subscriptions.values()];
    // All subscriptions leave before the first one joins: equal subscriptions would find the old
    // group.
    for (const subscription of subscriptions) this.#leave(subscription);
    for (const subscription of subscriptions) {
      const source = this.#reopened(subscription);
      if (source === undefined) {
        this.#subscriptions.delete(subscription.receiver);
        continue;
      }
      subscription.group = this.#join(source, subscription.identity, subscription.receiver);
      subscription.source = subscription.group.source;
    }
    this.resync('The API has changed.');
    if (feed === undefined) return;
    this.feed = feed;
    this.#replacing = this.#replacing.then(() => this.#replaceFeed());
    await this.#replacing;
  }

  #reopened({ reopen, receiver }: Subscription): ChangeSource | undefined {
    try {
      return reopen();
    } catch (error) {
      this.services.observe({ kind: 'failure', error });
      receiver.fail(toServerError(error, this.services.dialect));
      return undefined;
    }
  }

  /** Starts only the last of several feeds that were given meanwhile. */
  async #replaceFeed(): Promise<void> {
    const { feed } = this;
    try {
      await this.#running?.close();
    } catch (error) {
      this.services.observe({ kind: 'failure', error });
    }
    this.#running = undefined;
    if (!this.#isClosed && this.feed === feed) this.start();
  }

  /** Subscriptions that are open; equal ones are one group. */
  get size(): { readonly subscribers: number; readonly groups: number } {
    return { subscribers: this.#subscriptions.size, groups: this.#groups.size };
  }

  get state(): FeedState {
    return this.#state;
  }

  /**
   * Begins at once: changes that are committed from now on are reported. Returns a function that
   * ends the subscription.
   */
  subscribe(source: ChangeSource, identity: Identity, receiver: Receiver, reopen: Reopen): () => void {
    if (this.#unreported?.has(tableKey(source.table)) === true) {
      receiver.fail(notReported(source));
      return () => undefined;
    }
    const group = this.#join(source, identity, receiver);
    // Equal sources are kept once.
    this.#subscriptions.set(receiver, { source: group.source, identity, receiver, reopen, group });
    return () => {
      const subscription = this.#subscriptions.get(receiver);
      if (subscription === undefined) return;
      this.#subscriptions.delete(receiver);
      this.#leave(subscription);
    };
  }

  /** Reports to every subscriber that changes may be missing: clients read all shown rows again. */
  resync(reason: string): void {
    if (this.#groups.size > 0)
      this.services.observe({
        kind: 'resync',
        reason,
        subscribers: this.#subscriptions.size,
        groups: this.#groups.size,
      });
    for (const group of this.#groups.values()) group.resync(reason);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#reads.clear();
    await this.#replacing;
    await this.#running?.close();
  }

  #receive(commits: readonly Commit[]): void {
    let changes = 0;
    for (const commit of commits) {
      for (const table of commit.tables) {
        changes += table.rows === 'unknown' ? 1 : table.rows.length;
        this.#receiveTable(commit.timestamp, table);
      }
    }
    const last = commits.at(-1);
    if (last === undefined) return;
    this.services.observe({
      kind: 'changes',
      changes,
      lagMilliseconds: Date.now() - Date.parse(last.timestamp),
      subscribers: this.#subscriptions.size,
      groups: this.#groups.size,
    });
  }

  #receiveTable(timestamp: string, { schema, name, rowSecurity, rows }: TableChanges): void {
    const key = tableKey({ schema, name });
    if (rowSecurity && this.#secured?.has(key) === false) this.#secure(new Set([...this.#secured, key]));
    const groups = this.#byTable.get(key) ?? new Set<Group>();
    const isTooMuch = rows === 'unknown' || rows.length * groups.size > MAX_WORK;
    for (const group of groups) {
      if (isTooMuch) group.resync(rows === 'unknown' ? wholeTable : manyRows);
      else for (const row of rows) group.add({ ...row, timestamp, rowSecurity });
    }
  }

  #wantsFormer(table: Pick<Table, 'schema' | 'name'>): boolean {
    for (const { source } of this.#byTable.get(tableKey(table)) ?? []) if (source.formerCount > 0) return true;
    return false;
  }

  #observeState(state: FeedState): void {
    const before = this.#state;
    this.#state = state;
    const isSame =
      state.state === before.state &&
      (state.state !== 'interrupted' || (before.state === 'interrupted' && before.reason === state.reason));
    if (!isSame) this.services.observe({ kind: 'feed', ...state });
  }

  /**
   * Row level security may have been switched on since a group began: its shared reads may no
   * longer be shared.
   */
  #secure(tables: ReadonlySet<string>): void {
    const before = this.#secured;
    this.#secured = new Set(tables);
    const isConcerned = ({ reads }: ChangeSource): boolean =>
      before === undefined || [...(reads ?? [])].some((key) => tables.has(key) && !before.has(key));
    const concerned = [...this.#subscriptions.values()].filter(({ source }) => isConcerned(source));
    for (const subscription of concerned) {
      const { source, identity, receiver } = subscription;
      this.#leave(subscription);
      subscription.group = this.#join(source, identity, receiver);
      if (before !== undefined) subscription.group.resync('Row level security was switched on.');
    }
  }

  /**
   * Ends the subscriptions to these tables, with the reason. Subscriptions that were open while the
   * database reported a table first receive that changes may be missing.
   */
  #refuse(tables: ReadonlySet<string>): void {
    const before = this.#unreported;
    this.#unreported = tables;
    const missing = this.unreported;
    if (missing.some((key) => before?.has(key) !== true)) this.services.observe(unreportedWarning(missing));
    for (const group of [...this.#groups.values()]) {
      const key = tableKey(group.source.table);
      if (!tables.has(key)) continue;
      const error = notReported(group.source);
      if (before?.has(key) !== false) this.#failAll(group, error);
      else
        void group.sendGap(error.message).then(() => {
          this.#failAll(group, error);
        });
    }
  }

  /** The served tables whose changes the database does not report, as `tableKey` writes them. */
  get unreported(): readonly string[] {
    const served = new Set(this.services.registry.tables.map(tableKey));
    return [...(this.#unreported ?? [])].filter((key) => served.has(key));
  }

  /** The feed, as `/health/ready` shows it. */
  get health(): FeedHealth {
    const { unreported, state } = this;
    return { state: state.state, ...(unreported.length === 0 ? {} : { unreported: unreported.map(nameOf) }) };
  }

  /** Asks the database again which tables it reports. Never rejects. */
  async check(): Promise<void> {
    await this.#running?.check();
  }

  #join(source: ChangeSource, identity: Identity, receiver: Receiver): Group {
    const isShared = this.#isShared(source, identity);
    const table = tableKey(source.table);
    const isSecured = source.isHidden === true || this.#secured?.has(table) !== false;
    const who = isShared ? '' : JSON.stringify(identity);
    // Each begins with rows of its own time.
    const alone = source.snapshot === undefined ? '' : `${String((this.#snapshots += 1))}\n`;
    const key = `${alone}${who}\n${isSecured ? 'secured' : 'open'}\n${source.key}`;
    const known = this.#groups.get(key);
    if (known !== undefined) {
      known.members.add(receiver);
      return known;
    }
    const group = new Group(key, source, isShared ? {} : identity, this.#groupServices, isSecured);
    this.#groups.set(key, group);
    const groups = this.#byTable.get(table) ?? new Set<Group>();
    this.#byTable.set(table, groups.add(group));
    group.members.add(receiver);
    group.check();
    return group;
  }

  /**
   * Whether all subscribers get the same messages: there is no role and no custom code, and no
   * table has row level security.
   */
  #isShared({ reads, finish }: ChangeSource, { role }: Identity): boolean {
    const secured = this.#secured;
    if (finish !== undefined) return false;
    if (role !== undefined || reads === undefined || secured === undefined) return false;
    for (const table of reads) if (secured.has(table)) return false;
    return true;
  }

  #leave({ group, receiver }: Subscription): void {
    group.members.delete(receiver);
    if (group.members.size === 0) this.#forget(group);
  }

  #forget(group: Group): void {
    group.end();
    if (this.#groups.get(group.key) === group) this.#groups.delete(group.key);
    const table = tableKey(group.source.table);
    const groups = this.#byTable.get(table);
    groups?.delete(group);
    if (groups?.size === 0) this.#byTable.delete(table);
  }

  #failAll(group: Group, error: ServerError): void {
    const members = [...group.members];
    group.members.clear();
    this.#forget(group);
    for (const receiver of members) {
      this.#subscriptions.delete(receiver);
      receiver.fail(error);
    }
  }
}

const wholeTable = 'The table was truncated, or so many rows changed at once that the feed does not list them.';
const manyRows = 'Too many rows changed at once to report each.';
