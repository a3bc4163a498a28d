import type { Announcements, LiveCatalog } from '../dialect/dialect.js';
import { longestTimer } from '../longest-timer.js';
import type { Observer } from '../observe/observation.js';
import type { Settings } from '../settings/settings.js';

/**
 * Why the server checks its database: by schedule, after an announcement, a failed statement, or a
 * failed check.
 */
export type Trigger = 'start' | 'time' | 'notify' | 'failure' | 'retry';

/** Milliseconds from the start to the first check: the code may be older than the database. */
const FIRST_LOOK_MS = 2_000;

/** The occasions for a check of the database: the timers of the settings, and announcements. */
export class Occasions {
  private readonly timers = new Set<NodeJS.Timeout>();
  private announcements: Announcements | undefined;

  constructor(
    private readonly live: Pick<LiveCatalog, 'listen'>,
    private readonly settings: Settings,
    private readonly observe: Observer,
    private readonly notice: (trigger: Trigger) => void,
  ) {}

  start(): void {
    const { live, settings, observe, notice } = this;
    const url = settings['app.datasource.url'];
    const minutes = settings['app.cache.schema-ttl-minutes'];
    const probes = settings['app.drift.probe-ms'];
    /** Whether a check is still to come that notices what was announced before. */
    let isToCome = minutes > 0;
    if (url !== undefined) {
      const announced = (): void => {
        notice('notify');
      };
      const opened = (): void => {
        if (!isToCome) notice('notify');
        isToCome = false;
      };
      this.announcements = live.listen?.(url, settings, { announced, opened }, observe);
    }
    if (minutes > 0)
      this.after(FIRST_LOOK_MS, () => {
        isToCome = false;
        notice('start');
      });
    if (minutes > 0) this.everySoOften(minutes * 60_000);
    if (probes > 0) this.everySoOften(probes);
  }

  async stop(): Promise<void> {
    for (const timer of this.timers) clearTimeout(timer);
    await this.announcements?.close();
  }

  after(milliseconds: number, run: () => void): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      run();
    }, milliseconds).unref();
    this.timers.add(timer);
    return timer;
  }

  /** Ends a timer of `after`, if it still runs. */
  cancel(timer: NodeJS.Timeout | undefined): void {
    if (timer === undefined) return;
    clearTimeout(timer);
    this.timers.delete(timer);
  }

  private everySoOften(milliseconds: number): void {
    // A random part, so that servers that start together do not check at the same moment.
    this.after(Math.min(milliseconds * (0.9 + 0.2 * Math.random()), longestTimer), () => {
      this.notice('time');
      this.everySoOften(milliseconds);
    });
  }
}
