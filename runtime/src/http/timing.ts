/** Milliseconds spent in each stage of a request, for `Server-Timing`: https://www.w3.org/TR/server-timing/ */
export class Timing {
  private last: number;
  private readonly stages: string[] = [];

  constructor(start: number) {
    this.last = start;
  }

  /** Ends a stage: what passed since the last mark was spent in it. */
  mark(stage: string): void {
    const now = performance.now();
    this.stages.push(`${stage};dur=${(now - this.last).toFixed(2)}`);
    this.last = now;
  }

  header(): string {
    return this.stages.join(', ');
  }
}
