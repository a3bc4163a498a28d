import { setTimeout as delay } from 'node:timers/promises';
import type { Dialect, LiveCatalog } from '../dialect/dialect.js';
import { lacking } from '../dialect/lacking.js';
import type { Driver } from '../dialect/driver.js';
import type { ApiChange } from '../model/api-change.js';
import type { Observer } from '../observe/observation.js';
import type { Settings } from '../settings/settings.js';
import { TablewrightError } from '../tablewright-error.js';
import { Backoff } from './backoff.js';
import { Occasions, type Trigger } from './occasions.js';
import type { Derived, DerivedModel, DeriveOptions, Guarded } from './derive.js';
import { readBetweenChanges } from './read-between-changes.js';
import { Refusal } from './refusal.js';

/** The state of the served API: as generated, followed, or stale, with the reason. */
export type SchemaState =
  { readonly state: 'generated' | 'followed' } | { readonly state: 'stale'; readonly reason: string };

/** The dependencies of the follower. */
export interface Followed {
  readonly live: LiveCatalog;
  readonly driver: Driver;
  readonly dialect: Pick<Dialect, 'outage' | 'lacks'>;
  readonly settings: Settings;
  readonly observe: Observer;
  readonly schemas: readonly string[] | undefined;
  /** The fingerprint that the code was generated from, if the code says it. */
  readonly fingerprint: string | undefined;
  /** Whether the configuration excludes, hides or limits anything. */
  readonly isProtecting?: boolean;
  /** Refuses requests' statements with these names of tables, in place of those before. */
  readonly withhold?: (names: readonly string[]) => void;
  /**
   * @param seen what is known of the served state
   * @param signal aborted when the server closes meanwhile
   */
  readonly derive: (
    text: string,
    seen: Pick<DeriveOptions, 'served' | 'identities' | 'known'>,
    signal: AbortSignal,
  ) => Promise<Derived>;
  /**
   * Serves it, and returns the changes for clients. Throws Refusal if that is impossible, and then
   * changes nothing.
   */
  readonly swap: (changed: DerivedModel, again: boolean, fingerprint: string) => Promise<readonly ApiChange[]>;
  /** Called at the beginning of each check, which fails if it rejects. */
  readonly lookUp: (driver: Driver) => Promise<void>;
  /** Called after each check. Never rejects. */
  readonly checked: () => Promise<void>;
  /**
   * Receives the fingerprint of the served API after each conclusive check, unless something of it
   * waits for the next `generate`, and whether it is the generated API.
   */
  readonly settled: (fingerprint: string, isGenerated: boolean) => void;
  /** Ends the server: `app.drift.on-change` is `exit`. */
  readonly exit: () => void;
}

/** Milliseconds between two checks that failed statements cause. */
const FAILURE_INTERVAL_MS = 10_000;

/** Longest time that a request waits for a check, in ms. */
const TIMEOUT_MS = 10_000;

/** Milliseconds to the next check if the database did not answer. */
const OUTAGE_PAUSE_MS = 60_000;

/**
 * Checks whether the database has changed, and serves the change: one check at a time, beside the
 * requests. A failed check changes nothing, is reported once, and is repeated after 1, 2, 4 … 30
 * minutes.
 */
export class Follower {
  private current: SchemaState = { state: 'generated' };
  /** The fingerprint of the served API; undefined before the first conclusive check. */
  private served: string | undefined;
  /** The fingerprint of the generated API. */
  private generated: string | undefined;
  /** Whether nothing of the database waits for the next `generate`. */
  private isWhole = true;
  /**
   * The probe of the last conclusive check; undefined if the database changed meanwhile: the next
   * check reads it again.
   */
  private probe: string | undefined;
  /** The shape of the served state, as `Guarded` has it; undefined before the first check. */
  private known: string | undefined;
  private looking: Promise<void> | undefined;
  private waiting: Trigger | undefined;
  private lookedForFailure = -Infinity;
  /** The check of a failed statement that has come too soon after the last check. */
  private postponed: NodeJS.Timeout | undefined;
  /** The fingerprint that was refused last, and when. */
  private refused: { readonly fingerprint: string; readonly at: number } | undefined;
  private lastReason: string | undefined;
  /** The schemas that are not served, as of the last check; undefined before the first. */
  private otherSchemas: ReadonlySet<string> | undefined;
  private readonly backoff = new Backoff();
  private readonly occasions: Occasions;
  private retry: NodeJS.Timeout | undefined;
  private readonly stopping = new AbortController();

  constructor(private readonly followed: Followed) {
    this.served = this.generated = followed.fingerprint;
    this.occasions = new Occasions(followed.live, followed.settings, followed.observe, (trigger) => {
      this.notice(trigger);
    });
  }

  /** The state for `/health/ready`. */
  get state(): SchemaState {
    return this.current;
  }

  /** The fingerprint of the served API; undefined before the first conclusive check. */
  get fingerprint(): string | undefined {
    return this.served;
  }

  private get stopped(): boolean {
    return this.stopping.signal.aborted;
  }

  /** Starts the checks. Called after the first contact with the database. */
  start(): void {
    if (!this.stopped) this.occasions.start();
  }

  /** Checks now, or again after the check that is running. */
  notice(trigger: Trigger): void {
    if (this.stopped) return;
    if (trigger === 'failure') {
      const now = performance.now();
      const pause = this.lookedForFailure + FAILURE_INTERVAL_MS - now;
      if (pause > 0) {
        this.lookWhenAllowed(pause);
        return;
      }
      this.lookedForFailure = now;
    }
    if (this.looking === undefined) this.begin(trigger);
    else this.waiting ??= trigger;
  }

  private begin(trigger: Trigger): void {
    this.looking = this.look(trigger).finally(() => {
      this.looking = undefined;
      const next = this.waiting;
      this.waiting = undefined;
      if (next !== undefined && !this.stopped) this.begin(next);
    });
  }

  /** Checks. Resolves after the check, conclusive or not. */
  async check(trigger: Trigger): Promise<void> {
    this.notice(trigger);
    await this.idle();
  }

  /** Checks. Resolves after a conclusive check, or when a request cannot wait longer. */
  async lookNow(trigger: Trigger): Promise<void> {
    await Promise.race([this.check(trigger), delay(TIMEOUT_MS, undefined, { ref: false })]);
  }

  /**
   * A statement has failed too soon for another check: schedules one, even if no other statement
   * fails.
   */
  private lookWhenAllowed(pause: number): void {
    this.postponed ??= this.occasions.after(pause, () => {
      this.postponed = undefined;
      this.notice('failure');
    });
  }

  /**
   * Statements of a new API have not failed yet: the first one that does has a check at once. A
   * check that an old API has postponed would take that away.
   */
  private forgetFailures(): void {
    this.lookedForFailure = -Infinity;
    this.occasions.cancel(this.postponed);
    this.postponed = undefined;
  }

  private async idle(): Promise<void> {
    while (this.looking !== undefined) await this.looking;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.occasions.stop();
    await this.looking;
  }

  private async look(trigger: Trigger): Promise<void> {
    const { live, driver, schemas, isProtecting = false, derive, lookUp } = this.followed;
    try {
      await lookUp(driver);
      const probe = await live.probe(driver, schemas);
      // The change may have been reverted since.
      if (probe === this.probe && this.served !== undefined) {
        this.refuseExchanges([]);
        this.settle(this.served, probe);
        // The publication of the change feed is no part of the probe.
        if (trigger === 'notify') void this.followed.checked();
        return;
      }
      await this.nameNewSchemas();
      const { text, still, identities } = await readBetweenChanges(
        live,
        driver,
        { schemas, isProtecting },
        probe,
        this.stopping.signal,
      );
      const seen = { served: this.served, identities, known: this.known };
      const { fingerprint, served, changed, guarded } = await derive(text, seen, this.stopping.signal);
      this.generated ??= served;
      if (this.stopped) return;
      this.refuseExchanges(guarded?.exchanges ?? []);
      const isServed = changed === undefined || (await this.change(changed, fingerprint, still, trigger));
      if (changed === undefined) this.settle(fingerprint, still);
      if (isServed) this.known = guarded?.shape;
    } catch (error) {
      if (!this.stopped) this.fail(error);
    }
    if (!this.stopped) void this.followed.checked();
  }

  /**
   * Takes names that may show something protected away from all statements.
   * @throws Refusal as long as there are any exchanges
   */
  private refuseExchanges(exchanges: Guarded['exchanges']): void {
    const { withhold, settings, exit } = this.followed;
    withhold?.([...new Set(exchanges.flatMap(({ withheld }) => withheld))]);
    if (exchanges.length === 0) return;
    if (settings['app.drift.on-change'] === 'exit') exit();
    throw new Refusal(
      `The configuration protects names that may have another meaning now: ${exchanges.map(({ message }) => message).join(' ')}`,
      'The old API stays in use, without these tables. Check exclude and rules, generate, build and start the server again.',
    );
  }

  /** Reports each schema that appears after the first check: it is not served. */
  private async nameNewSchemas(): Promise<void> {
    const { live, driver, schemas, observe } = this.followed;
    if (schemas === undefined || live.otherSchemas === undefined) return;
    const found = await live.otherSchemas(driver, schemas);
    const known = this.otherSchemas;
    this.otherSchemas = new Set([...(known ?? []), ...found]);
    for (const name of found) {
      if (known?.has(name) !== false) continue;
      const message = `The database has a new schema, "${name}", which this server does not serve.`;
      observe({ kind: 'warning', message, hint: 'Generate again, or set app.drift.new-schemas.' });
    }
  }

  /** Whether the change is served now. */
  private async change(
    changed: DerivedModel,
    fingerprint: string,
    probe: string | undefined,
    trigger: Trigger,
  ): Promise<boolean> {
    const { settings, observe, swap, exit } = this.followed;
    const onChange = settings['app.drift.on-change'];
    if (onChange !== 'regenerate') {
      const reason = `The database schema has changed, and app.drift.on-change is ${onChange}.`;
      this.stale(reason, 'Generate and deploy the server again, or set app.drift.on-change to regenerate.');
      if (onChange === 'exit') exit();
      return false;
    }
    const since = performance.now();
    try {
      const changes = await swap(changed, this.isConfirmed(fingerprint, trigger), fingerprint);
      this.isWhole = !changed.model.warnings.some(({ code }) => code === 'WAITS');
      this.settle(fingerprint, probe);
      this.forgetFailures();
      const milliseconds = performance.now() - since;
      observe({ kind: 'schema', state: 'followed', trigger, milliseconds, fingerprint, changes });
      return true;
    } catch (error) {
      if (this.refused?.fingerprint !== fingerprint) this.refused = { fingerprint, at: performance.now() };
      throw error;
    }
  }

  /**
   * Whether the same catalogue was refused before, so that it is not a migration caught half way.
   * It is confirmed by an announcement, or after a while.
   */
  private isConfirmed(fingerprint: string, trigger: Trigger): boolean {
    if (this.refused?.fingerprint !== fingerprint) return false;
    return trigger === 'notify' || performance.now() - this.refused.at >= FAILURE_INTERVAL_MS;
  }

  private settle(fingerprint: string, probe: string | undefined): void {
    const wasStale = this.current.state === 'stale';
    this.served = fingerprint;
    this.probe = probe;
    const isGenerated = fingerprint === this.generated;
    this.current = { state: isGenerated ? 'generated' : 'followed' };
    this.refused = this.lastReason = undefined;
    this.backoff.reset();
    if (this.isWhole) this.followed.settled(fingerprint, isGenerated);
    if (wasStale) this.followed.observe({ kind: 'schema', state: 'current' });
  }

  private fail(error: unknown): void {
    if (this.followed.dialect.outage(error) !== undefined) {
      this.tryAgain(OUTAGE_PAUSE_MS);
      return;
    }
    if (this.followed.dialect.lacks?.(error) === true) {
      this.observeLack(error);
      return;
    }
    const text = error instanceof Error ? error.message : String(error);
    const hint = error instanceof Refusal || error instanceof TablewrightError ? error.hint : undefined;
    this.stale(error instanceof Refusal ? text : `The changed schema cannot be served: ${text}`, hint, error);
    this.tryAgain(this.backoff.next());
  }

  /** The catalogue cannot be read, now or later: the generated API is served without checks. */
  private observeLack(error: unknown): void {
    this.stopping.abort();
    void this.occasions.stop();
    const lost = 'the server does not follow changes of the schema. Generate and deploy it after each migration.';
    this.followed.observe(lacking('what reads its catalogue', lost, error));
  }

  /** Only one retry is scheduled at a time, however many checks fail. */
  private tryAgain(milliseconds: number): void {
    this.occasions.cancel(this.retry);
    this.retry = this.occasions.after(milliseconds, () => {
      this.notice('retry');
    });
  }

  private stale(reason: string, hint: string | undefined, error?: unknown): void {
    this.current = { state: 'stale', reason };
    if (this.lastReason === reason) return;
    this.lastReason = reason;
    this.followed.observe({ kind: 'schema', state: 'stale', reason, hint, error });
  }
}
