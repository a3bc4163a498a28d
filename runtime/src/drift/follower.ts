import type { Announcements, Dialect, LiveCatalog } from '../dialect/dialect.js';
import type { Driver } from '../dialect/driver.js';
import type { ApiChange } from '../model/changes.js';
import type { Observer } from '../observe/observation.js';
import type { Settings } from '../settings/settings.js';
import { TablewrightError } from '../tablewright-error.js';
import { Backoff } from './backoff.js';
import type { Derived } from './derive.js';
import { Refusal } from './refusal.js';

/** Why the server looks at its database: its time has come, somebody announced a change, a statement failed, or the last look did. */
export type Trigger = 'start' | 'time' | 'notify' | 'failure' | 'retry';

/** What is served: as generated, as the database has become since, or what it no longer is, with the reason. */
export type SchemaState =
  { readonly state: 'generated' | 'followed' } | { readonly state: 'stale'; readonly reason: string };

/** What the follower works with. */
export interface Followed {
  readonly live: LiveCatalog;
  readonly driver: Driver;
  readonly dialect: Pick<Dialect, 'outage'>;
  readonly settings: Settings;
  readonly observe: Observer;
  readonly schemas: readonly string[] | undefined;
  /** The fingerprint that the code was generated from. */
  readonly fingerprint: string;
  readonly derive: (text: string, served: string) => Promise<Derived>;
  /** Has it served, and answers what has changed for clients. Throws Refusal for what cannot be, and then changes nothing. */
  readonly adopt: (derived: Required<Derived>, again: boolean) => Promise<readonly ApiChange[]>;
  /** Is told of the fingerprint of what is served, whenever a look has settled it. */
  readonly settled: (fingerprint: string) => void;
  /** Ends the server: `app.drift.on-change` is `exit`. */
  readonly exit: () => void;
}

/** Milliseconds after the start to the first look: a server may be older than its database. */
const FIRST_LOOK = 2_000;

/** Statements that fail lead to a look at most this often, in milliseconds. */
const FAILURE_INTERVAL = 10_000;

/** Milliseconds to the next look when the database did not answer. */
const OUTAGE_PAUSE = 60_000;

/**
 * Looks whether the database has changed, and has the change served: one look at a time, beside the requests. What fails
 * leaves everything as it was, is told once, and is tried again after 1, 2, 4 … 30 minutes.
 */
export class Follower {
  private current: SchemaState = { state: 'generated' };
  private served: string;
  /** The probe of the last look that settled what is served. */
  private probe: string | undefined;
  private looking: Promise<void> | undefined;
  private waiting: Trigger | undefined;
  private lookedForFailure = -Infinity;
  /** The fingerprint that was refused last, and when. */
  private refused: { readonly fingerprint: string; readonly at: number } | undefined;
  private told: string | undefined;
  private readonly backoff = new Backoff();
  private readonly timers = new Set<NodeJS.Timeout>();
  private announcements: Announcements | undefined;
  private stopped = false;

  constructor(private readonly followed: Followed) {
    this.served = followed.fingerprint;
  }

  /** What is served, for `/health/ready`. */
  get state(): SchemaState {
    return this.current;
  }

  /** Begins to look. To be called when the database has been checked. */
  start(): void {
    const { live, settings } = this.followed;
    if (this.stopped) return;
    const url = settings['app.datasource.url'];
    if (url !== undefined) {
      this.announcements = live.listen?.(url, settings, () => {
        this.notice('notify');
      });
    }
    const minutes = settings['app.cache.schema-ttl-minutes'];
    const probes = settings['app.drift.probe-ms'];
    if (minutes > 0) this.later(FIRST_LOOK, 'start');
    if (minutes > 0) this.everySoOften(minutes * 60_000);
    if (probes > 0) this.everySoOften(probes);
  }

  /** Looks now, or once more after the look that is under way. */
  notice(trigger: Trigger): void {
    if (this.stopped) return;
    if (trigger === 'failure') {
      const now = performance.now();
      if (now - this.lookedForFailure < FAILURE_INTERVAL) return;
      this.lookedForFailure = now;
    }
    if (this.looking !== undefined) {
      this.waiting ??= trigger;
      return;
    }
    this.looking = this.look(trigger).finally(() => {
      this.looking = undefined;
      const next = this.waiting;
      this.waiting = undefined;
      if (next !== undefined) this.notice(next);
    });
  }

  async stop(): Promise<void> {
    this.stopped = true;
    for (const timer of this.timers) clearTimeout(timer);
    await this.announcements?.close();
    await this.looking;
  }

  private async look(trigger: Trigger): Promise<void> {
    const { live, driver, schemas, derive } = this.followed;
    try {
      const probe = await live.probe(driver, schemas);
      // What was changed may have been taken back since.
      if (probe === this.probe) {
        this.settle(this.served, probe);
        return;
      }
      const derived = await derive(await live.read(driver, schemas), this.served);
      if (this.stopped) return;
      const { model } = derived;
      if (model === undefined) this.settle(derived.fingerprint, probe);
      else await this.change({ ...derived, model }, probe, trigger);
    } catch (error) {
      if (!this.stopped) this.fail(error);
    }
  }

  private async change(derived: Required<Derived>, probe: string, trigger: Trigger): Promise<void> {
    const { settings, observe, adopt, exit } = this.followed;
    const onChange = settings['app.drift.on-change'];
    if (onChange !== 'regenerate') {
      const reason = `The database schema has changed, and app.drift.on-change is ${onChange}.`;
      this.stale(reason, 'Generate and deploy the server again, or set app.drift.on-change to regenerate.');
      if (onChange === 'exit') exit();
      return;
    }
    const since = performance.now();
    try {
      const changes = await adopt(derived, this.isConfirmed(derived.fingerprint, trigger));
      this.settle(derived.fingerprint, probe);
      const milliseconds = performance.now() - since;
      observe({ kind: 'schema', state: 'followed', trigger, milliseconds, fingerprint: derived.fingerprint, changes });
    } catch (error) {
      if (this.refused?.fingerprint !== derived.fingerprint)
        this.refused = { fingerprint: derived.fingerprint, at: performance.now() };
      throw error;
    }
  }

  /** Whether the same catalogue was refused before, so that this is no migration caught half way: by announcement, or after a while. */
  private isConfirmed(fingerprint: string, trigger: Trigger): boolean {
    if (this.refused?.fingerprint !== fingerprint) return false;
    return trigger === 'notify' || performance.now() - this.refused.at >= FAILURE_INTERVAL;
  }

  private settle(fingerprint: string, probe: string): void {
    const wasStale = this.current.state === 'stale';
    this.served = fingerprint;
    this.probe = probe;
    this.current = { state: fingerprint === this.followed.fingerprint ? 'generated' : 'followed' };
    this.refused = this.told = undefined;
    this.backoff.reset();
    this.followed.settled(fingerprint);
    if (wasStale) this.followed.observe({ kind: 'schema', state: 'current' });
  }

  private fail(error: unknown): void {
    if (this.followed.dialect.outage(error) !== undefined) {
      this.later(OUTAGE_PAUSE, 'retry');
      return;
    }
    const text = error instanceof Error ? error.message : String(error);
    const hint = error instanceof Refusal || error instanceof TablewrightError ? error.hint : undefined;
    this.stale(error instanceof Refusal ? text : `The changed schema cannot be served: ${text}`, hint, error);
    this.later(this.backoff.next(), 'retry');
  }

  private stale(reason: string, hint: string | undefined, error?: unknown): void {
    this.current = { state: 'stale', reason };
    if (this.told === reason) return;
    this.told = reason;
    this.followed.observe({ kind: 'schema', state: 'stale', reason, hint, error });
  }

  private everySoOften(milliseconds: number): void {
    // Servers that start together do not look together.
    const timer = setTimeout(
      () => {
        this.timers.delete(timer);
        this.notice('time');
        this.everySoOften(milliseconds);
      },
      Math.min(milliseconds * (0.9 + 0.2 * Math.random()), LONGEST_TIMER),
    ).unref();
    this.timers.add(timer);
  }

  private later(milliseconds: number, trigger: Trigger): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.notice(trigger);
    }, milliseconds).unref();
    this.timers.add(timer);
  }
}

/** Node's timers take no more milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;
