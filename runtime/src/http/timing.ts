import type { Protocol, StageListener } from '../observe/metrics/stages.js';
import type { Settings } from '../settings/settings.js';

/**
 * Receivers of measured stages: the client outside of production; metrics and traces if they are
 * on.
 */
export interface TimingServices {
  readonly settings: Pick<Settings, 'app.server.production'>;
  readonly stages?: StageListener;
}

/** The names that `Server-Timing` has for stages, and which more of them it shows. */
export type StageNames = Readonly<Record<string, string>>;

/** Measures each stage of a request, in ms. */
export class Timing {
  private last: number;
  private readonly shown: string[] = [];

  private constructor(
    start: number,
    private readonly protocol: Protocol,
    private readonly isShown: boolean,
    private readonly notify: StageListener | undefined,
    private readonly names: StageNames | undefined,
  ) {
    this.last = start;
  }

  /** Undefined if nothing receives the stages. */
  static of(
    { settings, stages }: TimingServices,
    start: number,
    protocol: Protocol,
    names?: StageNames,
  ): Timing | undefined {
    const isShown = !settings['app.server.production'];
    return isShown || stages !== undefined ? new Timing(start, protocol, isShown, stages, names) : undefined;
  }

  /** Ends a stage, which began at the last mark. */
  mark(stage: string): void {
    const now = performance.now();
    this.add(stage, now);
    this.notify?.(this.protocol, stage, this.last, now);
    this.last = now;
  }

  /** Ends a stage that only `Server-Timing` has, where the names say so. */
  show(stage: string): void {
    if (this.names?.[stage] === undefined) return;
    const now = performance.now();
    this.add(stage, now);
    this.last = now;
  }

  private add(stage: string, now: number): void {
    if (!this.isShown) return;
    const duration = (now - this.last).toFixed(this.names === undefined ? 2 : 1);
    this.shown.push(`${this.names?.[stage] ?? stage};dur=${duration}`);
  }

  /** The value of `Server-Timing`, outside of production: https://www.w3.org/TR/server-timing/ */
  header(): string | undefined {
    this.show('answer');
    return this.isShown ? this.shown.join(', ') : undefined;
  }
}
