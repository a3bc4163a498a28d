import type { Protocol, TellStage } from '../observe/metrics/stages.js';
import type { Settings } from '../settings/settings.js';

/**
 * Receivers of measured stages: the client outside of production; metrics and traces if they are
 * on.
 */
export interface TimingServices {
  readonly settings: Pick<Settings, 'app.server.production'>;
  readonly stages?: TellStage;
}

/** Measures each stage of a request, in ms. */
export class Timing {
  private last: number;
  private readonly shown: string[] = [];

  private constructor(
    start: number,
    private readonly protocol: Protocol,
    private readonly isShown: boolean,
    private readonly tell: TellStage | undefined,
  ) {
    this.last = start;
  }

  /** Undefined if nothing receives the stages. */
  static of({ settings, stages }: TimingServices, start: number, protocol: Protocol): Timing | undefined {
    const isShown = !settings['app.server.production'];
    return isShown || stages !== undefined ? new Timing(start, protocol, isShown, stages) : undefined;
  }

  /** Ends a stage, which began at the last mark. */
  mark(stage: string): void {
    const now = performance.now();
    if (this.isShown) this.shown.push(`${stage};dur=${(now - this.last).toFixed(2)}`);
    this.tell?.(this.protocol, stage, this.last, now);
    this.last = now;
  }

  /** The value of `Server-Timing`, outside of production: https://www.w3.org/TR/server-timing/ */
  header(): string | undefined {
    return this.isShown ? this.shown.join(', ') : undefined;
  }
}
